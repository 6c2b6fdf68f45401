import { type CaptionTrack as ListedTrack, transcriptFile } from "@reelmill/contracts/captions";

/** A track of captions or subtitles of the whole video, as it was made. */
export type CaptionTrack = ListedTrack & {
	/** Whether a transcriber heard it in the sound that plays by default. Its language is then that of the sound. */
	readonly isHeard: boolean;
};

/** The transcript as a transcriber made it. */
export const heardTrack = (language: string | null): CaptionTrack => ({
	...{ path: transcriptFile, language, title: null },
	...{ isHeard: true, isSpoken: true, tellsSounds: false, isForced: false },
});

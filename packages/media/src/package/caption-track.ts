/** A track of captions or subtitles of the whole video: one WebVTT file. */
export type CaptionTrack = {
	/** Path of the file, relative to the folder of the outputs. */
	readonly path: string;
	/** The shortest tag of RFC 5646; `null` if it isn't known. */
	readonly language: string | null;
	/** What the source calls it; `null` for nothing. */
	readonly title: string | null;
	/** Whether a transcriber heard it in the sound that plays by default. Its language is then that of the sound. */
	readonly isHeard: boolean;
	/** Whether it has what is said, in the language in which it is said. */
	readonly isSpoken: boolean;
	/** Whether it also tells what is heard beside the words. */
	readonly tellsSounds: boolean;
	/** Whether it has only what is shown to everybody, such as the translation of a sign. */
	readonly isForced: boolean;
};

/** The file of a video's transcript, which is the first of its tracks of captions. */
export const transcriptFile = "transcript.vtt";

/** The transcript as a transcriber made it. */
export const heardTrack = (language: string | null): CaptionTrack => ({
	...{ path: transcriptFile, language, title: null },
	...{ isHeard: true, isSpoken: true, tellsSounds: false, isForced: false },
});

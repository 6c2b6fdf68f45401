/** A track of captions or subtitles of the whole video: one WebVTT file. */
export type CaptionTrack = {
	/** Path of the file, relative to the folder of the outputs. */
	readonly path: string;
	/** The shortest tag of RFC 5646; `null` if it isn't known. */
	readonly language: string | null;
	/** What the source or the tenant calls it; `null` for nothing. */
	readonly title: string | null;
	/** Whether it has what is said, in the language in which it is said. */
	readonly isSpoken: boolean;
	/** Whether it also tells what is heard beside the words. */
	readonly tellsSounds: boolean;
	/** Whether it has only what is shown to everybody, such as the translation of a sign. */
	readonly isForced: boolean;
};

/** The file of a video's transcript. */
export const transcriptFile = "transcript.vtt";

import type { Fields } from "./fields.ts";
import type { FoundVideo } from "./found-video.ts";

export type FormatOptions = {
	/** Where the files of a library are, without a slash at the end, if the list doesn't say it. */
	readonly origin: string | undefined;
};

/** A list that another system gives. */
export type Format = {
	/** Tells whether this is a video of such a list. */
	is(video: Fields): boolean;
	/** Whether the list doesn't say where its files are. */
	readonly needsOrigin?: boolean;
	read(video: Fields, options: FormatOptions): FoundVideo;
};

const types: Record<string, string> = {
	mp4: "video/mp4",
	m4v: "video/mp4",
	mov: "video/quicktime",
	webm: "video/webm",
	mkv: "video/x-matroska",
	avi: "video/x-msvideo",
	mpg: "video/mpeg",
	mpeg: "video/mpeg",
	ts: "video/mp2t",
	flv: "video/x-flv",
	"3gp": "video/3gpp",
};

/**
 * Returns the type of a video by the ending of its file's name; undefined for an unknown ending or none.
 * @example
 * ```ts
 * import { contentTypeOf } from "@reelmill/client";
 *
 * console.log(contentTypeOf("holidays/Beach.MOV"), contentTypeOf("notes.txt")); // => video/quicktime undefined
 * ```
 */
export const contentTypeOf = (name: string): string | undefined =>
	types[/\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? ""];

import { contentTypes } from "@reelmill/contracts/containers";

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
	contentTypes[/\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? ""];

/**
 * The file with the sums of a video's outputs, which lies beside them and is never served. It has the format of
 * coreutils: `sha256sum --check SHA256SUMS` compares the files of its folder with it. This file imports nothing.
 */
export const outputSumsFile = "SHA256SUMS";

/**
 * Returns the text of {@link outputSumsFile}: a line for each path, with the SHA-256 of its bytes in hexadecimal, in the
 * order of the paths. Paths of outputs have no character that the format would escape.
 *
 * @example
 * ```ts
 * import { createHash } from "node:crypto";
 * import { renderOutputSums } from "@reelmill/contracts";
 *
 * const sum = createHash("sha256").update("WEBVTT\n").digest("hex");
 * console.log(renderOutputSums([["transcript.vtt", sum]]).split("  ")[1]); // => transcript.vtt
 * ```
 */
export const renderOutputSums = (sums: Iterable<readonly [path: string, sha256: string]>): string =>
	[...sums]
		.sort(([one], [other]) => (one < other ? -1 : 1))
		.map(([path, sha256]) => `${sha256}  ${path}\n`)
		.join("");

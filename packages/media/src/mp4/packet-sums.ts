import { readFile } from "node:fs/promises";
import type { Run } from "../run/programs.ts";

/** Names the file that has the sum of a track's packets, as the encoder gave them. */
export const sumFile = (track: string): string => `${track}.sum`;

/**
 * The same bytes of a packet from the encoder as from an MP4: both in one framing, without the parameter sets, which an
 * MP4 has in its header.
 */
const packetFilter = "filter_units=remove_types=7-8";
const sums = ["-f", "streamhash", "-hash", "md5"];

/** ffmpeg's `tee` ends a name at a bar, and takes quotes, spaces and backslashes for its own. */
const teeName = (path: string): string => path.replace(/[\\'|\s]/g, "\\$&");

/**
 * Returns the end of the arguments that encode a track of H.264: it is written to an MP4 and, beside it, the sum of its
 * packets. The MP4 is the same, byte for byte, as without the sum.
 * @param options the MP4 muxer's
 */
export function summedMp4(path: string, options: Readonly<Record<string, string>>): string[] {
	const given = Object.entries(options).map(([name, value]) => `:${name}=${value}`);
	const outputs = [
		`[f=mp4${given.join("")}]${teeName(path)}`,
		`[f=streamhash:hash=md5:bsfs/v=${packetFilter}]${teeName(sumFile(path))}`,
	];
	// What ffmpeg sees to by itself for an MP4: headers apart from the packets, and times that may be negative.
	return ["-flags", "+global_header", "-avoid_negative_ts", "disabled", "-f", "tee", outputs.join("|")];
}

/**
 * Proves that a track of H.264 holds the very packets that the encoder gave, and that each key frame decodes.
 * @param sum the file that `summedMp4` wrote
 * @param reads the only files and folders that ffmpeg may read
 * @throws {Error} when a packet is another one, or a decoder complains
 */
export async function provePackets(
	{ programs, signal }: Run,
	{ path, sum }: { readonly path: string; readonly sum: string },
	reads: readonly string[],
): Promise<void> {
	const args = [
		...["-nostdin", "-v", "error", "-xerror", "-f", "mov", "-i", path],
		...["-threads", "1", "-skip_loop_filter", "all", "-discard", "nokey", "-f", "mov", "-i", path],
		...["-map", "0", "-c", "copy", "-bsf:v", packetFilter, ...sums, "pipe:1"],
		...["-map", "1", "-fps_mode", "passthrough", "-f", "null", "-"],
	];
	const { stdout, stderr } = await programs.run("ffmpeg", args, { signal, reads });
	if (stderr.trim() !== "") throw new Error(`What was made does not decode: ${stderr.trim()}`);
	const [found, given] = [stdout.toString("latin1").trim(), (await readFile(sum, "latin1")).trim()];
	if (found === "" || found !== given) throw new Error(`${path} does not hold what the encoder gave.`);
}

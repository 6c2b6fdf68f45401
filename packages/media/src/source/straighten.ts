import { dirname } from "node:path";
import type { Run } from "../run/programs.ts";
import type { SourceProbe, SourceText } from "../types.ts";
import { guardedInput } from "./guarded-input.ts";
import { type ClockJump, mayJump } from "./packet-clock.ts";
import { isText } from "./text-tracks.ts";

/** More jumps than this are no recordings one behind another, but damage. */
const mostJumps = 1000;

/** Says whether a source's clock jumps, so that programs that read a part of its streams see different times. */
export const isCrooked = ({ container, clockJumps = [] }: SourceProbe): boolean =>
	container !== "ogg" && clockJumps.length > 0 && clockJumps.length <= mostJumps;

/** Pictures that an MPEG-TS has a name for. It can describe the second recording otherwise than the first. */
const named = ["h264", "hevc", "mpeg1video", "mpeg2video", "mpeg4"];

/** Returns the tracks of text that the copy has: those of a Matroska, as far as they can be read. */
export const copiedTexts = ({ container, texts = [] }: SourceProbe): SourceText[] =>
	container === "matroska" ? texts.filter(isText) : [];

/** The format of a copy, and the ticks of its clock in a second. */
type CopyFormat = { readonly arguments: readonly string[]; readonly ticks: number };

/** Returns the format of the copy: an MPEG-TS if it can have the picture, in which each piece of sound has its own time. */
const formatOf = ({ container, video }: SourceProbe): CopyFormat =>
	mayJump(container) || (container === "flv" && named.includes(video.codec))
		? { arguments: ["-f", "mpegts", "-pes_payload_size", "0"], ticks: 90_000 }
		: { arguments: ["-f", "matroska"], ticks: 1000 };

/**
 * Copies picture, sounds and text of a source without the jumps of its clock. ffmpeg removes jumps by what it reads: a process
 * that reads the sound alone comes to other times than one that reads the picture. Of the copy, all come to the same.
 * @param target the copy, as large as the source
 */
export async function straighten(
	{ programs, signal }: Run,
	source: string,
	probed: SourceProbe,
	target: string,
): Promise<void> {
	const { container, video, audio, furtherAudio, clockJumps = [] } = probed;
	const streams = [video, ...(audio === null ? [] : [audio]), ...furtherAudio, ...copiedTexts(probed)].map(
		({ index }) => index,
	);
	streams.sort((one, other) => one - other);
	const format = formatOf(probed);
	const args = ["-nostdin", "-v", "error", "-y", "-copyts", ...guardedInput(container, source)];
	for (const index of streams) args.push("-map", `0:${index}`);
	args.push("-c", "copy", "-copyinkf", "-copypriorss", "1");
	for (const [n, index] of streams.entries())
		args.push(
			`-bsf:${n}`,
			movedTimes(
				clockJumps.filter(({ stream }) => stream === index),
				format.ticks,
			),
		);
	const options = { signal, reads: [source], writes: [dirname(target)] };
	await programs.run("ffmpeg", [...args, ...format.arguments, target], options);
}

/**
 * Returns ffmpeg's filter of packets that moves the times of a stream. It sees the copy's ticks, whatever its `TB` says.
 */
function movedTimes(jumps: readonly ClockJump[], ticks: number): string {
	const steps = jumps.map(({ packet, shiftSeconds }, n) => {
		const step = Math.round(shiftSeconds * ticks) - Math.round((jumps[n - 1]?.shiftSeconds ?? 0) * ticks);
		return `gte(N,${packet})*${step}`;
	});
	const moved = (time: string) => `'if(eq(${time},NOPTS),NOPTS,${time}+${steps.join("+") || "0"})'`;
	return `setts=pts=${moved("PTS")}:dts=${moved("DTS")}`;
}

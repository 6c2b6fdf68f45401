import { dirname } from "node:path";
import type { Run } from "../run/programs.ts";
import type { SourceProbe } from "../types.ts";
import { guardedInput } from "./guarded-input.ts";
import type { ClockJump } from "./packet-clock.ts";

/** More jumps than this are no recordings one behind another, but damage. ffmpeg then follows the clock by itself. */
const mostJumps = 1000;

/** Says whether a source's clock jumps, so that programs that read a part of its streams see different times. */
export const isCrooked = ({ container, clockJumps = [] }: SourceProbe): boolean =>
	(container === "mpegts" || container === "mpeg") && clockJumps.length > 0 && clockJumps.length <= mostJumps;

/**
 * Copies picture and sounds of a source without the jumps of its clock. ffmpeg removes jumps by what it reads: a process
 * that reads the sound alone comes to other times than one that reads the picture. Of the copy, all come to the same.
 * @param target the copy: an MPEG-TS, as large as the source
 */
export async function straighten(
	{ programs, signal }: Run,
	source: string,
	{ container, video, audio, furtherAudio, clockJumps = [] }: SourceProbe,
	target: string,
): Promise<void> {
	const streams = [video, ...(audio === null ? [] : [audio]), ...furtherAudio].map(({ index }) => index);
	streams.sort((one, other) => one - other);
	const args = ["-nostdin", "-v", "error", "-y", "-copyts", ...guardedInput(container, source)];
	for (const index of streams) args.push("-map", `0:${index}`);
	args.push("-c", "copy", "-copyinkf", "-copypriorss", "1");
	for (const [n, index] of streams.entries())
		args.push(`-bsf:${n}`, movedTimes(clockJumps.filter(({ stream }) => stream === index)));
	// Each piece of sound gets a time of its own.
	const format = ["-f", "mpegts", "-pes_payload_size", "0"];
	const options = { signal, reads: [source], writes: [dirname(target)] };
	await programs.run("ffmpeg", [...args, ...format, target], options);
}

/** Returns ffmpeg's filter of packets that moves the times of a stream. */
function movedTimes(jumps: readonly ClockJump[]): string {
	const steps = jumps.map(({ packet, shiftSeconds }, n) => {
		const step = shiftSeconds - (jumps[n - 1]?.shiftSeconds ?? 0);
		return `gte(N,${packet})*${step.toFixed(6)}`;
	});
	const moved = (time: string) => `'if(eq(${time},NOPTS),NOPTS,${time}+round((${steps.join("+") || "0"})/TB))'`;
	return `setts=pts=${moved("PTS")}:dts=${moved("DTS")}`;
}

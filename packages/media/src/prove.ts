import { stat } from "node:fs/promises";
import { join } from "node:path";
import { MediaError } from "./errors.ts";
import { perSecond } from "./frame-rate.ts";
import type { EncodePlan } from "./plan.ts";
import type { Programs } from "./programs.ts";
import type { Track } from "./track.ts";

export type Proof = {
	/** Folder that `files` are relative to. */
	readonly directory: string;
	readonly files: readonly string[];
	readonly videos: readonly Track[];
	readonly audio: Track | null;
	readonly signal?: AbortSignal | undefined;
};

/** ffmpeg ends with code 0 where a source breaks off, so the length of what came out is what tells. */
function proveDurations(plan: EncodePlan, { videos, audio }: Proof): void {
	const tolerance = Math.max(0.25, 3 / perSecond(plan.frameRate));
	for (const track of [...videos, ...(audio === null ? [] : [audio])]) {
		const missing = plan.durationSeconds - track.seconds;
		if (Math.abs(missing) <= tolerance) continue;
		if (missing > 0) {
			throw new MediaError(
				"invalid_media",
				`The video can be decoded only up to ${track.seconds.toFixed(1)} of its ${plan.durationSeconds.toFixed(1)} seconds.`,
			);
		}
		throw new Error(`${track.name} lasts ${track.seconds} s where ${plan.durationSeconds} s were planned.`);
	}
}

/** A player changes renditions between segments: they must be cut at the same moments. */
function proveAlignment({ videos }: Proof): void {
	const [first, ...others] = videos;
	for (const track of others) {
		const aligned =
			track.segments.length === first?.segments.length &&
			track.segments.every((segment, n) => Math.abs(segment.startSeconds - (first.segments[n]?.startSeconds ?? Number.NaN)) < 0.001);
		if (!aligned) throw new Error(`The key frames of ${track.name} and ${first?.name} are not aligned.`);
	}
}

/**
 * Proves what was made: every file is there and not empty, every picture and sound decodes without a word of complaint, every track is as long as planned,
 * key frames are aligned. Rejects with {@link MediaError} `invalid_media` where the source gave out before its end, with an Error that names the file otherwise.
 */
export async function prove(programs: Programs, plan: EncodePlan, proof: Proof): Promise<void> {
	const { directory, files, signal } = proof;
	for (const file of files) {
		const found = await stat(join(directory, file)).catch(() => null);
		if (found === null || found.size === 0) throw new Error(`${file} was not made.`);
	}
	proveDurations(plan, proof);
	proveAlignment(proof);
	// Numbered pictures are one input, however many they are.
	const media = [...new Set(files.filter((file) => /\.(mp4|m4a|jpg)$/.test(file)).map((file) => file.replace(/\/\d{5}\.jpg$/, "/%05d.jpg")))];
	const inputs = media.flatMap((file) => ["-f", file.endsWith(".jpg") ? "image2" : "mov", "-i", join(directory, file)]);
	const decode = ["-nostdin", "-v", "error", "-xerror", ...inputs, ...media.flatMap((_, n) => ["-map", String(n)]), "-f", "null", "-"];
	const { stderr } = await programs.run("ffmpeg", decode, { signal, reads: [directory] });
	if (stderr.trim() !== "") throw new Error(`What was made does not decode: ${stderr.trim()}`);
}

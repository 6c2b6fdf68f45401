import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { MediaError } from "./errors.ts";
import { decodeFiles } from "./mp4/decode-files.ts";
import type { Track } from "./mp4/track.ts";
import { peakBandwidth } from "./package/bandwidth.ts";
import { targetSeconds } from "./package/hls.ts";
import type { EncodePlan } from "./plan/encode-plan.ts";
import type { Programs } from "./run/programs.ts";

export type Proof = {
	/** Folder that `files` are relative to. */
	readonly directory: string;
	readonly files: readonly string[];
	readonly videos: readonly Track[];
	readonly audio: Track | null;
	/** Of the files, those that were decoded before. */
	readonly decoded?: readonly string[];
	readonly signal?: AbortSignal | undefined;
};

/** What was found, for the report. */
export type Proved = {
	readonly files: number;
	/** Largest difference of any track's or file's length from the plan's. */
	readonly duration_off_seconds: number;
	readonly key_frames: number;
	readonly tracks: readonly {
		readonly name: string;
		readonly seconds: number;
		readonly bytes: number;
		readonly peak_bitrate: number;
	}[];
};

/** Lengths may differ by so much: a frame at the slowest rate. */
const toleranceSeconds = 0.1;

/** ffmpeg ends with code 0 where a source breaks off, so the length of what came out is what tells. */
function proveDurations(
	plan: EncodePlan,
	lengths: readonly { readonly name: string; readonly seconds: number }[],
): number {
	for (const { name, seconds } of lengths) {
		const missing = plan.durationSeconds - seconds;
		if (Math.abs(missing) <= toleranceSeconds + 1e-6) continue;
		if (missing > 0) {
			throw new MediaError(
				"invalid_media",
				`The video can be decoded only up to ${seconds.toFixed(1)} of its ${plan.durationSeconds.toFixed(1)} seconds.`,
			);
		}
		throw new Error(`${name} lasts ${seconds} s where ${plan.durationSeconds} s were planned.`);
	}
	return Math.max(0, ...lengths.map(({ seconds }) => Math.abs(plan.durationSeconds - seconds)));
}

/** A player changes renditions between segments: they must be cut at the same moments. */
function proveAlignment({ videos }: Proof): void {
	const [first, ...others] = videos;
	for (const track of others) {
		const aligned =
			track.segments.length === first?.segments.length &&
			track.segments.every(
				(segment, n) => Math.abs(segment.startSeconds - (first.segments[n]?.startSeconds ?? Number.NaN)) < 0.001,
			);
		if (!aligned) throw new Error(`The key frames of ${track.name} and ${first?.name} are not aligned.`);
	}
}

/** Seconds of each stream of web.mp4. */
async function webLengths(
	programs: Programs,
	{ directory, files, signal }: Proof,
): Promise<{ name: string; seconds: number }[]> {
	if (!files.includes("web.mp4")) return [];
	const path = join(directory, "web.mp4");
	const query = ["-v", "error", "-show_entries", "stream=duration", "-of", "csv=p=0", "-f", "mov", "-i", path];
	const { stdout } = await programs.run("ffprobe", query, { signal, reads: [path] });
	return stdout
		.toString("latin1")
		.trim()
		.split("\n")
		.map((seconds) => ({ name: "web.mp4", seconds: Number.parseFloat(seconds) }));
}

/**
 * Whether web.mp4 holds the very packets of tracks that are decoded themselves, so that it need not be decoded once
 * more.
 */
async function holdsTracks(programs: Programs, { directory, files, videos, audio, signal }: Proof): Promise<boolean> {
	const [best] = videos
		.filter(({ codecs }) => codecs.startsWith("avc1"))
		.sort((a, b) => b.width * b.height - a.width * a.height);
	const tracks = [
		...(best === undefined ? [] : [`media/${best.name}.mp4`]),
		...(audio === null ? [] : [`media/${audio.name}.m4a`]),
	];
	if (best === undefined || !files.includes("web.mp4") || tracks.some((track) => !files.includes(track))) return false;
	const inputs = ["web.mp4", ...tracks];
	const args = [
		"-nostdin",
		"-v",
		"error",
		...inputs.flatMap((file) => ["-f", "mov", "-i", join(directory, file)]),
		...inputs.flatMap((_, n) => ["-map", String(n)]),
	];
	const { stdout } = await programs.run(
		"ffmpeg",
		[...args, "-c", "copy", "-f", "streamhash", "-hash", "md5", "pipe:1"],
		{ signal, reads: [directory] },
	);
	const hashes = [...stdout.toString("latin1").matchAll(/^\d+,(.*)$/gm)].map(([, hash]) => hash);
	return hashes.length === 2 * tracks.length && tracks.every((_, n) => hashes[n] === hashes[n + tracks.length]);
}

async function proveDecoding(programs: Programs, proof: Proof): Promise<void> {
	const { directory, decoded = [], signal } = proof;
	const left = proof.files.filter((file) => !decoded.includes(file) && /\.(mp4|m4a|jpg)$/.test(file));
	const isKnown = left.includes("web.mp4") && (await holdsTracks(programs, proof));
	await decodeFiles(programs, { directory, files: isKnown ? left.filter((file) => file !== "web.mp4") : left, signal });
}

/**
 * Proves what was made: every file is there and not empty, every picture and sound decodes without a word of complaint
 * (of web.mp4 it is enough that its packets are those of tracks that do), every track and web.mp4 is as long as planned
 * to a tenth of a second, key frames are aligned. That renditions keep to their caps is seen to before (`withinCaps`).
 * Rejects with {@link MediaError} `invalid_media` where the source gave out before its end, with an Error that names
 * the file otherwise.
 */
export async function prove(programs: Programs, plan: EncodePlan, proof: Proof): Promise<Proved> {
	const { directory, files, videos, audio } = proof;
	for (const file of files) {
		const found = await lstat(join(directory, file)).catch(() => null);
		if (!found?.isFile() || found.size === 0) throw new Error(`${file} was not made.`);
	}
	const tracks = [...videos, ...(audio === null ? [] : [audio])];
	const off = proveDurations(plan, [...tracks, ...(await webLengths(programs, proof))]);
	proveAlignment(proof);
	await proveDecoding(programs, proof);
	const target = targetSeconds(tracks);
	return {
		files: files.length,
		duration_off_seconds: Math.round(off * 1000) / 1000,
		key_frames: videos[0]?.segments.length ?? 0,
		tracks: tracks.map((track) => ({
			name: track.name,
			seconds: track.seconds,
			bytes: track.bytes,
			peak_bitrate: peakBandwidth(track, target),
		})),
	};
}

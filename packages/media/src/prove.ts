import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { Encode } from "./encode/encode.ts";
import { MediaError } from "./errors.ts";
import { decodeFiles } from "./mp4/decode-files.ts";
import { plainLengths } from "./mp4/plain-mp4.ts";
import type { Track } from "./mp4/track.ts";
import { peakBandwidth } from "./package/bandwidth.ts";
import { targetSeconds } from "./package/hls.ts";
import type { EncodePlan } from "./plan/encode-plan.ts";

/** What is to be proved of the outputs in an encode's directory. */
export type Proof = {
	/** Paths of all outputs, relative to the directory. */
	readonly files: readonly string[];
	readonly videos: readonly Track[];
	/** The one of web.mp4 first. */
	readonly sounds: readonly Track[];
	/** Those of the files that were proved before, by decoding them or by their packets (default: none). */
	readonly decoded?: readonly string[];
};

/** What was found, for the report. */
export type Proved = {
	readonly files: number;
	/** The largest difference between the length of a track or file and the plan's. */
	readonly duration_off_seconds: number;
	readonly key_frames: number;
	readonly tracks: readonly {
		readonly name: string;
		readonly seconds: number;
		readonly bytes: number;
		readonly peak_bitrate: number;
	}[];
};

/** How much lengths may differ: a frame at the slowest rate. */
const toleranceSeconds = 0.1;

type Length = { readonly name: string; readonly seconds: number };

/** Compares lengths with the plan. ffmpeg ends with code 0 if a source breaks off: only the length shows it. */
function proveDurations(plan: EncodePlan, lengths: readonly Length[]): number {
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

/**
 * Compares the segments of all renditions that are delivered: a player changes renditions between segments. One that is
 * only within web.mp4 may have a key frame more, if it is cut out of a cut.
 */
function proveAlignment({ renditions }: EncodePlan, { videos }: Proof): void {
	const isDelivered = ({ name }: Track) => renditions.find((one) => one.name === name)?.delivered !== false;
	const [first, ...others] = videos.filter(isDelivered);
	for (const track of others) {
		const aligned =
			track.segments.length === first?.segments.length &&
			track.segments.every(
				(segment, n) => Math.abs(segment.startSeconds - (first.segments[n]?.startSeconds ?? Number.NaN)) < 0.001,
			);
		if (!aligned) throw new Error(`The key frames of ${track.name} and ${first?.name} are not aligned.`);
	}
}

/** Reads the length of each stream of web.mp4; none if there is no web.mp4. */
async function webLengths({ directory }: Encode, { files }: Proof): Promise<Length[]> {
	if (!files.includes("web.mp4")) return [];
	const lengths = await plainLengths(join(directory, "web.mp4"));
	return lengths.map((seconds) => ({ name: "web.mp4", seconds }));
}

/** Says whether web.mp4 holds the very packets of tracks that are decoded themselves. */
async function holdsTracks(
	{ programs, directory, signal }: Encode,
	{ files, videos, sounds }: Proof,
): Promise<boolean> {
	const [best] = videos
		.filter(({ codecs }) => codecs.startsWith("avc1"))
		.sort((a, b) => b.width * b.height - a.width * a.height);
	const tracks = [
		...(best === undefined ? [] : [`media/${best.name}.mp4`]),
		...sounds.slice(0, 1).map(({ name }) => `media/${name}.m4a`),
	];
	if (best === undefined || !files.includes("web.mp4") || tracks.some((track) => !files.includes(track))) return false;
	const inputs = ["web.mp4", ...tracks];
	const args = [
		...["-nostdin", "-v", "error", ...inputs.flatMap((file) => ["-f", "mov", "-i", join(directory, file)])],
		...inputs.flatMap((_, n) => ["-map", String(n)]),
		...["-c", "copy", "-f", "streamhash", "-hash", "md5", "pipe:1"],
	];
	const { stdout } = await programs.run("ffmpeg", args, { signal, reads: [directory] });
	const hashes = [...stdout.toString("latin1").matchAll(/^\d+,(.*)$/gm)].map(([, hash]) => hash);
	return hashes.length === 2 * tracks.length && tracks.every((_, n) => hashes[n] === hashes[n + tracks.length]);
}

async function proveDecoding(encode: Encode, proof: Proof): Promise<void> {
	const { files, decoded = [] } = proof;
	const left = files.filter((file) => !decoded.includes(file) && /\.(mp4|m4a|jpg)$/.test(file));
	const isKnown = left.includes("web.mp4") && (await holdsTracks(encode, proof));
	await decodeFiles(encode, isKnown ? left.filter((file) => file !== "web.mp4") : left);
}

/**
 * Proves the outputs: every file is there and is not empty; every picture and sound that was not proved before decodes
 * without a complaint; every track and web.mp4 lasts as long as planned, to a tenth of a second; key frames are
 * aligned. web.mp4 need not decode if it has the packets of tracks that do. `withinCaps` has seen to the bit rates
 * before.
 * @throws {MediaError} `invalid_media` when the outputs end before the source should
 * @throws {Error} when anything else is wrong; the message names the file
 * @throws the signal's reason when aborted
 */
export async function prove(encode: Encode, proof: Proof): Promise<Proved> {
	const { files, videos, sounds } = proof;
	for (const file of files) {
		const found = await lstat(join(encode.directory, file)).catch(() => null);
		if (!found?.isFile() || found.size === 0) throw new Error(`${file} was not made.`);
	}
	const tracks = [...videos, ...sounds];
	const off = proveDurations(encode.plan, [...tracks, ...(await webLengths(encode, proof))]);
	proveAlignment(encode.plan, proof);
	await proveDecoding(encode, proof);
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

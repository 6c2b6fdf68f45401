import { dirname } from "node:path";
import { MediaError } from "../errors.ts";
import { encoderName } from "../hardware/hardware.ts";
import { decodeQuietly } from "../mp4/decode-files.ts";
import { readTrack } from "../mp4/track.ts";
import type { Decision } from "../plan/decision.ts";
import type { EncodePlan, PlannedRendition } from "../plan/encode-plan.ts";
import { perSecond } from "../plan/frame-rate.ts";
import type { Hardware } from "../types.ts";
import { isAboveCap } from "./bitrate-caps.ts";
import type { Encode } from "./encode.ts";
import { type EncodeOptions, encodeTracks, isFullDisk } from "./encode-tracks.ts";

/**
 * Encodes every track of the plan, with the hardware what it can. If the hardware fails, or makes tracks that are not
 * as planned or don't decode, all tracks are encoded again in software, so no rendition is of both. The decisions say
 * which encoder made each rendition, and why the hardware was given up. Without hardware it is `encodeTracks`, and
 * rejects as that does.
 */
export async function encodeByHardware(encode: Encode, options: EncodeOptions = {}): Promise<readonly Decision[]> {
	const { hardware, plan, logger, signal } = encode;
	const renditions = plan.renditions.filter(({ codec }) => hardware?.codecs.includes(codec));
	if (hardware === undefined || renditions.length === 0) return encodeTracks(encode, options);
	const names = [...new Set(renditions.map(({ codec }) => encoderName(hardware.kind, codec)))].join(" and ");
	try {
		const decisions = await encodeTracks(encode, { ...options, hardware });
		await proveTracks(encode, renditions);
		return [...decisions, ...plan.renditions.map((rendition) => encoderOf(rendition, hardware))];
	} catch (error) {
		signal?.throwIfAborted();
		if (isFullDisk(error) || isKnownOfSource(error)) throw error;
		logger?.warn({ err: error, hardware }, "the hardware encoder failed: the video is encoded in software");
		const decisions = await encodeTracks(encode, options);
		const because = `${names} failed: ${reasonOf(error)}`;
		return [...decisions, { about: "encoders", decision: "software after all", because }];
	}
}

/** A program's words name files of this machine, which the owner of the video need not know. The log has them. */
const reasonOf = (error: unknown): string =>
	(error instanceof Error && "ending" in error ? String(error.ending) : String(error)).slice(0, 500);

/**
 * Whether counting shows that the source is at fault. If only what a program says blames the source, the hardware may
 * be at fault, and the software tells.
 */
const isKnownOfSource = (error: unknown): boolean => error instanceof MediaError && error.cause === undefined;

function encoderOf({ name, codec }: PlannedRendition, { kind, codecs }: Hardware): Decision {
	return codecs.includes(codec)
		? { about: name, decision: `encoded by ${encoderName(kind, codec)}`, because: "hardware encoders are switched on" }
		: { about: name, decision: "encoded in software", because: `${encoderName(kind, codec)} does not work here` };
}

/** Proves the tracks that the hardware made: length, key frames, cap, and that they decode. */
async function proveTracks(encode: Encode, renditions: readonly PlannedRendition[]): Promise<void> {
	const { plan, paths } = encode;
	const files = renditions.map((rendition) => ({ path: paths.video(rendition) }));
	for (const rendition of renditions) await proveTrack(plan, rendition, paths.video(rendition));
	await decodeQuietly(encode, files, [...new Set(files.map(({ path }) => dirname(path)))]).catch((cause: unknown) => {
		throw new Error("What it made does not decode.", { cause });
	});
}

async function proveTrack(plan: EncodePlan, rendition: PlannedRendition, path: string): Promise<void> {
	const rate = perSecond(plan.frameRate);
	const track = await readTrack(path, rendition.name);
	const frames = Math.round(track.seconds * rate);
	if (frames !== plan.frames) throw new Error(`${rendition.name} has ${frames} of ${plan.frames} frames.`);
	const isAligned =
		track.segments.length === Math.ceil(plan.frames / plan.gop) &&
		track.segments.every(({ startSeconds }, n) => Math.round(startSeconds * rate) === n * plan.gop);
	if (!isAligned) throw new Error(`The key frames of ${rendition.name} don't come every ${plan.gop} frames.`);
	if (isAboveCap(track, rendition.maxBitrate)) throw new Error(`${rendition.name} is above its cap.`);
}

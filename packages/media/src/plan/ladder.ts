import type { Codec, Speed } from "../types.ts";

/** How an encoder works: its preset, and the quality that it keeps to (CRF). */
export type EncoderSetting = { readonly preset: string; readonly crf: number };

/** How a rung is encoded. `maxBitrate` is for up to 30 frames a second; a faster stream may have half as much again. */
export type Rung = {
	readonly name: string;
	readonly codec: Codec;
	/** The short side of the box: 720 stands for 1280x720. */
	readonly shortSide: number;
	readonly maxBitrate: number;
	/** The setting for each speed of a job. */
	readonly settings: Readonly<Record<Speed, EncoderSetting>>;
};

const h264 = { balanced: { preset: "veryfast", crf: 24 }, fast: { preset: "superfast", crf: 24 } };
const av1 = { balanced: { preset: "10", crf: 35 }, fast: { preset: "12", crf: 31 } };

/**
 * All rungs. A rendition of AV1 is as much like the source as that of H.264 beside it, since players prefer it.
 * docs/measurements/encoding.md has the measurements behind the settings.
 */
export const ladder: readonly Rung[] = [
	{ name: "h264_720", codec: "h264", shortSide: 720, maxBitrate: 3_000_000, settings: h264 },
	{ name: "h264_1080", codec: "h264", shortSide: 1080, maxBitrate: 5_500_000, settings: h264 },
	{ name: "av1_720", codec: "av1", shortSide: 720, maxBitrate: 2_000_000, settings: av1 },
	{ name: "av1_1080", codec: "av1", shortSide: 1080, maxBitrate: 3_500_000, settings: av1 },
];

export const audioSampleRate = 48_000;

/** How many channels an encoded sound has: one, stereo, or 5.1. */
export type Channels = 1 | 2 | 6;

/** Bits per second of AAC, by the number of channels. */
export const audioBitrate: Readonly<Record<Channels, number>> = { 1: 96_000, 2: 128_000, 6: 384_000 };
/** ffmpeg's names of the channels' layouts. */
export const audioLayout: Readonly<Record<Channels, string>> = { 1: "mono", 2: "stereo", 6: "5.1" };

/** The AV1 encoder refuses smaller pictures. */
export const smallestAv1Side = 64;

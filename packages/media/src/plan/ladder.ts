import type { Codec } from "../types.ts";

/** How a rung is encoded. `maxBitrate` is for up to 30 frames a second; a faster stream may have half as much again. */
export type Rung = {
	readonly name: string;
	readonly codec: Codec;
	/** The short side of the box: 720 stands for 1280x720. */
	readonly shortSide: number;
	readonly preset: string;
	readonly crf: number;
	readonly maxBitrate: number;
};

/** All rungs. docs/guides/encoding.md has the measurements behind the settings. */
export const ladder: readonly Rung[] = [
	{ name: "h264_720", codec: "h264", shortSide: 720, preset: "superfast", crf: 24, maxBitrate: 3_000_000 },
	{ name: "h264_1080", codec: "h264", shortSide: 1080, preset: "superfast", crf: 24, maxBitrate: 5_500_000 },
	{ name: "av1_720", codec: "av1", shortSide: 720, preset: "10", crf: 40, maxBitrate: 2_000_000 },
	{ name: "av1_1080", codec: "av1", shortSide: 1080, preset: "10", crf: 40, maxBitrate: 3_500_000 },
];

/** AV1's preset for jobs that ask for speed. H.264 always has the fastest preset that its quality allows. */
export const fastAv1Preset = "12";

export const audioBitrate = 128_000;
export const audioSampleRate = 48_000;
/** The AV1 encoder refuses smaller pictures. */
export const smallestAv1Side = 64;

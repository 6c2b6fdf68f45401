/** The settings that several of Reelmill's programs have, each with the same meaning in all of them. */
import * as values from "./values.ts";

/** The settings of the operations port. */
export const operationsSettings = {
	OPS_PORT: {
		description: "A separate port for /health, /ready and /metrics; 0 takes a free one. Keep it closed to the outside.",
		value: values.integer(0, 65_535),
		shown: "not served",
	},
	OPS_HOST: {
		description: "The address that the operations port listens on.",
		value: values.text,
		fallback: "127.0.0.1",
	},
} as const;

/** The networks to which requests on behalf of tenants may go besides the public ones. */
export const storageAllowCidrs = {
	description:
		"Private addresses that tenants' buckets may have, as CIDRs, comma-separated; the same on servers and transcoders.",
	value: values.list,
	fallback: [],
	shown: "none",
} as const;

/** The settings of a program's workers. */
export const workerSettings = {
	CHUNK_WORKERS: {
		description: "How many workers on different machines may share one video, this one included; 1 shares none.",
		value: values.integer(1, 64),
		fallback: 8,
	},
	FFMPEG: {
		description: "The ffmpeg program of the workers, with libx264, libsvtav1 and zscale.",
		value: values.text,
		fallback: "ffmpeg",
	},
	FFPROBE: { description: "The ffprobe program of the workers.", value: values.text, fallback: "ffprobe" },
	ENCODER: {
		description:
			"What encodes in the workers: software, the hardware of one kind (vaapi, qsv, nvenc or videotoolbox), " +
			"or auto for the first kind that works. What the hardware can't encode is encoded in software.",
		value: values.oneOf("software", "auto", "vaapi", "qsv", "nvenc", "videotoolbox"),
		fallback: "software",
	},
	ENCODER_DEVICE: {
		description: "The device of that hardware: a render node such as /dev/dri/renderD128, or an NVIDIA card's number.",
		value: values.text,
		shown: "the first one that works",
	},
	CONFINEMENT: {
		description:
			"How ffmpeg is kept from files, network and rights that it doesn't need: required refuses the start if any " +
			"part of that fails, preferred does what works here, off does nothing. Sandbox jobs need all of it unless off.",
		value: values.oneOf("required", "preferred", "off"),
		fallback: "preferred",
	},
	WHISPER_MODEL: {
		description: "A Whisper model file in whisper.cpp's format, for the transcripts of the workers.",
		value: values.text,
		shown: "no transcripts",
	},
	TRANSCRIBER: {
		description:
			"A program that makes the transcripts of the workers, in place of a model. It gets the path of a WAV file " +
			"and prints WebVTT or JSON.",
		value: values.text,
		shown: "none",
	},
} as const;

/** The lowest level that a program logs; each has its own default. */
export const logLevel = {
	description: "The lowest level that is logged: debug, info, warn or error.",
	value: values.oneOf("debug", "info", "warn", "error"),
} as const;

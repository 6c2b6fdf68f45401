import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import {
	commandLineNames,
	describeSettings,
	describeTracingSettings,
	readSettings,
	readTracingSettings,
	values,
} from "@reelmill/settings";

const prefix = "REELMILL_";

const table = {
	API_URL: {
		description: "The address by which this program reaches the server.",
		value: values.address,
		fallback: "http://127.0.0.1:8787",
	},
	SERVICE_NAME: { description: "The service account's name.", value: values.text, required: true },
	SERVICE_SECRET: { description: "The service account's secret.", value: values.text, required: true },
	OPS_PORT: {
		description: "A port for /health, /ready and /metrics; 0 takes a free one. Keep it closed to the outside.",
		value: values.integer(0, 65_535),
		shown: "not served",
	},
	OPS_HOST: {
		description: "The address that the operations port listens on.",
		value: values.text,
		fallback: "127.0.0.1",
	},
	WORKDIR: {
		description: "The folder for sources and outputs of running jobs; it needs some gigabytes.",
		value: values.text,
		fallback: join(tmpdir(), "reelmill-transcoder"),
	},
	CONCURRENCY: {
		description: "How many videos are transcoded at once; one keeps all cores busy.",
		value: values.integer(1, 64),
		fallback: 1,
	},
	DRAIN_SECONDS: {
		description:
			"How long running jobs go on after SIGTERM, before they are given back to other workers: up to a day. Give the " +
			"process a few seconds more than that before it is killed.",
		value: values.integer(0, 86_400),
		fallback: 10,
	},
	CHUNK_WORKERS: {
		description: "How many workers on different machines may share one video, this one included; 1 shares none.",
		value: values.integer(1, 64),
		fallback: 8,
	},
	STORAGE_ALLOW_CIDRS: {
		description:
			"Private addresses that tenants' buckets may have, as CIDRs, comma-separated; set it as on the server.",
		value: values.list,
		fallback: [],
		shown: "none",
	},
	FFMPEG: {
		description: "The ffmpeg program, with libx264, libsvtav1 and zscale.",
		value: values.text,
		fallback: "ffmpeg",
	},
	FFPROBE: { description: "The ffprobe program.", value: values.text, fallback: "ffprobe" },
	ENCODER: {
		description:
			"What encodes: software, the hardware of one kind (vaapi, qsv, nvenc or videotoolbox), or auto for " +
			"the first kind that works. What the hardware can't encode is encoded in software.",
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
		description: "A Whisper model file in whisper.cpp's format, for transcripts.",
		value: values.text,
		shown: "no transcripts",
	},
	TRANSCRIBER: {
		description:
			"A program that makes transcripts, in place of a model. It gets the path of a WAV file and prints WebVTT or JSON.",
		value: values.text,
		shown: "none",
	},
	LOG_LEVEL: {
		description: "The lowest level that is logged: debug, info, warn or error.",
		value: values.oneOf("debug", "info", "warn", "error"),
		fallback: "info",
	},
} as const;

/**
 * Reads all settings from the environment.
 *
 * @throws {SettingsError} when a setting is unknown, missing or wrong.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>> = process.env) {
	const settings = readSettings(table, environment, prefix, { ignored: commandLineNames });
	return {
		...settings,
		WORKDIR: resolve(settings.WORKDIR),
		searchPath: environment.PATH,
		tracing: readTracingSettings(environment),
	};
}
export type Config = ReturnType<typeof readConfig>;

export const help = `Reelmill's transcoder: takes jobs from a server and transcodes them.

Usage: reelmill-transcoder [--help | --version]

Settings, from the environment:
${describeSettings(table, prefix)}

Traces, by the variables of OpenTelemetry:
${describeTracingSettings()}`;

import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { commandLineNames, describeSettings, readSettings, values } from "@reelmill/settings";

const prefix = "REELMILL_";

const table = {
	API_URL: {
		description: "Where the server is, as seen from here.",
		value: values.address,
		fallback: "http://127.0.0.1:8787",
	},
	SERVICE_NAME: { description: "The service account's name.", value: values.text, required: true },
	SERVICE_SECRET: { description: "The service account's secret.", value: values.text, required: true },
	WORKDIR: {
		description: "Where sources and outputs of running jobs are kept; room for some gigabytes.",
		value: values.text,
		fallback: join(tmpdir(), "reelmill-transcoder"),
	},
	CONCURRENCY: {
		description: "Videos transcoded at once; one keeps all cores busy.",
		value: values.integer(1, 64),
		fallback: 1,
	},
	CHUNK_WORKERS: {
		description: "Workers on different machines that one video may be spread over, this one included; 1 for none.",
		value: values.integer(1, 64),
		fallback: 8,
	},
	STORAGE_ALLOW_CIDRS: {
		description:
			"Private addresses that tenants' buckets may be at, as CIDRs, comma-separated; the same as the server's.",
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
	CONFINEMENT: {
		description:
			"Whether ffmpeg is kept from files, network and rights that it doesn't need: required refuses the start where that can't be done wholly, preferred does what can be done. Jobs of the sandbox require it, unless this is off.",
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
			"A program that makes transcripts, in place of a model: it is given a WAV file's path and prints WebVTT or JSON.",
		value: values.text,
		shown: "none",
	},
	LOG_LEVEL: {
		description: "The least that is logged: debug, info, warn or error.",
		value: values.oneOf("debug", "info", "warn", "error"),
		fallback: "info",
	},
} as const;

/** Everything that the environment decides. Throws a SettingsError. */
export function readConfig(environment: Readonly<Record<string, string | undefined>> = process.env) {
	const settings = readSettings(table, environment, prefix, { ignored: commandLineNames });
	return { ...settings, WORKDIR: resolve(settings.WORKDIR), searchPath: environment.PATH };
}
export type Config = ReturnType<typeof readConfig>;

export const help = `Reelmill's transcoder: takes jobs from a server, and transcodes them. Settings are read from the environment:

${describeSettings(table, prefix)}`;

import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import {
	commandLineNames,
	describeSettings,
	describeTracingSettings,
	type GivenOptions,
	logLevel,
	operationsSettings,
	readSettings,
	readTracingSettings,
	storageAllowCidrs,
	values,
	workerSettings,
} from "@reelmill/settings";
import type { EndsAfter } from "@reelmill/worker";
import { exitCodes } from "./exit-code.ts";

const prefix = "REELMILL_";

const table = {
	API_URL: {
		description: "The address by which this program reaches the server.",
		value: values.address,
		fallback: "http://127.0.0.1:8787",
	},
	SERVICE_NAME: { description: "The service account's name.", value: values.text, required: true },
	SERVICE_SECRET: { description: "The service account's secret.", value: values.text, required: true },
	...operationsSettings,
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
	KEEP_CHUNKS: {
		description:
			"When a source of 40 s or more is cut and each chunk stored once it is made, so that a machine that goes away " +
			"loses one chunk: after-loss, if the job lost a worker before, or always, for machines that may be taken away.",
		value: values.oneOf("after-loss", "always"),
		fallback: "after-loss",
	},
	...workerSettings,
	STORAGE_ALLOW_CIDRS: storageAllowCidrs,
	LOG_LEVEL: { ...logLevel, fallback: "info" },
} as const;

/** The options by which it ends by itself. */
export const options = {
	once: {
		type: "boolean",
		description: "Does one job and ends, or ends at once if none waits: the same as --max-jobs 1 --idle-seconds 0.",
		value: values.text,
		shown: "off",
	},
	"max-jobs": {
		type: "string",
		description: "How many jobs it does before it ends.",
		value: values.integer(1, 1_000_000),
		shown: "no limit",
	},
	"idle-seconds": {
		type: "string",
		description: "For how many seconds it waits for a job before it ends.",
		value: values.integer(0, 86_400),
		shown: "for as long as it takes",
	},
} as const;

/** Returns when the transcoder is to end by itself; undefined if it runs until it is stopped. */
function readEnd(given: GivenOptions): EndsAfter | undefined {
	const written = Object.entries(given).map(([name, value]) => [`--${name}`, String(value)]);
	const { once, ...read } = readSettings(options, Object.fromEntries(written), "--");
	if (Object.keys(given).length === 0) return undefined;
	const isOnce = once !== undefined;
	return {
		jobs: read["max-jobs"] ?? (isOnce ? 1 : undefined),
		idleSeconds: read["idle-seconds"] ?? (isOnce ? 0 : undefined),
	};
}

/**
 * Reads all settings from the environment, and from the command line when the transcoder is to end by itself.
 *
 * @throws {SettingsError} when a setting is unknown, missing or wrong, or an option is.
 */
export function readConfig(
	given: GivenOptions = {},
	environment: Readonly<Record<string, string | undefined>> = process.env,
) {
	const settings = readSettings(table, environment, prefix, { ignored: commandLineNames });
	return {
		...settings,
		WORKDIR: resolve(settings.WORKDIR),
		searchPath: environment.PATH,
		endsAfter: readEnd(given),
		tracing: readTracingSettings(environment),
	};
}
export type Config = ReturnType<typeof readConfig>;

export const help = `Reelmill's transcoder: takes jobs from a server and transcodes them.

Usage: reelmill-transcoder [--once] [--max-jobs N] [--idle-seconds N]
       reelmill-transcoder --help | --version

It runs until it is stopped, unless an option says when it ends:
${describeSettings(options, "--")}

How it ends, with one of these options:
${exitCodes.map(({ code, meaning }) => `  ${String(code).padEnd(4)}${meaning}`).join("\n")}

Settings, from the environment:
${describeSettings(table, prefix)}

Traces, by the variables of OpenTelemetry:
${describeTracingSettings()}`;

import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import {
	commandLineNames,
	describeSettings,
	describeTracingSettings,
	logLevel,
	operationsSettings,
	readSettings,
	readTracingSettings,
	storageAllowCidrs,
	values,
	workerSettings,
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
	...workerSettings,
	STORAGE_ALLOW_CIDRS: storageAllowCidrs,
	LOG_LEVEL: { ...logLevel, fallback: "info" },
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

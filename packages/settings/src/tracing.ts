import { describeSettings, readSettings, type Settings, SettingsError } from "./settings.ts";
import * as values from "./values.ts";

const prefix = "OTEL_";
const table = {
	EXPORTER_OTLP_ENDPOINT: {
		description:
			"An OpenTelemetry collector, such as http://127.0.0.1:4318, that traces are sent to, as OTLP over HTTP in JSON; " +
			"docs/guides/tracing.md.",
		value: values.address,
		shown: "nothing is traced",
	},
	EXPORTER_OTLP_TRACES_ENDPOINT: {
		description: "The same for traces alone, with its path: http://127.0.0.1:4318/v1/traces.",
		value: values.address,
		shown: "the endpoint and /v1/traces",
	},
	TRACES_SAMPLER: {
		description:
			"Which traces are recorded: always_on, always_off, traceidratio, or one of these after parentbased_, " +
			"which follows what was decided where a trace began.",
		value: values.oneOf(
			"parentbased_always_on",
			"parentbased_always_off",
			"parentbased_traceidratio",
			"always_on",
			"always_off",
			"traceidratio",
		),
		fallback: "parentbased_always_on",
	},
	TRACES_SAMPLER_ARG: {
		description: "The share of traces that a sampler by ratio records, from 0 to 1.",
		value: values.text,
		fallback: "1",
	},
	EXPORTER_OTLP_PROTOCOL: {
		description: "How traces are sent; grpc is refused.",
		value: values.text,
		fallback: "http/json",
	},
	SDK_DISABLED: { description: "true: nothing is traced.", value: values.text, fallback: "false" },
} as const;

/** What OpenTelemetry's variables say of traces. */
export type TracingSettings = {
	readonly sampler: Settings<typeof table>["TRACES_SAMPLER"];
	/** From 0 to 1. */
	readonly ratio: number;
};

/**
 * Reads OpenTelemetry's own variables, those that concern traces. Other programs read more of them, so unknown ones
 * are passed over. Returns `null` if they name no endpoint, or switch the SDK off.
 *
 * @throws {SettingsError} when a value is wrong, or the endpoint takes gRPC alone.
 * @example
 * ```ts
 * import { readTracingSettings } from "@reelmill/settings";
 *
 * console.log(readTracingSettings({})); // => null
 * console.log(readTracingSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318" }));
 * // => { sampler: 'parentbased_always_on', ratio: 1 }
 * ```
 */
export function readTracingSettings(environment: Readonly<Record<string, string | undefined>>): TracingSettings | null {
	const known = Object.keys(table).map((name) => [prefix + name, environment[prefix + name]]);
	const settings = readSettings(table, Object.fromEntries(known), prefix);
	const endpoint = settings.EXPORTER_OTLP_TRACES_ENDPOINT ?? settings.EXPORTER_OTLP_ENDPOINT;
	if (endpoint === undefined || settings.SDK_DISABLED.toLowerCase() === "true") return null;
	if (settings.EXPORTER_OTLP_PROTOCOL === "grpc")
		throw new SettingsError(`${prefix}EXPORTER_OTLP_PROTOCOL must be http/json: name the collector's HTTP port, 4318.`);
	const ratio = Number(settings.TRACES_SAMPLER_ARG);
	if (!(ratio >= 0 && ratio <= 1)) throw new SettingsError(`${prefix}TRACES_SAMPLER_ARG must be a number from 0 to 1.`);
	return { sampler: settings.TRACES_SAMPLER, ratio };
}

/**
 * Returns these variables as lines for --help.
 *
 * @example
 * ```ts
 * import { describeTracingSettings } from "@reelmill/settings";
 *
 * console.log(describeTracingSettings().includes("OTEL_TRACES_SAMPLER")); // => true
 * ```
 */
export const describeTracingSettings = (): string => describeSettings(table, prefix);

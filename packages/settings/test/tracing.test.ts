import { describeTracingSettings, readTracingSettings, SettingsError } from "@reelmill/settings";
import { expect, it } from "vitest";

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318" };
const everything = { sampler: "parentbased_always_on", ratio: 1 };

it.each([
	["no endpoint", {}, null],
	["an empty endpoint", { OTEL_EXPORTER_OTLP_ENDPOINT: "" }, null],
	["an endpoint of logs alone", { OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: "http://127.0.0.1:4318" }, null],
	["an endpoint, with the SDK off", { ...endpoint, OTEL_SDK_DISABLED: "True" }, null],
	["an endpoint", endpoint, everything],
	[
		"an endpoint of traces alone",
		{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://traces.example.com/v1/traces" },
		everything,
	],
	["variables of other programs", { ...endpoint, OTEL_METRICS_EXPORTER: "none", OTEL_WHATEVER: "1" }, everything],
	["the protocol that is spoken", { ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: "http/json" }, everything],
	[
		"a sampler with its argument",
		{ ...endpoint, OTEL_TRACES_SAMPLER: "parentbased_traceidratio", OTEL_TRACES_SAMPLER_ARG: "0.25" },
		{ sampler: "parentbased_traceidratio", ratio: 0.25 },
	],
])("reads %s", (_what, environment, expected) => {
	expect(readTracingSettings(environment)).toEqual(expected);
});

it.each([
	[
		{ OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4317" },
		"OTEL_EXPORTER_OTLP_ENDPOINT must be an http:// or https:// address.",
	],
	[
		{ ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" },
		"OTEL_EXPORTER_OTLP_PROTOCOL must be http/json: name the collector's HTTP port, 4318.",
	],
	[{ ...endpoint, OTEL_TRACES_SAMPLER: "sometimes" }, /^OTEL_TRACES_SAMPLER must be one of parentbased_always_on, /],
	[{ ...endpoint, OTEL_TRACES_SAMPLER_ARG: "half" }, "OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1."],
	[{ ...endpoint, OTEL_TRACES_SAMPLER_ARG: "1.5" }, "OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1."],
])("refuses %j", (environment, message) => {
	const read = () => readTracingSettings(environment);
	expect(read).toThrow(SettingsError);
	expect(read).toThrow(message);
});

it("describes each variable", () => {
	for (const name of [
		"EXPORTER_OTLP_ENDPOINT",
		"EXPORTER_OTLP_TRACES_ENDPOINT",
		"TRACES_SAMPLER",
		"TRACES_SAMPLER_ARG",
	])
		expect(describeTracingSettings()).toContain(`OTEL_${name} (`);
});

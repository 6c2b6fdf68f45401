import type { Sampler } from "@opentelemetry/sdk-trace";

/** The values of OTEL_TRACES_SAMPLER. */
export type SamplerName =
	| "always_on"
	| "always_off"
	| "traceidratio"
	| "parentbased_always_on"
	| "parentbased_always_off"
	| "parentbased_traceidratio";

/** Creates the sampler of this name. */
export function createSampler(
	sdk: typeof import("@opentelemetry/sdk-trace"),
	name: SamplerName,
	ratio: number,
): Sampler {
	if (!(ratio >= 0 && ratio <= 1)) throw new RangeError(`The ratio of traces is from 0 to 1, and not ${ratio}.`);
	const root = name.endsWith("always_on")
		? new sdk.AlwaysOnSampler()
		: name.endsWith("always_off")
			? new sdk.AlwaysOffSampler()
			: new sdk.TraceIdRatioBasedSampler(ratio);
	return name.startsWith("parentbased_") ? new sdk.ParentBasedSampler({ root }) : root;
}

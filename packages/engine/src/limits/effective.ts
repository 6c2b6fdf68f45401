import { type DomainConfig, type LimitsView, limits } from "@reelmill/contracts";

export type Ceilings = { readonly maxFileBytes: number; readonly maxDurationSeconds: number };

/**
 * Returns what a caller may upload: the lower of the domain's limits and the installation's ceilings, and of the
 * sandbox's limits for a sandbox session.
 */
export function effectiveLimits(config: DomainConfig, ceilings: Ceilings, isSandbox: boolean): LimitsView {
	const sandbox = isSandbox ? limits.sandbox : ceilings;
	return {
		max_file_bytes: Math.min(config.max_file_bytes, ceilings.maxFileBytes, sandbox.maxFileBytes),
		max_duration_seconds: Math.min(
			config.max_duration_seconds,
			ceilings.maxDurationSeconds,
			sandbox.maxDurationSeconds,
		),
	};
}

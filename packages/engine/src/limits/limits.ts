import type { LimitsView } from "@reelmill/contracts";
import type { Domains } from "../domains/index.ts";
import type { TenantPrincipal } from "../keys/index.ts";
import { type Ceilings, effectiveLimits } from "./effective.ts";

export type Limits = {
	/**
	 * Returns what this caller may upload.
	 *
	 * @throws {ReelmillError} `domain_not_found`.
	 */
	get(principal: TenantPrincipal): Promise<LimitsView>;
};

export function createLimits({ domains, ...ceilings }: Ceilings & { domains: Domains }): Limits {
	return {
		async get(principal) {
			const { config } = await domains.get(principal.domainId);
			return effectiveLimits(config, ceilings, principal.kind === "sandbox");
		},
	};
}

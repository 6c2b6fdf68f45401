import type { Engine, TenantPrincipal } from "@reelmill/engine";
import type { OpenedEngine } from "../support/open-engine.ts";

export type Tenant = { readonly id: string; readonly principal: TenantPrincipal };

/**
 * Two servers over one PostgreSQL and one disk, and two new tenants on them. Time stands still until it is moved, but
 * the pauses of a waiting lease are real.
 */
export type World = {
	readonly opened: OpenedEngine;
	readonly servers: readonly Engine[];
	readonly tenants: readonly Tenant[];
	/** Upload tokens by video. */
	readonly tokens: Map<string, string>;
};

import type { Audience } from "@reelmill/contracts";

/** The address of each part's document. */
export const documents = {
	tenants: "/v1/openapi.json",
	operators: "/v1/openapi.operators.json",
	workers: "/v1/openapi.workers.json",
	console: "/v1/openapi.console.json",
	all: "/v1/openapi.all.json",
} as const satisfies Record<Audience | "all", string>;

import { type Audience, type Operation, takesSession } from "../operation.ts";

/** Whose document the operations of a plane stand in, if an operation doesn't say otherwise. */
const ofPlane = {
	tenant: "tenants",
	upload: "tenants",
	delivery: "tenants",
	internal: "workers",
	admin: "operators",
	console: "console",
} as const satisfies Record<Exclude<Operation["plane"], "operations">, Audience>;

/**
 * Tells whether an operation stands in an audience's document. That of the console has everything that a session of it
 * may call.
 */
export function isFor(audience: Audience | "all", operation: Operation): boolean {
	if (audience === "all") return true;
	if (operation.audiences !== undefined) return operation.audiences.includes(audience);
	if (operation.plane === "operations") return false;
	return ofPlane[operation.plane] === audience || (audience === "console" && takesSession(operation));
}

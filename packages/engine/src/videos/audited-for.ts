import type { Actor } from "../audit/index.ts";
import type { TenantPrincipal } from "../keys/index.ts";
import type { Step } from "./store.ts";

/**
 * Returns what the audit log is told of a change. It is told nothing of sandbox sessions: no tenant reads their log,
 * and anyone could fill it.
 */
export const auditedFor = (
	{ kind }: TenantPrincipal,
	action: NonNullable<Step["audited"]>["action"],
	by: Actor,
): Pick<Step, "audited"> => (kind === "sandbox" ? {} : { audited: { action, by } });

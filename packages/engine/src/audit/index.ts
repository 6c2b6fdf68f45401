export { type Actor, engineActor } from "./actor.ts";
export { type Audit, type AuditFilter, createAudit } from "./audit.ts";
export { type AuditedChange, auditPart } from "./audit-part.ts";

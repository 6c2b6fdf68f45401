import { type AuditAction, auditActions } from "@reelmill/contracts/audit-actions";

/** What an action did, as a sentence without its full stop. An action of a newer server is shown by its name. */
export const actionWords = (action: string): string =>
	(auditActions[action as AuditAction] ?? action).replace(/\.$/, "");

/** Names of actions for a list to choose from, with what they did. */
export const actionOptions = (
	isShown: (action: AuditAction) => boolean = () => true,
): { value: AuditAction | ""; label: string }[] => [
	{ value: "", label: "All changes" },
	...(Object.keys(auditActions) as AuditAction[])
		.filter(isShown)
		.map((value) => ({ value, label: actionWords(value) })),
];

/** Tells whether an action can concern a domain. */
export const isOfDomain = (action: AuditAction): boolean =>
	!/^(service_account|console|console_account)\./.test(action);

const kinds = { account: "", domain_key: "key ", admin_key: "admin key ", engine: "" } as const;

/** Who made a change: an address, a key by its last characters, the engine itself. */
export const actorWords = ({ kind, label }: { kind: keyof typeof kinds; label: string }): string =>
	label === "operator" ? "the operator" : label === "engine" ? "the server itself" : `${kinds[kind] ?? ""}${label}`;

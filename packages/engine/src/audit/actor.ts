import type { AuditActorKind } from "@reelmill/contracts";

/** Who makes a change, for the audit log. Nothing of it is a secret. */
export type Actor = {
	readonly kind: AuditActorKind;
	/** The id of the account or of the domain key; `null` for others. */
	readonly id: string | null;
	/** The account's e-mail address, `...` and the last four characters of a key, or `engine`. */
	readonly label: string;
	/** The client's address; `null` if there is none. */
	readonly address: string | null;
	/** The id of the request that asks for the change; `null` if there is none. */
	readonly requestId: string | null;
	/**
	 * Whether an account acts as the installation's operator (default: false; an admin key always does). Tenants aren't
	 * told more of an operator than that it was one.
	 */
	readonly isOperator?: boolean;
};

/** The program that runs the engine, for changes that no one asked for over HTTP. */
export const engineActor: Actor = { kind: "engine", id: null, label: "engine", address: null, requestId: null };

import { createHash } from "node:crypto";
import { limits, ReelmillError } from "@reelmill/contracts";
import sql, { type Sql } from "sql-template-tag";
import type { Scope } from "../keys/index.ts";
import type { Clock } from "../ports/index.ts";

/** What a creation may be told besides its input. */
export type CreationOptions = {
	/**
	 * The caller's own name for this one creation (default: none). For 24 hours the same key with the same input returns
	 * what was created, and with another input it is `validation_error`. Keys belong to the domain, or to the sandbox
	 * session. A creation that was refused leaves its key unused.
	 */
	readonly idempotencyKey?: string | undefined;
	/**
	 * The `x-request-id` of the request that asks for it, for the logs of workers and webhooks (default: none). A text
	 * that is none is left out.
	 */
	readonly requestId?: string | null | undefined;
};

/** Whose key it is, and its digest. */
type Key = { readonly owner: string; readonly key: Uint8Array };
/** A creation that may be asked for again: its key, and the digest of what was asked. */
export type Repeatable = Key & { readonly request: Uint8Array };

/** Returns what makes a creation repeatable; `null` if it has no key. */
export function repeatable(
	scope: Scope,
	operation: "createVideo" | "createOutro" | "createImport" | "createClip",
	input: object,
	{ idempotencyKey }: CreationOptions,
): Repeatable | null {
	if (idempotencyKey === undefined) return null;
	const given = Object.entries(input).filter(([, value]) => value !== undefined);
	const request = JSON.stringify([operation, given.toSorted(([one], [other]) => (one < other ? -1 : 1))]);
	return { ...keyOf(scope, idempotencyKey), request: digest(request) };
}

/** Returns the key as rows have it. Only digests are kept: a caller may have put anything into its text. */
export const keyOf = ({ domainId, sessionId }: Scope, idempotencyKey: string): Key => ({
	owner: sessionId ?? domainId,
	key: digest(idempotencyKey),
});

/** Returns the condition under which row `k` of `reelmill.idempotency_keys` is this key's, and not over. */
export const isKept = ({ owner, key }: Key, clock: Clock): Sql =>
	sql`k.owner = ${owner}::uuid and k.key = ${key}::bytea and k.created_at > ${keptSince(clock)}::timestamptz`;

/** Returns the moment before which keys are over. */
export const keptSince = (clock: Clock): Date => new Date(clock.now() - limits.idempotencyKey.seconds * 1000);

/** Makes the error for a key that was used for another request. */
export const keyOfAnother = (): ReelmillError =>
	new ReelmillError("validation_error", {
		message: "Idempotency-Key: it was used for another request within the last 24 hours.",
	});

const digest = (text: string): Uint8Array => createHash("sha256").update(text).digest();

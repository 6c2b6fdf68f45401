import { type DomainKeyList, ReelmillError } from "@reelmill/contracts";
import sql from "sql-template-tag";
import { type Actor, auditPart, engineActor } from "../audit/index.ts";
import type { Keys } from "../keys/index.ts";
import type { Parts } from "../system/index.ts";

export type DomainKeys = {
	/** Returns the keys of the domain that work now, newest first, without their text. */
	listKeys(domainId: string): Promise<DomainKeyList>;
	/**
	 * Ends a key in its grace period at once, on other servers within 2 s.
	 *
	 * @throws {ReelmillError} `not_found` when the domain has no such key, also when the key ended before;
	 * `invalid_state` when it is a current key.
	 */
	endKey(domainId: string, keyId: string, by?: Actor): Promise<void>;
};

type KeyRow = { id: string; last4: string; created_at: Date; expires_at: Date | null };

const isCurrent =
	"This is a current key, and nothing would replace it. Rotate it first; its grace period can be ended.";

export function createDomainKeys(parts: Parts, { keys }: { keys: Keys }): DomainKeys {
	const { database, clock } = parts;
	const ofDomain = (domainId: string) =>
		sql`domain_id = ${domainId} and session_id is null and (expires_at is null or expires_at > ${new Date(clock.now())})`;
	return {
		async listKeys(domainId) {
			const rows = await database.query<KeyRow>(sql`
				select id, last4, created_at, expires_at from reelmill.domain_keys where ${ofDomain(domainId)} order by expires_at desc nulls first, created_at desc, id`);
			return {
				data: rows.map(({ id, last4, created_at, expires_at }) => ({
					id,
					last4,
					created_at: created_at.toISOString(),
					expires_at: expires_at?.toISOString() ?? null,
				})),
			};
		},
		async endKey(domainId, keyId, by = engineActor) {
			const label = sql`(select slug from reelmill.domains where id = ${domainId})`;
			const entry = {
				action: "domain.key_ended",
				resource: { kind: "domain", id: domainId, label },
				domainId,
			} as const;
			const [row] = await database.query<{ ended: boolean }>(sql`
				with asked as (select hash, expires_at from reelmill.domain_keys where id = ${keyId} and ${ofDomain(domainId)} for update),
				gone as (delete from reelmill.domain_keys k using asked where k.hash = asked.hash and asked.expires_at is not null returning k.id),
				${auditPart(parts, by, entry, sql`gone`)}
				select exists (select from gone) as ended from asked`);
			if (row === undefined) throw new ReelmillError("not_found", { message: "No such key." });
			if (!row.ended) throw new ReelmillError("invalid_state", { message: isCurrent });
			keys.forgetAll();
		},
	};
}

import { limits, ReelmillError } from "@reelmill/contracts";
import sql from "sql-template-tag";
import { type Actor, auditPart } from "../audit/index.ts";
import { createBriefCache } from "../caches/index.ts";
import { deleteInBatches } from "../retention/index.ts";
import type { Parts } from "../system/index.ts";

export type Revocations = {
	/**
	 * Revokes every key of this viewer that was minted before, and returns the time. A second call revokes the keys that
	 * were minted in between as well.
	 *
	 * @throws {ReelmillError} `playback_revocation_limit` when the domain has revocations of 1000 other viewers, exactly,
	 * even if many are made at once; `domain_not_found`.
	 */
	revoke(domainId: string, viewerRef: string, by: Actor): Promise<Date>;
	/**
	 * Returns the position of this viewer's revocation among all mintings and revocations, 0 if there is none, and the
	 * domain's epoch of that moment: a new epoch takes the place of the revocations before it. The answer may be 2 s old.
	 */
	of(domainId: string, viewerRef: string): Promise<{ readonly order: number; readonly epoch: number }>;
	/** Deletes revocations that are older than any valid key. */
	reap(): Promise<void>;
};

const stalenessMilliseconds = 2000;

export function createRevocations(parts: Parts): Revocations {
	const { database, clock } = parts;
	const cache = createBriefCache<{ order: number; epoch: number }>({
		clock,
		max: 10_000,
		milliseconds: stalenessMilliseconds,
	});

	return {
		async revoke(domainId, viewerRef, by) {
			const resource = { kind: "viewer", id: viewerRef } as const;
			const entry = { action: "playback_keys.revoked", resource, domainId } as const;
			const now = new Date(clock.now());
			const [row] = await database.query<{ outcome: "revoked" | "playback_revocation_limit" | "domain_not_found" }>(sql`
				with revoked as materialized (
					select reelmill.revoke_viewer(${domainId}::uuid, ${viewerRef}::text, ${now}::timestamptz, ${limits.revocationsPerDomain}::integer) as outcome),
				${auditPart(parts, by, entry, sql`revoked where outcome = 'revoked'`)}
				select outcome from revoked`);
			const outcome = row?.outcome ?? "domain_not_found";
			if (outcome !== "revoked") throw new ReelmillError(outcome);
			return now;
		},
		of: (domainId, viewerRef) =>
			cache.get(`${domainId}/${viewerRef}`, async () => {
				const [row] = await database.query<{ order: number | null; epoch: number }>(sql`
					select r.revoked_order as "order", d.playback_epoch as epoch from reelmill.domains d
					left join reelmill.playback_revocations r on r.domain_id = d.id and r.viewer_ref = ${viewerRef} where d.id = ${domainId}`);
				return { order: row?.order ?? 0, epoch: row?.epoch ?? 0 };
			}),
		async reap() {
			const oldest = new Date(clock.now() - limits.playbackKeySeconds.max * 1000);
			await deleteInBatches(database, sql`reelmill.playback_revocations`, sql`revoked_at <= ${oldest}`);
		},
	};
}

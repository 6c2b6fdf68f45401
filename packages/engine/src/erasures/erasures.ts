import type { CreateErasure, Erasure } from "@reelmill/contracts";
import sql, { empty, type Sql } from "sql-template-tag";
import { type Actor, auditPart, engineActor } from "../audit/index.ts";
import { type Chores, eachApart, whenDue } from "../background/index.ts";
import type { TenantPrincipal } from "../keys/index.ts";
import type { Parts } from "../system/index.ts";
import { type AfterChange, type DigestUploader, removal, undeletableStates, type VideoStore } from "../videos/index.ts";

/** Erases what the service knows of a person who uploaded. */
export type Erasures = {
	/**
	 * Forgets the name, the references, the titles and the values of an uploader in all videos of the domain, in one
	 * statement, and in clips and videos of imports that were begun before. Deletes those that may be deleted: a hundred before it
	 * resolves, the others with the next sweeps. Throttle and hourly limit still count them. A second call finds what was
	 * uploaded since. The audit log tells of it without the name.
	 */
	create(principal: TenantPrincipal, input: CreateErasure, by?: Actor): Promise<Erasure>;
};

type Erased = Erasure & { readonly imports: number };

const batch = 100;
const task = "eraseVideos";

export function createErasures(
	parts: Parts,
	{
		store,
		digestUploader,
		afterChange,
	}: { store: VideoStore; digestUploader: DigestUploader; afterChange: AfterChange },
): Erasures & { readonly chores: Chores } {
	const { database, clock, random, logger } = parts;
	const mayGo = sql`deleted_at is null and state not in ('expired', 'cancelled')`;
	/** Names are forgotten first, so those that are left to be deleted are those without a name. */
	const isLeft = sql`uploader_digest is not null and ${mayGo}`;

	const removeSome = async (ofDomain: Sql): Promise<void> => {
		const left = await database.query<{ id: string }>(
			sql`select id from reelmill.videos where ${isLeft} and ${ofDomain} limit ${batch}`,
		);
		await eachApart(left, { logger, task }, async ({ id }) => {
			const saved = await store.change(id, (record) =>
				(undeletableStates as readonly string[]).includes(record.state) ? null : removal(record, new Date(clock.now())),
			);
			if (saved !== null) await afterChange(saved);
		});
	};

	return {
		async create({ domainId }, { uploader_ref }, by = engineActor) {
			const [digest] = digestUploader(domainId, uploader_ref);
			const entry = {
				action: "uploader.erased",
				resource: {
					kind: "domain",
					id: domainId,
					label: sql`(select slug from reelmill.domains where id = ${domainId})`,
				},
				domainId,
			} as const;
			const forget = async (audited: Sql) => {
				const [counts] = await database.query<Erased>(sql`
					with named as materialized (
						select id, ${mayGo} as may_go from reelmill.videos where domain_id = ${domainId} and uploader_ref = ${uploader_ref} order by id for update),
					forgotten as (
						update reelmill.videos v set uploader_ref = null, external_ref = null, uploader_digest = ${digest}, version = v.version + 1
						from named where v.id = named.id returning v.id, named.may_go),
					untitled as (delete from reelmill.video_titles where video_id in (select id from forgotten)),
					unset as (delete from reelmill.video_values where video_id in (select id from forgotten)),
					repeated as (
						update reelmill.idempotency_keys k set record = k.record || ${{ uploader_ref: null, external_ref: null }}::jsonb
						where k.owner = ${domainId} and k.record ->> 'uploader_ref' = ${uploader_ref} returning k.key),
					imported as (delete from reelmill.imports where domain_id = ${domainId} and input ->> 'uploader_ref' = ${uploader_ref} returning id)
					${audited}
					select count(*) filter (where may_go)::integer as deleted, count(*) filter (where not may_go)::integer as forgotten, (select count(*) from imported)::integer as imports from forgotten`);
				return counts ?? { deleted: 0, forgotten: 0, imports: 0 };
			};
			let found = await forget(sql`, ${auditPart({ clock, random }, by, entry, sql`forgotten`)}`);
			const all = { deleted: found.deleted, forgotten: found.forgotten };
			// What was begun of such a video or import before is there by now, and no statement sees what came while it waited.
			while (found.deleted + found.forgotten + found.imports > 0) {
				found = await forget(empty);
				all.deleted += found.deleted;
				all.forgotten += found.forgotten;
			}
			await removeSome(sql`domain_id = ${domainId}`);
			return all;
		},
		chores: {
			eraseVideos: whenDue(
				() => sql`exists (select from reelmill.videos where ${isLeft})`,
				() => removeSome(sql`true`),
			),
		},
	};
}

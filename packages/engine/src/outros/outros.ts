import {
	type AuditAction,
	type CreatedOutro,
	type CreateOutro,
	type JobPlan,
	type Outro,
	ReelmillError,
} from "@reelmill/contracts";
import sql, { type Sql } from "sql-template-tag";
import { type Actor, auditPart, engineActor } from "../audit/index.ts";
import { type Chores, eachApart } from "../background/index.ts";
import type { Domains } from "../domains/index.ts";
import { type CreationOptions, repeatable } from "../idempotency/index.ts";
import type { TenantPrincipal } from "../keys/index.ts";
import { type Ceilings, effectiveLimits } from "../limits/index.ts";
import type { Stores } from "../storage/index.ts";
import type { Parts } from "../system/index.ts";
import {
	type AfterChange,
	checkDeclaration,
	type FindReserved,
	newRecord,
	type Reserve,
	type Reserved,
	removal,
	type VideoStore,
} from "../videos/index.ts";
import type { Windows } from "../windows.ts";
import { readPreview } from "./preview.ts";
import { viewOutro } from "./view.ts";

export type Outros = {
	/**
	 * Initiates the upload of an outro, and returns a tus ticket for it. If the slug is in use, the outro is replaced:
	 * the present asset is used until the new one is available, and an asset that isn't available yet is cancelled.
	 * Called again with the same `idempotencyKey`, also at once, it creates nothing and returns the same.
	 *
	 * @throws {ReelmillError} In this order: `validation_error` for another request's key, `invalid_content_type`,
	 * `file_too_large`, `duration_too_long`, `upload_quota_exceeded`, `storage_quota_exceeded`, `outro_limit_reached`,
	 * `storage_unavailable`.
	 */
	create(principal: TenantPrincipal, input: CreateOutro, by?: Actor, options?: CreationOptions): Promise<CreatedOutro>;
	/** Returns one outro per slug, newest asset first. A domain has at most 50. */
	list(principal: TenantPrincipal): Promise<Outro[]>;
	/**
	 * Returns the outro of this slug.
	 *
	 * @throws {ReelmillError} `outro_not_found`, also when the slug is another tenant's.
	 */
	get(principal: TenantPrincipal, slug: string): Promise<Outro>;
	/**
	 * Returns the asset that new videos get, whole, as MP4.
	 *
	 * @throws {ReelmillError} `outro_not_found`; `outro_not_ready` when no asset is usable, or it is larger than 64 MiB;
	 * `storage_backend_unsupported` when its storage returns no bytes; `storage_unavailable` when the bytes aren't those
	 * that were stored.
	 */
	preview(principal: TenantPrincipal, slug: string): Promise<Uint8Array<ArrayBuffer>>;
	/**
	 * Frees the slug, deletes everything that was stored under it and cancels what is in progress. If it was the domain's
	 * default, the domain has none afterwards. Unfinished videos that pinned it are made without an outro.
	 *
	 * @throws {ReelmillError} `outro_not_found`, also when it was deleted before.
	 */
	delete(principal: TenantPrincipal, slug: string, by?: Actor): Promise<void>;
};

/** The outros, with what the engine's background does for them. */
export type OutrosNoun = Outros & { readonly chores: Chores };

export type OutrosOptions = {
	readonly store: VideoStore;
	readonly stores: Stores;
	readonly domains: Domains;
	readonly reserve: Reserve;
	readonly findReserved: FindReserved;
	readonly ceilings: Ceilings;
	readonly windows: Pick<Windows, "pendingUpload">;
	readonly afterChange: AfterChange;
	/** The same for changes that a sweep makes. */
	readonly afterSweep: AfterChange;
};

type Row = Omit<Parameters<typeof viewOutro>[0]["asset"], "id"> & {
	slug: string;
	label: string | null;
	id: string;
	serving_id: string | null;
};

const plan: JobPlan = {
	renditions: [],
	outputs: { hls: false, dash: false, mp4_fallback: false, og_thumbnail: false },
	transcript: false,
	moderation_frames: false,
	watermark: false,
	outro_id: null,
};
const batch = 100;
const isSlug = (text: string): boolean => /^[a-z0-9][a-z0-9_-]{0,63}$/.test(text);

export function createOutros(parts: Parts, options: OutrosOptions): OutrosNoun {
	const { database, clock, logger } = parts;
	const { store, stores, domains, reserve, findReserved, ceilings, windows, afterChange, afterSweep } = options;

	const read = async ({ domainId }: TenantPrincipal, condition: Sql): Promise<Outro[]> => {
		const rows = await database.query<Row>(sql`
			select o.slug, o.label, o.serving_id, v.id, v.state, v.failure_reason, v.content_type, v.file_size, v.duration_seconds, v.width, v.height,
				v.created_at, v.updated_at
			from reelmill.outros o join reelmill.videos v on v.id = o.asset_id
			where o.domain_id = ${domainId} and ${condition} order by o.created_at desc, o.slug`);
		return rows.map(({ slug, label, serving_id, ...asset }) => viewOutro({ slug, label, serving_id, asset }));
	};
	const get = async (principal: TenantPrincipal, slug: string): Promise<Outro> => {
		const [outro] = isSlug(slug) ? await read(principal, sql`o.slug = ${slug}`) : [];
		if (outro === undefined) throw new ReelmillError("outro_not_found");
		return outro;
	};
	const remove = async (id: string, after: AfterChange): Promise<void> => {
		const saved = await store.change(id, (record) => removal(record, new Date(clock.now())));
		if (saved !== null) await after(saved);
	};

	const entryOf = (action: AuditAction, { domainId }: TenantPrincipal, slug: string) =>
		({ action, resource: { kind: "outro", id: slug }, domainId }) as const;

	return {
		async create(principal, input, by = engineActor, creation = {}) {
			const { slug, label, ...declaration } = input;
			const created = ({ record: asset, servingId, upload }: Reserved): CreatedOutro => ({
				outro: viewOutro({ slug, label: label ?? null, serving_id: servingId, asset }),
				upload,
			});
			const asked = repeatable(principal, "createOutro", input, creation);
			const before = await findReserved(asked);
			if (before !== null) return created(before);
			const { config } = await domains.get(principal.domainId);
			const allowed = effectiveLimits(config, ceilings, false);
			checkDeclaration(declaration, allowed);
			const asset = newRecord(declaration, {
				...parts,
				pendingUploadSeconds: windows.pendingUpload,
				domainId: principal.domainId,
				requestId: by.requestId,
				plan,
				maxDurationSeconds: allowed.max_duration_seconds,
			});
			const rules = { outro_slug: slug, ...(label !== undefined && { label }) };
			const audited = entryOf("outro.created", principal, slug);
			const reserved = await reserve({ ...asset, kind: "outro" }, rules, {
				parts: (took) => [auditPart(parts, by, audited, took)],
				repeatable: asked,
			});
			if (reserved.supersededId !== null) await remove(reserved.supersededId, afterChange);
			return created(reserved);
		},
		list: (principal) => read(principal, sql`true`),
		get,
		async preview(principal, slug) {
			const { serving_outro_id: id } = await get(principal, slug);
			return readPreview(parts, { record: id === null ? null : await store.find(id), stores });
		},
		async delete(principal, slug, by = engineActor) {
			if (!isSlug(slug)) throw new ReelmillError("outro_not_found");
			const [gone] = await database.query<{ asset_id: string; serving_id: string | null }>(sql`
				with gone as materialized (select * from reelmill.delete_outro(${principal.domainId}::uuid, ${slug}::text)),
				${auditPart(parts, by, entryOf("outro.deleted", principal, slug), sql`gone`)}
				select * from gone`);
			if (gone === undefined) throw new ReelmillError("outro_not_found");
			const ids = new Set([gone.asset_id, gone.serving_id].filter((id) => id !== null));
			for (const id of ids) await remove(id, afterChange);
		},
		chores: { removeSupersededOutros },
	};

	/** Removes assets that no slug names any more, as soon as no unfinished video needs them. */
	async function removeSupersededOutros(): Promise<void> {
		const superseded = await database.query<{ id: string }>(sql`
				select v.id from reelmill.videos v
				where v.kind = 'outro' and v.deleted_at is null
					and not exists (select from reelmill.outros o where o.domain_id = v.domain_id and v.id in (o.asset_id, o.serving_id))
					and not exists (select from reelmill.videos p
						where p.outro_id = v.id and p.deleted_at is null and p.state in ('pending_upload', 'uploaded', 'queued', 'locked', 'encoding'))
				limit ${batch}`);
		await eachApart(superseded, { logger, task: "removeSupersededOutros" }, ({ id }) => remove(id, afterSweep));
	}
}

import {
	type CreateImport,
	type Import,
	type ImportStatus,
	isUuidV4,
	limits,
	ReelmillError,
} from "@reelmill/contracts";
import sql, { empty } from "sql-template-tag";
import { type Actor, auditPart, engineActor } from "../audit/index.ts";
import type { Loop, Pulse } from "../background/index.ts";
import type { PageRequest, Pages } from "../cursors/index.ts";
import type { Domains } from "../domains/index.ts";
import { type CreationOptions, keptSince, keyOfAnother, repeatable } from "../idempotency/index.ts";
import type { TenantPrincipal } from "../keys/index.ts";
import { type Ceilings, effectiveLimits } from "../limits/index.ts";
import type { ImportSource } from "../ports/index.ts";
import type { Sealer } from "../secrets/index.ts";
import type { Parts } from "../system/index.ts";
import type { Uploads } from "../uploads/index.ts";
import { type AfterChange, checkDeclaration, type VideoStore, type Videos } from "../videos/index.ts";
import type { Windows } from "../windows.ts";
import { createDownloads } from "./downloads.ts";
import { newImport, type ShownImport, shownAddress, viewImport } from "./row.ts";
import { createImportRows } from "./rows.ts";

export type ImportPage = { data: Import[]; next_cursor: string | null };

/** Videos that the service fetches from addresses. */
export type Imports = {
	/**
	 * Notes that a video is to be fetched, and returns the import before anything is asked of the origin. Called again
	 * with the same `idempotencyKey`, also at once, it creates nothing and returns the import as it stands.
	 *
	 * @throws {ReelmillError} in this order: `imports_unavailable` without a source; `sandbox_not_allowed`;
	 * `validation_error` for an address that can't be fetched from; `invalid_content_type`, `file_too_large` and
	 * `duration_too_long` for what was declared; `validation_error` for another request's key; `import_limit_reached`.
	 */
	create(principal: TenantPrincipal, input: CreateImport, by?: Actor, options?: CreationOptions): Promise<Import>;
	/**
	 * Lists the domain's imports, newest first.
	 *
	 * @throws {ReelmillError} `invalid_cursor`; `validation_error` for a limit that is not from 1 to 100.
	 */
	list(
		principal: TenantPrincipal,
		request: PageRequest & { readonly status?: ImportStatus | undefined },
	): Promise<ImportPage>;
	/**
	 * Returns the import.
	 *
	 * @throws {ReelmillError} `import_not_found`, for another tenant's import too.
	 */
	get(principal: TenantPrincipal, id: string): Promise<Import>;
	/**
	 * Ends the import. A video that only waits for it is cancelled; the download stops within a few seconds, on whichever
	 * server it runs. An import that has ended stays as it is.
	 *
	 * @throws {ReelmillError} `import_not_found`, for another tenant's import too.
	 */
	cancel(principal: TenantPrincipal, id: string, by?: Actor): Promise<void>;
};

/** The imports, with what fetches them. */
export type ImportsNoun = Imports & {
	readonly loop: Loop;
	/** Fetches all that is due now. */
	drain(): Promise<void>;
	/** Resolves when nothing is fetched any more. */
	stop(): Promise<void>;
};

export type ImportsOptions = {
	/** Undefined if nothing can be fetched. */
	readonly source: ImportSource | undefined;
	readonly atOnce: number;
	readonly domains: Domains;
	readonly store: VideoStore;
	readonly uploads: Uploads;
	readonly createVideo: Videos["create"];
	readonly sealer: Sealer;
	readonly pages: Pages;
	readonly pulse: Pulse;
	readonly ceilings: Ceilings;
	readonly windows: Pick<Windows, "pendingUpload" | "importSilence">;
	readonly afterChange: AfterChange;
};

export function createImports(parts: Parts, options: ImportsOptions): ImportsNoun {
	const { database, clock, random } = parts;
	const { source, domains, sealer, pages, ceilings, windows } = options;
	const rows = createImportRows(parts, { pendingUploadSeconds: windows.pendingUpload });
	const unavailable: ImportSource = {
		open: async () => Promise.reject(new ReelmillError("imports_unavailable")),
		refusal: () => null,
		close: async () => undefined,
	};
	const downloads = createDownloads(parts, {
		...options,
		source: source ?? unavailable,
		atOnce: source === undefined ? 0 : options.atOnce,
		rows,
		silenceSeconds: windows.importSilence,
	});

	const shown = sql`select i.*, (select t.title from reelmill.video_titles t where t.video_id = i.video_id) as title from reelmill.imports i`;
	const find = async ({ domainId }: TenantPrincipal, id: string): Promise<ShownImport> => {
		const [row] = isUuidV4(id)
			? await database.query<ShownImport>(sql`${shown} where i.id = ${id} and i.domain_id = ${domainId}`)
			: [];
		if (row === undefined) throw new ReelmillError("import_not_found");
		return row;
	};

	return {
		...downloads,
		async create(principal, { url, ...input }, by = engineActor, creation = {}) {
			if (source === undefined) throw new ReelmillError("imports_unavailable");
			if (principal.kind === "sandbox") throw new ReelmillError("sandbox_not_allowed");
			const refusal = source.refusal(url);
			if (refusal !== null) throw new ReelmillError("validation_error", { message: `url: ${refusal}` });
			const { config } = await domains.get(principal.domainId);
			const declared = { ...input, content_type: input.content_type ?? "video/mp4", file_size: input.file_size ?? 1 };
			checkDeclaration(declared, effectiveLimits(config, ceilings, false));
			const asked = repeatable(principal, "createImport", { url, ...input }, creation);
			const now = new Date(clock.now());
			const wanted = newImport(
				{
					id: random.uuid(),
					domain_id: principal.domainId,
					url: sealer.seal(url),
					shown_url: shownAddress(url),
					input,
					request_id: creation.requestId ?? null,
				},
				now,
			);
			const entry = {
				action: "import.created",
				resource: { kind: "import", id: wanted.id },
				domainId: principal.domainId,
			} as const;
			const [outcome] = await database.query<{ fault: string | null; id: string | null }>(sql`
				with created as materialized (
					select * from reelmill.create_import(${wanted}::jsonb, ${limits.imports.underWay}::integer, ${now}::timestamptz,
						${asked?.key ?? null}::bytea, ${asked?.request ?? null}::bytea, ${keptSince(clock)}::timestamptz)),
				${auditPart(parts, by, entry, sql`created where id = ${wanted.id}`)}
				select * from created`);
			if (outcome?.fault === "key_of_another") throw keyOfAnother();
			if (outcome?.fault) throw new ReelmillError(outcome.fault as "unauthorized" | "import_limit_reached");
			if (outcome?.id !== wanted.id) return viewImport(await find(principal, outcome?.id ?? ""));
			downloads.loop.wake();
			return viewImport(wanted);
		},
		async list(principal, { status, ...request }) {
			const listing = { route: "listImports", scope: principal, filter: status ?? null } as const;
			const { rows: found, nextCursor } = await pages.read(listing, request, (keyset) =>
				database.query<ShownImport>(sql`
					${shown} where i.domain_id = ${principal.domainId}
					${status === undefined ? empty : sql`and i.status = ${status}`} ${keyset}`),
			);
			return { data: found.map(viewImport), next_cursor: nextCursor };
		},
		get: async (principal, id) => viewImport(await find(principal, id)),
		async cancel(principal, id, by = engineActor) {
			const before = await find(principal, id);
			const entry = {
				action: "import.cancelled",
				resource: { kind: "import", id },
				domainId: principal.domainId,
			} as const;
			const now = new Date(clock.now());
			const [gone] = await database.query<{ video_id: string | null }>(sql`
				with gone as (
					update reelmill.imports set status = 'cancelled', url = null, run = null, failure_code = null, failure_message = null, updated_at = ${now}, ended_at = ${now}
					where id = ${id} and domain_id = ${principal.domainId} and ended_at is null returning video_id),
				${auditPart(parts, by, entry, sql`gone`)}
				select * from gone`);
			downloads.forget(id);
			// A call before this one may have been broken off between the two.
			const videoId = (gone ?? before).video_id;
			if (videoId !== null) await downloads.abandon(videoId);
		},
	};
}

import { type CreatedVideo, type CreateVideo, type DomainConfig, type JobPlan, limits, ReelmillError } from "@reelmill/contracts";
import sql, { type Sql } from "sql-template-tag";
import type { Domains } from "../domains/index.ts";
import type { TenantPrincipal } from "../keys/index.ts";
import type { Clock, Database, Random } from "../ports/index.ts";
import type { TokenFamily } from "../secrets/index.ts";
import type { VideoRecord } from "./record.ts";
import { viewVideo } from "./view.ts";

/** What an upload token says: the one asset that may be uploaded with it. */
export type UploadClaims = { readonly sub: string; readonly domain: string };

export type InitiateOptions = {
	readonly database: Database;
	readonly clock: Clock;
	readonly random: Random;
	readonly domains: Domains;
	readonly uploadTokens: TokenFamily<UploadClaims>;
	readonly baseUrl: string;
	readonly pendingUploadSeconds: number;
	readonly maxFileBytes: number;
	readonly maxDurationSeconds: number;
};

const dayMilliseconds = 86_400_000;

/**
 * POST /v1/videos. The checks come in the specification's order: content type, size, duration, pending slot, expired-upload throttle, outro.
 * Slot and row are one statement: under any concurrency no uploader has more pending uploads than its domain allows.
 */
export function createInitiate(options: InitiateOptions) {
	const { database, clock, random, domains, baseUrl } = options;

	return async function initiate(principal: TenantPrincipal, input: CreateVideo): Promise<CreatedVideo> {
		const { config } = await domains.get(principal.domainId);
		checkDeclaration(input, config, options);
		const now = new Date(clock.now());
		const outroFault = outroError(input, config);
		if (outroFault !== null) {
			await refuseUploader(principal.domainId, input.uploader_ref ?? null, config, now);
			throw outroFault;
		}
		const record = newRecord(principal.domainId, input, config, now, options, random);
		for (let attempt = 0; attempt < 5; attempt++) {
			if (await insert(record, config, now)) {
				const { token, expiresAt } = await options.uploadTokens.sign({ sub: record.id, domain: record.domain_id }, options.pendingUploadSeconds);
				return {
					video: viewVideo(record, baseUrl),
					upload: {
						protocol: "tus",
						endpoint: `${baseUrl}/uploads`,
						token,
						token_type: "Bearer",
						expires_at: expiresAt.toISOString(),
						metadata: { video_id: record.id },
					},
				};
			}
			await refuseUploader(record.domain_id, record.uploader_ref, config, now);
		}
		throw new ReelmillError("internal_error", { message: "the uploader's slot changed too often" });
	};

	async function insert(record: VideoRecord, config: DomainConfig, now: Date): Promise<boolean> {
		const row = sql`
			select ${record.id}::uuid, ${record.domain_id}::uuid, 'pending_upload', ${record.visibility}::text, ${record.content_type}::text, ${record.file_size}::bigint,
				${record.duration_seconds}::double precision, ${record.external_ref}::text, ${record.uploader_ref}::text, ${record.plan}::jsonb, ${record.max_duration_seconds}::integer,
				${record.transcript_status}::text, ${now}::timestamptz, ${now}::timestamptz, ${record.expires_at}::timestamptz`;
		const into = sql`insert into reelmill.videos
			(id, domain_id, state, visibility, content_type, file_size, duration_seconds, external_ref, uploader_ref, plan, max_duration_seconds, transcript_status, created_at, updated_at, expires_at)`;
		if (record.uploader_ref === null) return (await database.query(sql`${into} ${row} returning id`)).length > 0;
		const inserted = await database.query(sql`
			with slot as (
				insert into reelmill.uploader_slots as s (domain_id, uploader_ref, pending)
				select ${record.domain_id}::uuid, ${record.uploader_ref}::text, 1
				where (${expiredCount(record.domain_id, record.uploader_ref, now)}) < ${limits.incompleteUploadsPerDay}::integer
				on conflict (domain_id, uploader_ref) do update set pending = s.pending + 1 where s.pending < ${config.max_concurrent_pending_per_uploader}::integer
				returning pending)
			${into} ${row} from slot returning id`);
		return inserted.length > 0;
	}

	/** Throws what stands against this uploader, if anything does: first the pending slot, then the throttle. */
	async function refuseUploader(domainId: string, uploaderRef: string | null, config: DomainConfig, now: Date): Promise<void> {
		if (uploaderRef === null) return;
		const pending = await database.query<{ id: string }>(sql`
			select id from reelmill.videos where domain_id = ${domainId} and uploader_ref = ${uploaderRef} and state = 'pending_upload' order by created_at desc`);
		const newest = pending[0];
		if (newest && pending.length >= config.max_concurrent_pending_per_uploader) {
			throw new ReelmillError("concurrent_upload_exists", { extras: { existing_video_id: newest.id } });
		}
		const expired = await database.query<{ updated_at: Date }>(sql`
			select updated_at from reelmill.videos where domain_id = ${domainId} and uploader_ref = ${uploaderRef} and state = 'expired'
				and updated_at > ${new Date(now.getTime() - dayMilliseconds)} order by updated_at desc limit ${limits.incompleteUploadsPerDay}`);
		const oldestThatCounts = expired[limits.incompleteUploadsPerDay - 1];
		if (oldestThatCounts) {
			throw new ReelmillError("too_many_incomplete_uploads", {
				extras: { retryAfter: new Date(oldestThatCounts.updated_at.getTime() + dayMilliseconds).toISOString() },
			});
		}
	}
}

const expiredCount = (domainId: string, uploaderRef: string, now: Date): Sql => sql`
	select count(*) from reelmill.videos where domain_id = ${domainId} and uploader_ref = ${uploaderRef} and state = 'expired'
		and updated_at > ${new Date(now.getTime() - dayMilliseconds)}`;

function checkDeclaration(input: CreateVideo, config: DomainConfig, ceilings: { maxFileBytes: number; maxDurationSeconds: number }): void {
	if (!/^video\/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]*(\s*;.*)?$/.test(input.content_type)) throw new ReelmillError("invalid_content_type");
	const bytes = Math.min(config.max_file_bytes, ceilings.maxFileBytes);
	if (input.file_size > bytes) throw new ReelmillError("file_too_large", { message: `file_size is over the ${bytes} bytes allowed.` });
	const seconds = Math.min(config.max_duration_seconds, ceilings.maxDurationSeconds);
	if ((input.duration_seconds ?? 0) > seconds) throw new ReelmillError("duration_too_long", { message: `duration_seconds is over the ${seconds} allowed.` });
}

/** No outro exists until the outro operations are served, so any slug asked for is one that no outro answers to. */
function outroError(input: CreateVideo, config: DomainConfig): ReelmillError | null {
	const slug = input.outro_slug === undefined ? config.default_outro_slug : input.outro_slug;
	return slug === null ? null : new ReelmillError("outro_not_found", { message: `No outro answers to the slug ${slug}.` });
}

function newRecord(domainId: string, input: CreateVideo, config: DomainConfig, now: Date, options: InitiateOptions, random: Random): VideoRecord {
	const transcript = input.transcript ?? config.transcript;
	const plan: JobPlan = {
		renditions: config.renditions,
		outputs: config.outputs,
		transcript,
		moderation_frames: config.moderation_frames,
		watermark: false,
		outro_id: null,
	};
	return {
		id: random.uuid(),
		domain_id: domainId,
		session_id: null,
		state: "pending_upload",
		version: 1,
		visibility: input.visibility ?? config.default_visibility,
		content_type: input.content_type,
		file_size: input.file_size,
		duration_seconds: input.duration_seconds ?? null,
		width: null,
		height: null,
		external_ref: input.external_ref ?? null,
		uploader_ref: input.uploader_ref ?? null,
		outro_id: null,
		plan,
		max_duration_seconds: Math.min(config.max_duration_seconds, options.maxDurationSeconds),
		transcript_status: transcript ? "pending" : "disabled",
		language: null,
		outputs: null,
		report: null,
		failure_reason: null,
		created_at: now,
		updated_at: now,
		expires_at: new Date(now.getTime() + options.pendingUploadSeconds * 1000),
		uploaded_at: null,
		available_at: null,
		deleted_at: null,
		job: null,
	};
}

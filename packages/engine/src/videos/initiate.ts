import { type CreatedVideo, type CreateVideo, type DomainConfig, type JobPlan, type LimitsView, limits, ReelmillError, rateLimits } from "@reelmill/contracts";
import sql from "sql-template-tag";
import type { Domains } from "../domains/index.ts";
import type { TenantPrincipal } from "../keys/index.ts";
import { effectiveLimits } from "../limits/index.ts";
import type { Clock, Database, Random } from "../ports/index.ts";
import type { TokenFamily } from "../secrets/index.ts";
import type { VideoRecord } from "./record.ts";
import { type FileUrl, viewVideo } from "./view.ts";

/** What an upload token says: the one asset that may be uploaded with it. */
export type UploadClaims = { readonly sub: string; readonly domain: string };

export type InitiateOptions = {
	readonly database: Database;
	readonly clock: Clock;
	readonly random: Random;
	readonly domains: Domains;
	readonly uploadTokens: TokenFamily<UploadClaims>;
	readonly baseUrl: string;
	readonly fileUrl: FileUrl;
	/** Whether a storage profile that its last use found broken works again. */
	readonly storageWorks: (profileId: string) => Promise<boolean>;
	readonly pendingUploadSeconds: number;
	readonly maxFileBytes: number;
	readonly maxDurationSeconds: number;
	/** Bytes that all domains together may upload in one UTC day; null for any number. */
	readonly instanceDailyBytes: number | null;
};

type Fault =
	| "unauthorized"
	| "upload_quota_exceeded"
	| "storage_quota_exceeded"
	| "concurrent_upload_exists"
	| "too_many_incomplete_uploads"
	| "outro_not_found"
	| "rate_limited"
	| "storage_unavailable";
type Outcome = {
	readonly fault: Fault | null;
	readonly existing_video_id: string | null;
	readonly retry_at: Date | null;
	readonly storage_profile_id: string | null;
};

/**
 * POST /v1/videos. The checks come in the specification's order: content type, size, duration; then, in one statement over the domain's locked row, quotas,
 * pending slot, expired-upload throttle, outro, the hourly limit and the storage, and the reservation with the new row. Under any concurrency none of them is overshot.
 */
export function createInitiate(options: InitiateOptions) {
	const { database, clock, domains, baseUrl } = options;

	return async function initiate(principal: TenantPrincipal, input: CreateVideo): Promise<CreatedVideo> {
		const isSandbox = principal.kind === "sandbox";
		if (isSandbox && (input.visibility !== undefined || input.outro_slug !== undefined)) throw new ReelmillError("sandbox_not_allowed");
		const { config } = await domains.get(principal.domainId);
		const allowed = effectiveLimits(config, options, isSandbox);
		checkDeclaration(input, allowed);
		const now = new Date(clock.now());
		const record = newRecord(principal, input, config, now, { ...options, maxDurationSeconds: allowed.max_duration_seconds });
		const rules = {
			max_pending: config.max_concurrent_pending_per_uploader,
			max_expired: limits.incompleteUploadsPerDay,
			max_hourly: rateLimits.initiate.limit,
			max_of_session: limits.sandbox.videos,
			instance_daily_bytes: options.instanceDailyBytes,
		};
		const { job, public_place, ...row } = record;
		const save = async (storageWorks: string | null): Promise<Outcome | undefined> => {
			const [outcome] = await database.query<Outcome>(
				sql`select * from reelmill.initiate_video(${row}::jsonb, ${{ ...rules, storage_works: storageWorks }}::jsonb, ${outroFault(input, config)}::text, ${now}::timestamptz)`,
			);
			return outcome;
		};
		let outcome = await save(null);
		if (outcome?.fault === "storage_unavailable" && outcome.storage_profile_id !== null && (await options.storageWorks(outcome.storage_profile_id))) {
			outcome = await save(outcome.storage_profile_id);
		}
		if (outcome?.fault) throw errorOf(outcome.fault, outcome, input, config);
		const { token, expiresAt } = await options.uploadTokens.sign({ sub: record.id, domain: record.domain_id }, options.pendingUploadSeconds);
		return {
			video: viewVideo(record, options.fileUrl),
			upload: {
				protocol: "tus",
				endpoint: `${baseUrl}/uploads`,
				token,
				token_type: "Bearer",
				expires_at: expiresAt.toISOString(),
				metadata: { video_id: record.id },
			},
		};
	};
}

function errorOf(fault: Fault, { existing_video_id, retry_at }: Outcome, input: CreateVideo, config: DomainConfig): ReelmillError {
	const retryAfter = retry_at?.toISOString() ?? "";
	switch (fault) {
		case "concurrent_upload_exists":
			return new ReelmillError(fault, { extras: { existing_video_id: existing_video_id ?? "" } });
		case "upload_quota_exceeded":
		case "too_many_incomplete_uploads":
		case "rate_limited":
			return new ReelmillError(fault, { extras: { retryAfter } });
		case "outro_not_found":
			return new ReelmillError(fault, { message: `No outro answers to the slug ${outroSlug(input, config)}.` });
		default:
			return new ReelmillError(fault);
	}
}

function checkDeclaration(input: CreateVideo, allowed: LimitsView): void {
	if (!/^video\/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]*(\s*;.*)?$/.test(input.content_type)) throw new ReelmillError("invalid_content_type");
	const { max_file_bytes: bytes, max_duration_seconds: seconds } = allowed;
	if (input.file_size > bytes) throw new ReelmillError("file_too_large", { message: `file_size is over the ${bytes} bytes allowed.` });
	if ((input.duration_seconds ?? 0) > seconds) throw new ReelmillError("duration_too_long", { message: `duration_seconds is over the ${seconds} allowed.` });
}

const outroSlug = (input: CreateVideo, config: DomainConfig): string | null => (input.outro_slug === undefined ? config.default_outro_slug : input.outro_slug);

/** No outro exists until the outro operations are served, so any slug asked for is one that no outro answers to. */
const outroFault = (input: CreateVideo, config: DomainConfig): Fault | null => (outroSlug(input, config) === null ? null : "outro_not_found");

function newRecord(principal: TenantPrincipal, input: CreateVideo, config: DomainConfig, now: Date, options: InitiateOptions): VideoRecord {
	const transcript = input.transcript ?? config.transcript;
	const plan: JobPlan = {
		renditions: config.renditions,
		outputs: config.outputs,
		transcript,
		moderation_frames: config.moderation_frames,
		watermark: principal.kind === "sandbox",
		outro_id: null,
	};
	return {
		id: options.random.uuid(),
		domain_id: principal.domainId,
		session_id: principal.sessionId,
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
		max_duration_seconds: options.maxDurationSeconds,
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
		storage_profile_id: null,
		public_place: null,
		job: null,
	};
}

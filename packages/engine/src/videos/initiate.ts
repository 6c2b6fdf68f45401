import {
	type CreatedVideo,
	type CreateVideo,
	type JobPlan,
	type LimitsView,
	ReelmillError,
	requestIdPattern,
} from "@reelmill/contracts";
import { takenContainers } from "@reelmill/contracts/containers";
import { type Domains, noOutput } from "../domains/index.ts";
import { type CreationOptions, repeatable } from "../idempotency/index.ts";
import type { TenantPrincipal } from "../keys/index.ts";
import { type Ceilings, effectiveLimits } from "../limits/index.ts";
import type { Clock, Random, Tracer } from "../ports/index.ts";
import type { VideoRecord } from "./record.ts";
import type { FindReserved, Reserve, Reserved, ReserveTerms } from "./reserve.ts";
import { type FileUrl, viewVideo } from "./view.ts";

export type InitiateOptions = Ceilings & {
	readonly clock: Clock;
	readonly random: Random;
	readonly tracer?: Tracer | undefined;
	readonly domains: Domains;
	readonly fileUrl: FileUrl;
	readonly reserve: Reserve;
	readonly findReserved: FindReserved;
	readonly pendingUploadSeconds: number;
};

/**
 * Creates the operation POST /v1/videos. Its checks come in the specification's order: content type, size, duration;
 * then those of the reservation. What its key created before is returned without any check.
 */
export function createInitiate(options: InitiateOptions) {
	const { domains, reserve, findReserved } = options;
	const created = ({ record, upload }: Reserved): CreatedVideo => ({
		video: viewVideo(record, options.fileUrl),
		upload,
	});

	return async function initiate(
		principal: TenantPrincipal,
		input: CreateVideo,
		{ madeOf, ...creation }: CreationOptions & Pick<ReserveTerms, "madeOf"> = {},
	): Promise<CreatedVideo> {
		const asked = repeatable(principal, "createVideo", input, creation);
		const before = await findReserved(asked);
		if (before !== null) return created(before);
		const isSandbox = principal.kind === "sandbox";
		if (isSandbox && (input.visibility !== undefined || input.outro_slug !== undefined))
			throw new ReelmillError("sandbox_not_allowed");
		const { config } = await domains.get(principal.domainId);
		if (!Object.values(config.outputs).includes(true)) throw noOutput();
		const allowed = effectiveLimits(config, options, isSandbox);
		checkDeclaration(input, allowed);
		const transcript = input.transcript ?? config.transcript;
		const plan: JobPlan = {
			renditions: config.renditions,
			outputs: config.outputs,
			transcript,
			moderation_frames: config.moderation_frames,
			watermark: isSandbox,
			outro_id: null,
		};
		const wanted: VideoRecord = {
			...newRecord(input, {
				...options,
				domainId: principal.domainId,
				requestId: creation.requestId,
				plan,
				maxDurationSeconds: allowed.max_duration_seconds,
			}),
			session_id: principal.sessionId,
			visibility: input.visibility ?? config.default_visibility,
			external_ref: input.external_ref ?? null,
			uploader_ref: input.uploader_ref ?? null,
			transcript_status: transcript ? "pending" : "disabled",
		};
		const rules = {
			max_pending: config.max_concurrent_pending_per_uploader,
			...(input.outro_slug !== undefined && { outro_slug: input.outro_slug }),
		};
		return created(await reserve(wanted, rules, { repeatable: asked, ...(madeOf && { madeOf }) }));
	};
}

export type Initiate = ReturnType<typeof createInitiate>;

/** What is declared of an upload before it comes. */
export type Declaration = {
	readonly content_type: string;
	readonly file_size: number;
	readonly duration_seconds?: number | undefined;
};

/**
 * Runs the checks 1 to 3.
 *
 * @throws {ReelmillError} `invalid_content_type`, `file_too_large` or `duration_too_long`.
 */
export function checkDeclaration(input: Declaration, allowed: LimitsView): void {
	if (!/^video\/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]*(\s*;.*)?$/i.test(input.content_type))
		throw new ReelmillError("invalid_content_type", {
			message: `content_type must be a video/* MIME type. These containers can be taken: ${takenContainers}.`,
		});
	const { max_file_bytes: bytes, max_duration_seconds: seconds } = allowed;
	if (input.file_size > bytes)
		throw new ReelmillError("file_too_large", { message: `file_size is over the ${bytes} bytes allowed.` });
	if ((input.duration_seconds ?? 0) > seconds)
		throw new ReelmillError("duration_too_long", { message: `duration_seconds is over the ${seconds} allowed.` });
}

type Beginnings = {
	readonly clock: Clock;
	readonly random: Random;
	readonly tracer?: Tracer | undefined;
	readonly pendingUploadSeconds: number;
	readonly domainId: string;
	readonly requestId?: string | null | undefined;
	readonly plan: JobPlan;
	readonly maxDurationSeconds: number;
};

/** Type and subtype mean the same in upper and lower case, and are kept in lower case. Parameters stay as they came. */
const canonical = (contentType: string): string => contentType.replace(/^[^;]*/, (type) => type.toLowerCase());

/** Returns an asset as it is before anything of it was uploaded. */
export function newRecord(
	input: Declaration,
	{ clock, random, tracer, pendingUploadSeconds, domainId, requestId, plan, maxDurationSeconds }: Beginnings,
): VideoRecord {
	const now = clock.now();
	return {
		id: random.uuid(),
		kind: "video",
		domain_id: domainId,
		session_id: null,
		state: "pending_upload",
		version: 1,
		visibility: "private",
		content_type: canonical(input.content_type),
		file_size: input.file_size,
		duration_seconds: input.duration_seconds ?? null,
		width: null,
		height: null,
		external_ref: null,
		uploader_ref: null,
		outro_id: null,
		plan,
		max_duration_seconds: maxDurationSeconds,
		transcript_status: "disabled",
		language: null,
		outputs: null,
		report: null,
		failure_reason: null,
		progress: 0,
		created_at: new Date(now),
		updated_at: new Date(now),
		expires_at: new Date(now + pendingUploadSeconds * 1000),
		first_byte_at: null,
		uploaded_at: null,
		available_at: null,
		deleted_at: null,
		moves: [],
		storage_profile_id: null,
		public_place: null,
		traceparent: tracer?.current() ?? null,
		request_id: requestId != null && requestIdPattern.test(requestId) ? requestId : null,
		job: null,
	};
}

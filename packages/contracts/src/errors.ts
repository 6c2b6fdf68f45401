import type { ErrorExtras } from "./error-extras.ts";

type Row = {
	readonly status: number;
	/**
	 * Whether the same call can succeed later. It is false for quota codes: the caller decides whether to wait for them.
	 */
	readonly retryable: boolean;
	readonly message: string;
};

/**
 * Every failure that the product can report. HTTP, OpenAPI, the SDKs and the docs read this table. This file imports
 * nothing at run time.
 */
export const errors = {
	unauthorized: {
		status: 401,
		retryable: false,
		message: "The key or token is missing, wrong, or not for this call.",
	},
	forbidden: {
		status: 403,
		retryable: false,
		message: "This key or token may not do this.",
	},
	invalid_credentials: { status: 401, retryable: false, message: "The service account's name or secret is wrong." },
	name_already_exists: { status: 409, retryable: false, message: "Another service account has this name." },
	service_account_not_found: { status: 404, retryable: false, message: "No such service account." },
	service_account_revoked: {
		status: 422,
		retryable: false,
		message: "The service account is revoked and cannot be rotated.",
	},
	invalid_content_type: { status: 400, retryable: false, message: "content_type must be a video/* MIME type." },
	file_too_large: { status: 400, retryable: false, message: "file_size exceeds the largest file allowed." },
	duration_too_long: {
		status: 400,
		retryable: false,
		message: "duration_seconds exceeds the longest duration allowed.",
	},
	concurrent_upload_exists: {
		status: 409,
		retryable: false,
		message: "Another upload of this uploader is still pending.",
	},
	too_many_incomplete_uploads: {
		status: 429,
		retryable: false,
		message: "Too many uploads of this uploader expired within 24 hours.",
	},
	missing_video_id: { status: 400, retryable: false, message: "Upload-Metadata has no video_id." },
	size_mismatch: { status: 400, retryable: false, message: "The upload's length differs from the declared file_size." },
	upload_not_pending: { status: 409, retryable: false, message: "The upload is no longer pending." },
	video_not_found: { status: 404, retryable: false, message: "No such video." },
	invalid_state: { status: 409, retryable: false, message: "This is not possible in the present state." },
	video_not_deletable: { status: 422, retryable: false, message: "A video in this state cannot be deleted." },
	video_not_claimable: { status: 409, retryable: false, message: "The video is not waiting for a worker." },
	not_lock_holder: { status: 403, retryable: false, message: "Another worker holds this job's lock." },
	invalid_video_state: { status: 409, retryable: false, message: "No worker holds this job." },
	invalid_video_id: { status: 400, retryable: false, message: "The id is not a UUIDv4." },
	file_not_found: { status: 404, retryable: false, message: "The raw upload is gone." },
	invalid_path: { status: 400, retryable: false, message: "The delivery path is not valid." },
	upload_quota_exceeded: { status: 429, retryable: false, message: "The daily upload quota is used up." },
	storage_quota_exceeded: { status: 429, retryable: false, message: "The storage quota is used up." },
	invalid_cursor: { status: 400, retryable: false, message: "The cursor is not from this list." },
	slug_already_exists: { status: 409, retryable: false, message: "The slug is taken." },
	domain_not_found: { status: 404, retryable: false, message: "No such domain." },
	validation_error: { status: 400, retryable: false, message: "A field of the request is missing, wrong or unknown." },
	bad_request: { status: 400, retryable: false, message: "The request is malformed." },
	internal_error: { status: 500, retryable: true, message: "Something went wrong in the service." },
	invalid_zip_entry: { status: 400, retryable: false, message: "The archive has an entry that is not allowed." },
	zip_too_large: { status: 413, retryable: false, message: "The archive's contents exceed the limit." },
	storage_backend_unsupported: {
		status: 501,
		retryable: false,
		message: "Nothing can be downloaded from this video's storage.",
	},
	delivery_not_found: { status: 404, retryable: false, message: "No such webhook delivery." },
	rate_limited: { status: 429, retryable: true, message: "Too many requests." },
	sandbox_domain_protected: { status: 409, retryable: false, message: "The sandbox domain cannot be deleted." },
	sandbox_not_allowed: { status: 403, retryable: false, message: "A sandbox session may not do this." },
	csrf_check_failed: { status: 403, retryable: false, message: "The x-service-console header is missing." },
	domain_not_selected: { status: 400, retryable: false, message: "The x-service-domain header is missing." },
	not_found: { status: 404, retryable: false, message: "There is nothing at this path, or not for this key." },
	account_disabled: { status: 403, retryable: false, message: "The account was disabled by an operator." },
	oauth_failed: { status: 400, retryable: false, message: "Signing in with the identity provider failed." },
	invalid_secret: { status: 401, retryable: false, message: "The console secret is wrong." },
	storage_unavailable: { status: 503, retryable: true, message: "The storage can't be reached, or refuses." },
	storage_verification_failed: {
		status: 400,
		retryable: false,
		message: "The storage did not pass the check. Nothing was saved.",
	},
	outputs_incomplete: { status: 409, retryable: false, message: "Declared output files are missing." },
	playback_key_required: { status: 401, retryable: false, message: "A playback key is required." },
	playback_key_invalid: { status: 401, retryable: false, message: "The playback key is not valid for this video." },
	playback_revocation_limit: {
		status: 409,
		retryable: false,
		message: "The domain has as many revocations of single viewers as it may. Revoke all keys instead.",
	},
	outro_not_found: { status: 404, retryable: false, message: "No such outro." },
	outro_not_ready: { status: 409, retryable: false, message: "No version of the outro is ready." },
	outro_limit_reached: { status: 409, retryable: false, message: "The domain has as many outros as it may." },
	import_not_found: { status: 404, retryable: false, message: "No such import." },
	import_limit_reached: {
		status: 409,
		retryable: false,
		message: "The domain has as many imports under way as it may. Wait until some have ended.",
	},
	imports_unavailable: { status: 501, retryable: false, message: "This installation fetches nothing from addresses." },
} as const satisfies Record<string, Row>;

/**
 * The message of `internal_error` with status 503: the database, a disk of the server or its file descriptors are
 * missing for a while.
 */
export const internalUnavailable = "Something that the service needs can't be reached or is full. Try again.";

/** A code of the catalogue of errors: what a program decides by. */
export type ErrorCode = keyof typeof errors;

/** The fields of an answer with this code, besides `error` and `message`. */
export type Extras<C extends ErrorCode> = C extends keyof ErrorExtras ? ErrorExtras[C] : Record<never, never>;

const brand = Symbol.for("reelmill.error");

/**
 * A failure with a code of the catalogue. The engine and the SDKs throw it. Branch on `code`; `message` is for people.
 * `extras` are the other fields of the error body, for example `existing_video_id`.
 * @example
 * ```ts
 * import { ReelmillError } from "@reelmill/contracts/errors";
 *
 * const error = new ReelmillError("rate_limited", { extras: { retryAfter: "2026-01-31T12:00:00.000Z" } });
 * console.log(error.status, error.extras.retryAfter); // => 429 2026-01-31T12:00:00.000Z
 * ```
 */
export class ReelmillError<C extends ErrorCode = ErrorCode> extends Error {
	override readonly name = "ReelmillError";
	readonly code: C;
	/**
	 * The code as the answer had it. `code` is `internal_error` for one that this version doesn't know: a server may be
	 * newer than its clients. It is undefined if the answer had no code, such as a proxy's page.
	 */
	readonly rawCode: string | undefined;
	readonly extras: Extras<C>;
	/**
	 * The status of the answer. It is the catalogue's, unless tus or HTTP ask for a status that has no code of its own.
	 */
	readonly status: number;
	/** The answer's `x-request-id`; undefined if the error did not come over HTTP. */
	readonly requestId: string | undefined;
	constructor(
		code: C,
		options: {
			message?: string;
			extras?: Extras<C>;
			status?: number;
			requestId?: string;
			/** The code as the answer had it (default: the code). */
			rawCode?: string | undefined;
			cause?: unknown;
		} = {},
	) {
		super(options.message ?? errors[code].message, options.cause === undefined ? undefined : { cause: options.cause });
		this.code = code;
		this.rawCode = "rawCode" in options ? options.rawCode : code;
		this.extras = options.extras ?? ({} as Extras<C>);
		this.status = options.status ?? errors[code].status;
		this.requestId = options.requestId;
		Object.defineProperty(this, brand, { value: true });
	}
}

/**
 * Tells whether a value is a {@link ReelmillError}, and one with this `code` if a code is given. Unlike `instanceof`,
 * it recognises errors of another copy of this package.
 * @example
 * ```ts
 * import { isReelmillError, ReelmillError } from "@reelmill/contracts/errors";
 *
 * const error: unknown = new ReelmillError("video_not_found");
 * console.log(isReelmillError(error, "video_not_found"), isReelmillError(error, "rate_limited")); // => true false
 * ```
 */
export function isReelmillError<C extends ErrorCode = ErrorCode>(value: unknown, code?: C): value is ReelmillError<C> {
	return (
		typeof value === "object" &&
		value !== null &&
		brand in value &&
		(code === undefined || (value as unknown as ReelmillError).code === code)
	);
}

import {
	type ImportFailureCode,
	importFailures,
	isReelmillError,
	limits,
	type ReelmillError,
} from "@reelmill/contracts";
import { isImportSourceError } from "../ports/index.ts";
import type { ImportRow } from "./row.ts";

/** What an attempt came to. `later` has a reason but where the server stops. */
export type Outcome =
	| { readonly kind: "done" | "cancelled" | "lost" }
	| { readonly kind: "failed"; readonly code: string; readonly message: string }
	| {
			readonly kind: "later";
			readonly reason: { readonly code: string; readonly message: string } | null;
			readonly at: number;
			/** Failures since the last byte came. */
			readonly attempts: number;
	  };

/** No later attempt helps. */
export class ImportFailure extends Error {
	readonly code: ImportFailureCode | ReelmillError["code"];
	constructor(code: ImportFailureCode | ReelmillError["code"], message?: string) {
		super(message ?? importFailures[code as ImportFailureCode]);
		this.code = code;
	}
}
/** Another run has this import by now, or it has ended. */
export class ImportLost extends Error {}

const firstRetryMilliseconds = 5000;
const lastRetryMilliseconds = 900_000;
/** How long a limit that names no moment is waited for: a pending slot, an outro on its way, a storage. */
const unknownWaitMilliseconds = 60_000;
const longestOriginsWaitMilliseconds = 3_600_000;
const waitedFor: readonly string[] = [
	"concurrent_upload_exists",
	"outro_not_ready",
	"storage_unavailable",
	// Another request has the upload, or had it meanwhile.
	"bad_request",
];

/**
 * Decides what follows from an attempt that ended with `error`. Limits that free again are waited for; failures of the
 * way are tried again, in growing intervals.
 */
export function outcomeOf(
	error: unknown,
	{ attempts, now, progressed }: Pick<ImportRow, "attempts"> & { now: number; progressed: boolean },
): Outcome {
	if (error instanceof ImportLost) return { kind: "lost" };
	if (error instanceof ImportFailure) return { kind: "failed", code: error.code, message: error.message };
	if (isReelmillError(error) && error.code !== "internal_error") return ofRefusal(error, { attempts, now });
	const { code, message, isFinal, retryAfterSeconds } = isImportSourceError(error)
		? error
		: {
				code: "internal_error",
				message: "Something went wrong in the service.",
				isFinal: false,
				retryAfterSeconds: null,
			};
	const failures = progressed ? 1 : attempts + 1;
	if (isFinal || failures >= limits.imports.attempts) return { kind: "failed", code, message };
	const growing = Math.min(firstRetryMilliseconds * 2 ** (failures - 1), lastRetryMilliseconds);
	const asked = Math.min((retryAfterSeconds ?? 0) * 1000, longestOriginsWaitMilliseconds);
	return { kind: "later", reason: { code, message }, at: now + Math.max(growing, asked), attempts: failures };
}

function ofRefusal(error: ReelmillError, { attempts, now }: { attempts: number; now: number }): Outcome {
	const { code, message } = error;
	if (code === "upload_not_pending") return ofEndedUpload(error);
	const { retryAfter } = error.extras as { retryAfter?: string };
	const at = retryAfter === undefined ? Number.NaN : Date.parse(retryAfter);
	if (Number.isFinite(at)) return { kind: "later", reason: { code, message }, at: Math.max(at, now), attempts };
	if (waitedFor.includes(code))
		return { kind: "later", reason: { code, message }, at: now + unknownWaitMilliseconds, attempts };
	return { kind: "failed", code, message };
}

/** The upload has ended without this run: by its last byte, by its tenant, or by time. */
function ofEndedUpload(error: ReelmillError): Outcome {
	const { upload_complete: isComplete, upload_end: end } = error.extras as {
		upload_complete?: boolean;
		upload_end?: string;
	};
	if (isComplete) return { kind: "done" };
	if (end === "cancelled") return { kind: "cancelled" };
	return end === "expired"
		? { kind: "failed", code: "upload_expired", message: importFailures.upload_expired }
		: { kind: "failed", code: error.code, message: error.message };
}

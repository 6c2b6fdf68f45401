import * as z from "zod";
import { type ErrorExtras, uploadEnds } from "../error-extras.ts";
import { type ErrorCode, errors } from "../errors.ts";
import { Id, Timestamp } from "./common.ts";
import { StorageCheck, StorageStep } from "./storage.ts";

const retryAfter = Timestamp.meta({
	description:
		"The first moment at which a retry of this request can succeed. Absent from a quota code where no retry can.",
});

/** The schemas of the extra fields, by code. */
export const errorExtras = {
	concurrent_upload_exists: z.object({
		existing_video_id: Id.meta({ description: "The video whose upload is pending." }),
	}),
	rate_limited: z.object({ retryAfter }),
	upload_quota_exceeded: z.object({ retryAfter: retryAfter.optional() }),
	too_many_incomplete_uploads: z.object({ retryAfter: retryAfter.optional() }),
	upload_not_pending: z.object({
		upload_complete: z.boolean().optional().meta({
			description:
				"Whether every byte has arrived and been kept: only then is the upload a success. The header `Upload-Complete` says the same.",
		}),
		upload_end: z.enum(uploadEnds).optional().meta({
			description:
				"How the upload ended: `finished` with every byte; `cancelled`, deleted or replaced by another one; `expired`, where its window closed before every byte had arrived; `refused`, where its first bytes were of no video; `lost`, where the storage lost what had arrived. The header `Upload-End` says the same.",
		}),
	}),
	outputs_incomplete: z.object({
		missing: z.array(z.string()).meta({ description: "The files that are missing, empty or of another size." }),
	}),
	storage_verification_failed: z.object({
		step: StorageStep.meta({ description: "The step that failed." }),
		checks: z.array(StorageCheck).meta({ description: "Every step of the check, with how it went." }),
		provider_said: z.string().nullable().meta({
			description:
				"The provider's own name of the error, and the status of its answer, such as `AccessDenied (HTTP 403)`; null if it gave none.",
		}),
		advice: z.array(z.string()).meta({ description: "What to look at and change, the likeliest first, for people." }),
	}),
} as const satisfies { [C in keyof ErrorExtras]: z.ZodType<ErrorExtras[C]> };

/** Every error code. */
export const errorCodes = Object.keys(errors) as [ErrorCode, ...ErrorCode[]];

/** The body of every error. Branch on `error`; `message` is for people, and names the field of a validation_error. */
export const ErrorBody = z.object({
	error: z.enum(errorCodes),
	message: z.string(),
	...errorExtras.concurrent_upload_exists.partial().shape,
	...errorExtras.rate_limited.partial().shape,
	...errorExtras.upload_not_pending.shape,
	...errorExtras.outputs_incomplete.partial().shape,
	...errorExtras.storage_verification_failed.partial().shape,
});
export type ErrorBody = z.infer<typeof ErrorBody>;

import * as z from "zod";
import { defineOperation } from "../operation.ts";
import { Id, IdText, idForm } from "../resources/common.ts";
import {
	Chunks,
	ClaimByIdRequest,
	ClaimRequest,
	CompleteRequest,
	FailRequest,
	Heartbeat,
	HeartbeatRequest,
	Job,
	JobState,
	NextChunkRequest,
	OfferChunksRequest,
	OfferedChunks,
	OutputPath,
	OutputUrls,
	OutputUrlsRequest,
	ServiceToken,
	ServiceTokenRequest,
} from "../resources/job.ts";
import { JobQueue } from "../resources/queue.ts";
import { Range } from "./file-headers.ts";

const Lock = Id.meta({
	description: "The fencing token of the attempt, as the claim answered it.",
	examples: ["0d9b5c1a-3e2f-4a6b-9c8d-7e6f5a4b3c21"],
});
const ofJob = {
	plane: "internal",
	tag: "Jobs",
	auth: "service",
	params: z.strictObject({
		id: IdText.meta({
			description: "The job's id: that of the video, the outro asset or the chunk; of a transcript its video's.",
			examples: ["5f0f8a7e-9d0e-4c4f-8f0a-6a1d3c2b1e10"],
			...idForm,
		}),
	}),
} as const;
/** The errors for a worker that does not hold the job's lock. */
const fenced = ["invalid_video_id", "video_not_found", "not_lock_holder", "invalid_video_state"] as const;
/** How a worker gets a file: with the media type that the upload declared. */
const fileOrAddress = {
	headers: z.object({ Range }),
	success: { status: 200, content: "video/*", says: "The whole file, in the media type that its upload declared." },
	alternatives: [
		{ status: 206, description: "The range asked for, under the headers of 200." },
		{
			status: 302,
			description:
				"A presigned URL in Location; `Reelmill-Storage-Owner` says who named the place, `platform` or `tenant`.",
		},
		{ status: 416, description: "`bad_request`: the range lies outside the file." },
	],
} as const;

export const issueServiceToken = defineOperation({
	method: "POST",
	path: "/internal/v1/token",
	plane: "internal",
	tag: "Jobs",
	summary: "Exchange a service account's secret for a token",
	description:
		"The token is good for 1 hour. An unknown name, a wrong secret and a revoked account are told apart by nothing. Ten requests per IP in 10 minutes; in networks that the operator names as those of workers, 2000 per account. A request that carries a valid token of the account, as `Authorization: Bearer`, from half of its life on renews it, and is not counted.",
	auth: "none",
	body: ServiceTokenRequest,
	success: { status: 200, body: ServiceToken },
	errors: ["invalid_credentials", "rate_limited"],
});

export const getJobQueue = defineOperation({
	method: "GET",
	path: "/internal/v1/queue",
	plane: "internal",
	tag: "Jobs",
	summary: "Read how much waits and runs, by kind",
	description:
		"For a scheduler that starts a worker where one is needed. A job that was given back counts as waiting, also during the pause before its next attempt.",
	auth: "service",
	success: { status: 200, body: JobQueue },
	errors: [],
});

export const claimJob = defineOperation({
	method: "POST",
	path: "/internal/v1/jobs/claim",
	plane: "internal",
	tag: "Jobs",
	summary: "Take the next job",
	description:
		"The oldest job that waits goes to exactly one worker. The request is held open for `wait_seconds` while there is none. To a worker that says so a chunk is given as well: before its own tenant's videos that wait, and where no other tenant's does. A clip is only given to a worker that says it cuts finished videos. A transcript of a video that is available already goes to a worker that says it can make one, once nothing else waits.",
	auth: "service",
	body: ClaimRequest,
	success: { status: 200, body: Job },
	alternatives: [{ status: 204, description: "No job waits." }],
	errors: [],
});

export const claimJobById = defineOperation({
	...ofJob,
	method: "POST",
	path: "/internal/v1/jobs/{id}/claim",
	summary: "Take one certain job",
	body: ClaimByIdRequest,
	success: { status: 200, body: Job },
	errors: ["invalid_video_id", "video_not_claimable"],
});

export const heartbeatJob = defineOperation({
	...ofJob,
	method: "POST",
	path: "/internal/v1/jobs/{id}/heartbeat",
	summary: "Renew the lock and report progress",
	description:
		"Every 30 s; a lock that is not renewed for 90 s is lost. Progress never goes back: of another attempt it is told once that has come further. A cancelled job answers `invalid_video_state`: the worker stops.",
	body: HeartbeatRequest,
	success: { status: 200, body: Heartbeat },
	errors: fenced,
});

export const getJobSource = defineOperation({
	...ofJob,
	method: "GET",
	path: "/internal/v1/jobs/{id}/source",
	summary: "Fetch the uploaded file, or the outro",
	description:
		"`part=outro` is the mezzanine of the outro that the video pinned, `file_not_found` where it is gone. With `path`, of a clip: a file of the video that it is cut of, as that is now. Bytes (single ranges are understood), or a redirect to a presigned URL where the storage has one.",
	query: z.strictObject({
		part: z
			.enum(["source", "outro"])
			.default("source")
			.meta({ description: "The source itself, or the outro that its video pinned.", examples: ["source"] }),
		path: OutputPath.optional().meta({
			description: "Of a clip, which has no source of its own: which file of the video that it is cut of.",
			examples: ["media/h264_720.mp4"],
		}),
	}),
	...fileOrAddress,
	errors: [
		"invalid_video_id",
		"video_not_found",
		"file_not_found",
		"storage_backend_unsupported",
		"storage_unavailable",
	],
});

export const putJobOutputs = defineOperation({
	...ofJob,
	method: "PUT",
	path: "/internal/v1/jobs/{id}/outputs",
	summary: "Deliver the outputs of an attempt",
	description:
		"A zip whose paths are those of the delivery plane; beside them `frames/00001.jpg`, `storyboard/*.jpg` and, for an outro, `mezzanine.mp4`. It has as many entries as the plan and the longest duration ask for, and some to spare; one with more is `invalid_zip_entry`. Kept apart from the outputs of any other attempt. A second archive replaces the first. `part=playable` holds what can be played before the job is done, and is served where the operator lets it, until the attempt ends or sends more; it is no part of the outputs that `complete` declares.",
	query: z.strictObject({
		lock: Lock,
		part: z
			.enum(["whole", "playable"])
			.default("whole")
			.meta({
				description: "Whether the archive has all outputs, or what can be played before the job is done.",
				examples: ["whole"],
			}),
	}),
	content: "application/zip",
	success: { status: 204, says: "The archive is stored for this attempt." },
	alternatives: [
		{ status: 408, description: "`bad_request`: the archive stopped coming; nothing was stored." },
		{ status: 415, description: "`bad_request`: the content type is not application/zip." },
	],
	errors: [...fenced, "invalid_zip_entry", "zip_too_large", "storage_unavailable"],
});

export const presignJobOutputs = defineOperation({
	...ofJob,
	method: "POST",
	path: "/internal/v1/jobs/{id}/output-urls",
	summary: "Ask where to put the outputs of an attempt",
	description:
		"A presigned URL for each file, so that it goes straight into the bucket where the video is stored; `data` is null where that is no bucket or can't presign: then the archive is the way, as it always may be. Paths are those of the archive. What is put by a lock that was lost is never served, and removed.",
	body: OutputUrlsRequest,
	success: { status: 200, body: OutputUrls },
	errors: [...fenced, "invalid_zip_entry", "zip_too_large", "storage_unavailable"],
});

export const completeJob = defineOperation({
	...ofJob,
	method: "POST",
	path: "/internal/v1/jobs/{id}/complete",
	summary: "Finish a job",
	description:
		"The attempt's outputs become the video's in the transaction that makes it available. With files missing, empty, or of another size than named, and with playlists or a manifest that can't be read or lead to what isn't there, nothing changes and the lock is kept: `outputs_incomplete` names the files. A length beyond the job's limits and renditions that it didn't ask for are `validation_error`.",
	body: CompleteRequest,
	success: { status: 200, body: JobState },
	errors: [...fenced, "outputs_incomplete", "storage_unavailable"],
});

export const failJob = defineOperation({
	...ofJob,
	method: "POST",
	path: "/internal/v1/jobs/{id}/fail",
	summary: "Give a job up",
	description:
		"A retryable failure puts the job back in the queue with a backoff of 5 s, doubled per attempt, while attempts are left; any other fails the video for good. With `stopped` it goes back at once, and takes no attempt. With `worker_fault` it takes none either, and another worker gets the job first; the fifth one fails the video.",
	body: FailRequest,
	success: { status: 200, body: JobState },
	errors: fenced,
});

export const offerJobChunks = defineOperation({
	...ofJob,
	method: "POST",
	path: "/internal/v1/jobs/{id}/chunks",
	summary: "Offer pieces of a video to other workers",
	description:
		"By the worker that has the video's job. Each is a job of the kind `chunk`, with an id and a lock of its own, for as long as this attempt lasts: whatever ends that, ends them, and removes what was stored for them, but for finished ones. Those are done for the next attempt that offers the same. Offered once; the same lock gets the same ids again.",
	body: OfferChunksRequest,
	success: { status: 200, body: OfferedChunks },
	errors: fenced,
});

export const nextJobChunk = defineOperation({
	...ofJob,
	method: "POST",
	path: "/internal/v1/jobs/{id}/chunks/next",
	summary: "Ask how the chunks stand, and take one",
	description:
		"A chunk that no worker has, whose worker's lock ran out, or that was given up three times or for good, is the asking worker's from then on, which has the video's lock.",
	body: NextChunkRequest,
	success: { status: 200, body: Chunks },
	errors: fenced,
});

export const getJobPart = defineOperation({
	...ofJob,
	method: "GET",
	path: "/internal/v1/jobs/{id}/parts",
	summary: "Fetch a file of a chunk that is done",
	description:
		"By the worker that has the video's job, with that one's lock. Bytes (single ranges are understood), or a redirect as for the source.",
	query: z.strictObject({
		lock: Lock,
		path: OutputPath.meta({ description: "A file of the chunk, as `chunks/next` names it.", examples: ["video.mp4"] }),
	}),
	...fileOrAddress,
	errors: [
		"invalid_video_id",
		"video_not_found",
		"not_lock_holder",
		"file_not_found",
		"storage_backend_unsupported",
		"storage_unavailable",
	],
});

import * as z from "zod";
import { defineOperation } from "../operation.ts";
import { Id, pageQuery } from "../resources/common.ts";
import { FailedVideoPage, Failures } from "../resources/failure.ts";
import { Queue, QueuedJobPage, SeenWorkerPage } from "../resources/queue.ts";
import { System } from "../resources/system.ts";
import { FailureReason, Video } from "../resources/video.ts";
import { idParams } from "./id-params.ts";

const OfDomain = Id.optional().meta({
	description: "Only what belongs to this domain.",
	examples: ["0d9b5c1a-3e2f-4a6b-9c8d-7e6f5a4b3c21"],
});
const period = {
	from: z.iso
		.date()
		.optional()
		.meta({ description: "The first UTC day (default: 29 days before the last).", examples: ["2026-01-02"] }),
	to: z.iso
		.date()
		.optional()
		.meta({ description: "The last UTC day (default: today).", examples: ["2026-01-31"] }),
};

export const getQueue = defineOperation({
	method: "GET",
	path: "/admin/v1/queue",
	plane: "admin",
	tag: "Admin",
	summary: "Read how much waits and runs, by domain",
	auth: "admin",
	success: { status: 200, body: Queue },
	errors: [],
});

export const listJobs = defineOperation({
	method: "GET",
	path: "/admin/v1/jobs",
	plane: "admin",
	tag: "Admin",
	summary: "List waiting and running jobs, oldest first",
	description:
		"A job that is given back after an attempt waits anew, behind the others: such a one may appear on two pages. A job that ends is gone.",
	auth: "admin",
	query: z.strictObject({
		...pageQuery,
		state: z
			.enum(["waiting", "running"])
			.optional()
			.meta({ description: "Only jobs that no worker has, or only those that one has.", examples: ["running"] }),
		domain_id: OfDomain,
	}),
	success: { status: 200, body: QueuedJobPage },
	errors: ["invalid_cursor"],
});

export const listWorkers = defineOperation({
	method: "GET",
	path: "/admin/v1/workers",
	plane: "admin",
	tag: "Admin",
	summary: "List the workers of the last week, and what each has",
	description: "A worker is seen when it asks for a job, and while it has one. It is forgotten a week after that.",
	auth: "admin",
	query: z.strictObject({
		...pageQuery,
		state: z
			.enum(["present", "gone"])
			.optional()
			.meta({
				description: "Only workers that were seen within the last two minutes, or only the others.",
				examples: ["present"],
			}),
	}),
	success: { status: 200, body: SeenWorkerPage },
	errors: ["invalid_cursor"],
});

export const listFailures = defineOperation({
	method: "GET",
	path: "/admin/v1/failures",
	plane: "admin",
	tag: "Admin",
	summary: "Count failures by reason and day",
	description:
		"Of videos and outros of all domains, those included that were deleted since. At most 400 days. Uploads that never came are no failures.",
	auth: "admin",
	query: z.strictObject(period),
	success: { status: 200, body: Failures },
	errors: [],
});

export const listFailedVideos = defineOperation({
	method: "GET",
	path: "/admin/v1/failures/videos",
	plane: "admin",
	tag: "Admin",
	summary: "List what failed, newest first",
	auth: "admin",
	query: z.strictObject({
		...pageQuery,
		...period,
		reason: FailureReason.optional().meta({ description: "Only failures for this reason." }),
		domain_id: OfDomain,
	}),
	success: { status: 200, body: FailedVideoPage },
	errors: ["invalid_cursor"],
});

export const getSystem = defineOperation({
	method: "GET",
	path: "/admin/v1/system",
	plane: "admin",
	tag: "Admin",
	summary: "Read versions, the health of the storage, and the settings in force",
	description: "Values of secrets are left out.",
	auth: "admin",
	success: { status: 200, body: System },
	errors: [],
});

export const reprocessVideo = defineOperation({
	method: "POST",
	path: "/admin/v1/videos/{id}/reprocess",
	plane: "admin",
	tag: "Admin",
	summary: "Queue a failed video anew",
	description:
		"As if its upload had ended now, with all attempts. The source is kept for a while after a failure that lies not in it (`REELMILL_KEEP_FAILED_DAYS`). Without its source, which an available video never has, a video is `file_not_found`; one in another state is `invalid_state`.",
	auth: "admin",
	audit: "video.reprocessed",
	params: idParams("video"),
	success: { status: 200, body: Video },
	errors: ["video_not_found", "invalid_state", "file_not_found", "storage_unavailable"],
	statuses: { file_not_found: 422 },
});

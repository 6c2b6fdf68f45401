import * as z from "zod";
import { Id, Json, Timestamp } from "./common.ts";
import { renditionNames } from "./domain.ts";
import { FailureReason, Rendition, TranscriptStatus } from "./video.ts";

export const jobKinds = ["video", "outro", "chunk"] as const;

/** What a worker is to make of a source. A worker knows no tenant's configuration but this. */
export const JobPlan = z.object({
	renditions: z.array(z.enum(renditionNames)),
	outputs: z.object({ hls: z.boolean(), dash: z.boolean(), mp4_fallback: z.boolean(), og_thumbnail: z.boolean() }),
	transcript: z.boolean(),
	moderation_frames: z.boolean(),
	watermark: z.boolean(),
	outro_id: Id.nullable(),
});
export type JobPlan = z.infer<typeof JobPlan>;

export const Job = z.object({
	id: Id.meta({ description: "The video's or the outro asset's id." }),
	kind: z.enum(jobKinds),
	lock: Id.meta({ description: "The fencing token of this attempt." }),
	lock_expires_at: Timestamp,
	attempt: z.int().min(1),
	source: z.object({ content_type: z.string(), file_size: z.int() }),
	limits: z.object({ max_duration_seconds: z.number() }),
	plan: JobPlan,
	outro: z
		.object({ file_size: z.int() })
		.nullable()
		.meta({ description: "The mezzanine of the outro that was pinned; null where there is none, or its bytes are gone." }),
});
export type Job = z.infer<typeof Job>;

export const ClaimRequest = z.strictObject({
	worker: z.string().min(1).max(255).meta({ description: "A name for logs." }),
	wait_seconds: z.int().min(0).max(30).default(0).meta({ description: "Hold the request open this long while no job waits." }),
});

export const ClaimByIdRequest = ClaimRequest.pick({ worker: true });

/** What the worker measured of the source. */
export const Probe = z.strictObject({
	duration_seconds: z.number().min(0),
	width: z.int().min(1),
	height: z.int().min(1),
});
export type Probe = z.infer<typeof Probe>;

export const HeartbeatRequest = z.strictObject({ lock: Id, progress: z.int().min(0).max(100), probe: Probe.optional() });
export const Heartbeat = z.object({ lock_expires_at: Timestamp });

export const OutputPath = z.string().min(1).max(512);
export const OutputFile = z.strictObject({ path: OutputPath, size: z.int().min(0).meta({ description: "In bytes." }) });
export type OutputFile = z.infer<typeof OutputFile>;

export const OutputUrlsRequest = z.strictObject({ lock: Id, files: z.array(OutputFile).min(1).max(500) });
export type OutputUrlsRequest = z.infer<typeof OutputUrlsRequest>;
export const OutputUrls = z.object({
	data: z
		.array(
			z.object({
				path: OutputPath,
				url: z.string().meta({ description: "Takes one PUT of just the size that was named, without credentials." }),
				headers: z.record(z.string(), z.string()).meta({ description: "To be sent with the PUT." }),
				expires_at: Timestamp.meta({ description: "A PUT must have begun by then." }),
			}),
		)
		.nullable()
		.meta({ description: "In the order of the request; null where the storage takes an archive alone." }),
	storage_owner: z.enum(["platform", "tenant"]).meta({ description: "Who named the place that the URLs lead to. A tenant may have named any address." }),
});
export type OutputUrls = z.infer<typeof OutputUrls>;

export const CompleteRequest = z.strictObject({
	lock: Id,
	outputs: z.strictObject({
		files: z
			.array(z.union([OutputPath, OutputFile]))
			.min(1)
			.max(10_000)
			.meta({ description: "By path, or with the size that the file must then have." }),
		renditions: z.array(Rendition),
		has_outro: z.boolean().optional().meta({ description: "Whether web.mp4 ends with the outro; not unless told." }),
	}),
	media: z.strictObject({
		duration_seconds: z.number().min(0),
		width: z.int().min(1),
		height: z.int().min(1),
		transcript_status: TranscriptStatus,
		language: z
			.string()
			.regex(/^[a-z]{2}$/)
			.nullable(),
	}),
	report: z.record(z.string(), Json).optional().meta({ description: "What was decided while processing, and why." }),
});
export type CompleteRequest = z.infer<typeof CompleteRequest>;

export const FailRequest = z.strictObject({ lock: Id, reason: FailureReason, retryable: z.boolean(), message: z.string().max(2000).optional() });
export type FailRequest = z.infer<typeof FailRequest>;
export const JobState = z.object({ id: Id, state: z.string() });

export const ServiceTokenRequest = z.strictObject({ name: z.string().min(1).max(255), secret: z.string().min(1).max(255) });
export const ServiceToken = z.object({ token: z.string(), token_type: z.literal("Bearer"), expires_at: Timestamp });

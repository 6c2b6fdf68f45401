import * as z from "zod";
import { Id, Json, Timestamp } from "./common.ts";
import { renditionNames } from "./domain.ts";
import { FailureReason, Rendition, TranscriptStatus } from "./video.ts";

/** The kinds of work that workers do. */
export const jobKinds = ["video", "outro", "chunk", "transcript"] as const;

/** What a worker makes of a source. It is all that a worker knows of a tenant's configuration. */
export const JobPlan = z.object({
	renditions: z.array(z.enum(renditionNames)),
	outputs: z.object({ hls: z.boolean(), dash: z.boolean(), mp4_fallback: z.boolean(), og_thumbnail: z.boolean() }),
	transcript: z.boolean(),
	moderation_frames: z.boolean(),
	watermark: z.boolean(),
	outro_id: Id.nullable(),
});
export type JobPlan = z.infer<typeof JobPlan>;

/** Whether AV1 is encoded for fewer bits or for less time. */
export const speeds = ["balanced", "fast"] as const;

const Sha256 = z
	.string()
	.length(64)
	.regex(/^[0-9a-f]{64}$/);

/**
 * Consecutive frames of a video that are encoded by themselves. They are whole groups of pictures, and are counted at
 * the constant frame rate of the encode.
 */
export const Chunk = z.strictObject({
	first_frame: z.int().min(0).max(10_000_000),
	end_frame: z.int().min(1).max(10_000_000).meta({ description: "The first frame that is not among them." }),
	digest: Sha256.meta({
		description:
			"SHA-256 of all that the offering worker's encode is told. A worker that would encode otherwise gives the chunk up.",
	}),
	speed: z.enum(speeds),
});
export type Chunk = z.infer<typeof Chunk>;

/** Work for a worker: what to make of which source, within which limits. */
export const Job = z.object({
	id: Id.meta({ description: "The video's, the outro asset's or the chunk's id; of a transcript its video's." }),
	kind: z.enum(jobKinds),
	lock: Id.meta({ description: "The fencing token of this attempt." }),
	lock_expires_at: Timestamp,
	attempt: z.int().min(1),
	last_attempt: z.boolean().optional().meta({
		description:
			"Whether the video fails if this attempt fails. Attempts whose worker was stopped or lost are not counted for it, so it is not told by the number.",
	}),
	source: z.object({ content_type: z.string(), file_size: z.int() }),
	limits: z.object({
		max_duration_seconds: z.number(),
		max_decoded_pixels: z.int().meta({
			description:
				"Pixels of a picture times the number of pictures, of the whole source. One that has more fails as `dimensions_too_large`.",
		}),
	}),
	plan: JobPlan,
	speed: z.enum(speeds).meta({
		description:
			"`fast` where the operator says so, or the queue is long: AV1 then takes less than half of the time, and more bits.",
	}),
	playable_first: z.boolean().meta({
		description:
			"Whether the operator lets what can be played already be played before the job is done: H.264 is then to come before AV1, and `part=playable` of the outputs is served.",
	}),
	outro: z.object({ file_size: z.int() }).nullable().meta({
		description: "The mezzanine of the outro that was pinned; null where there is none, or its bytes are gone.",
	}),
	chunk: Chunk.nullable().meta({
		description: "Of a chunk, whose source, limits and plan are its video's: what of it is to be encoded.",
	}),
	transcript: z.object({ duration_seconds: z.number() }).nullable().meta({
		description:
			"Of a transcript, whose source is a finished file of its video: how long the video is. `transcript.vtt` is to be made of it, and nothing else.",
	}),
	idle_workers: z
		.int()
		.min(0)
		.meta({ description: "Machines, other than this worker's, on which a worker waits for work and takes chunks." }),
	traceparent: z
		.string()
		.regex(/^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/)
		.optional()
		.meta({
			description:
				"W3C trace context of the request that made the video, if that was traced. What the worker does and asks for this job belongs to it.",
		}),
	cut: z.int().min(2).optional().meta({
		description:
			"Into how many chunks an earlier attempt cut the source. Offered once more, those that were finished are done.",
	}),
});
export type Job = z.infer<typeof Job>;

/** What a worker says of itself when it asks for a job. */
export const ClaimRequest = z.strictObject({
	worker: z.string().min(1).max(255).meta({ description: "A name for logs." }),
	wait_seconds: z
		.int()
		.min(0)
		.max(30)
		.default(0)
		.meta({ description: "Hold the request open this long while no job waits." }),
	takes_chunks: z
		.boolean()
		.default(false)
		.meta({ description: "Whether jobs of the kind `chunk` may be given to this worker." }),
	takes_transcripts: z
		.boolean()
		.default(false)
		.meta({ description: "Whether jobs of the kind `transcript` may be given to this worker: it can make them." }),
	takes_sandbox: z.boolean().default(true).meta({
		description:
			"Whether jobs of the sandbox may be given to this worker. One that can't confine what reads strangers' files says no, and leaves them to others.",
	}),
	machine: z.string().min(1).max(255).optional().meta({
		description:
			"The same for all workers that share the same processors: to each other these are no help. Each is on a machine of its own unless told.",
	}),
});

/** What a worker says of itself when it asks for one job by its id. */
export const ClaimByIdRequest = ClaimRequest.pick({ worker: true, takes_sandbox: true });

/**
 * Bounds that no source of a worker passes. A job's own limits are lower, and a source over them fails with its own
 * reason.
 */
const MeasuredSeconds = z.number().min(0).max(1_000_000);
const MeasuredPixels = z.int().min(1).max(1_000_000);

/** What a worker measured of its source. */
export const Probe = z.strictObject({
	duration_seconds: MeasuredSeconds,
	width: MeasuredPixels,
	height: MeasuredPixels,
});
export type Probe = z.infer<typeof Probe>;

/** How far a worker has come with a job. */
export const HeartbeatRequest = z.strictObject({
	lock: Id,
	progress: z.int().min(0).max(100),
	probe: Probe.optional(),
});
/** Until when the worker's lock holds, and whether it is to stop. */
export const Heartbeat = z.object({ lock_expires_at: Timestamp });

/** The path of an output below its video. */
export const OutputPath = z.string().min(1).max(512);
/** An output's path and its size in bytes. */
export const OutputFile = z.strictObject({
	path: OutputPath,
	size: z.int().min(0).meta({ description: "In bytes." }),
	sha256: Sha256.optional().meta({ description: "Kept of a chunk's files, for the worker that fetches them." }),
});
export type OutputFile = z.infer<typeof OutputFile>;

/** The outputs that a worker wants to put straight into a bucket. */
export const OutputUrlsRequest = z.strictObject({ lock: Id, files: z.array(OutputFile).min(1).max(500) });
export type OutputUrlsRequest = z.infer<typeof OutputUrlsRequest>;
/** A presigned URL for each output. */
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
	storage_owner: z
		.enum(["platform", "tenant"])
		.meta({ description: "Who named the place that the URLs lead to. A tenant may have named any address." }),
});
export type OutputUrls = z.infer<typeof OutputUrls>;

/** What a worker made of a job. */
export const CompleteRequest = z.strictObject({
	lock: Id,
	outputs: z.strictObject({
		files: z
			.array(z.union([OutputPath, OutputFile]))
			.max(10_000)
			.meta({ description: "By path, or with the size that the file must then have." }),
		renditions: z.array(Rendition).max(16),
		has_outro: z.boolean().optional().meta({ description: "Whether web.mp4 ends with the outro; not unless told." }),
	}),
	media: z.strictObject({
		...Probe.shape,
		transcript_status: TranscriptStatus.exclude(["pending"]),
		language: z
			.string()
			.regex(/^[a-z]{2}$/)
			.nullable(),
	}),
	report: z.record(z.string(), Json).optional().meta({ description: "What was decided while processing, and why." }),
});
export type CompleteRequest = z.infer<typeof CompleteRequest>;

/** Why a worker gives up a job. */
export const FailRequest = z.strictObject({
	lock: Id,
	reason: FailureReason,
	retryable: z.boolean(),
	stopped: z.boolean().optional().meta({
		description:
			"Whether the worker was told to stop. The job then waits for another worker at once, and no attempt of it is used up.",
	}),
	message: z.string().max(2000).optional(),
});
export type FailRequest = z.infer<typeof FailRequest>;
/** Where a job stands. */
export const JobState = z.object({ id: Id, state: z.string() });

/** How many chunks of twenty seconds the longest video has. */
export const mostChunks = 45;
/** The chunks of a source that a worker offers to others. */
export const OfferChunksRequest = z.strictObject({ lock: Id, chunks: z.array(Chunk).min(1).max(mostChunks) });
export type OfferChunksRequest = z.infer<typeof OfferChunksRequest>;
/** The chunks that were taken into the queue. */
export const OfferedChunks = z.object({
	data: z.array(Id).meta({ description: "The chunks' ids, in the order of the offer." }),
});

/** The states of an offered chunk. */
export const chunkStates = ["waiting", "locked", "done", "failed", "taken"] as const;
/** Which chunk a worker asks for next. */
export const NextChunkRequest = z.strictObject({
	lock: Id,
	take: z.boolean().meta({
		description: "Whether the video's worker is free for a chunk that nobody encodes, or that others gave up.",
	}),
});
export type NextChunkRequest = z.infer<typeof NextChunkRequest>;
/** The chunks of a job and their states. */
export const Chunks = z.object({
	taken: Id.nullable().meta({ description: "The chunk that is the video's worker's to encode from now on." }),
	data: z.array(
		z.object({
			id: Id,
			state: z.enum(chunkStates),
			progress: z.int().min(0).max(100),
			files: z
				.array(z.object({ path: OutputPath, size: z.int(), sha256: z.string().optional() }))
				.nullable()
				.meta({ description: "Of a chunk that is done: what `parts` serves." }),
		}),
	),
});
export type Chunks = z.infer<typeof Chunks>;

/** The name and secret by which a worker asks for a token. */
export const ServiceTokenRequest = z.strictObject({
	name: z.string().min(1).max(255),
	secret: z.string().min(1).max(255),
});
/** A worker's token, and until when it holds. */
export const ServiceToken = z.object({ token: z.string(), token_type: z.literal("Bearer"), expires_at: Timestamp });

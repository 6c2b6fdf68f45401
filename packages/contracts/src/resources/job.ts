import * as z from "zod";
import { type WorkerFault, workerFaults } from "../worker-faults.ts";
import { Id, RequestId, Timestamp } from "./common.ts";
import { RenditionName } from "./domain.ts";
import { FailureReason, Rendition, TranscriptStatus } from "./video.ts";

/** The kinds of work that workers do. */
export const jobKinds = ["video", "outro", "chunk", "transcript", "poster"] as const;

/** What a worker makes of a source. It is all that a worker knows of a tenant's configuration. */
export const JobPlan = z.object({
	renditions: z.array(RenditionName).meta({ description: "The encodings that are wanted." }),
	outputs: z
		.object({
			hls: z.boolean().meta({ description: "Playlists and segments (HLS)." }),
			dash: z.boolean().meta({ description: "A DASH manifest over the same segments." }),
			mp4_fallback: z.boolean().meta({ description: "One MP4 of the whole video, `web.mp4`." }),
			og_thumbnail: z.boolean().meta({ description: "A picture for link previews, `og.jpg`." }),
		})
		.meta({ description: "The files that are wanted." }),
	transcript: z.boolean().meta({ description: "Whether a transcript is wanted." }),
	moderation_frames: z.boolean().meta({ description: "Whether frames for moderation are wanted." }),
	watermark: z.boolean().meta({ description: "Whether the picture gets the sandbox's mark." }),
	outro_id: Id.nullable().meta({ description: "The outro that is appended to `web.mp4`; null for none." }),
});
export type JobPlan = z.infer<typeof JobPlan>;

/** Whether AV1 is encoded for fewer bits or for less time. */
export const speeds = ["balanced", "fast"] as const;

/** The path of an output below its video. */
export const OutputPath = z.string().min(1).max(512);

const Seconds = z.number().meta({ description: "Seconds." });

const Sha256 = z
	.string()
	.length(64)
	.regex(/^[0-9a-f]{64}$/);

/**
 * Consecutive frames of a video that are encoded by themselves. They are whole groups of pictures, and are counted at
 * the constant frame rate of the encode.
 */
export const Chunk = z.strictObject({
	first_frame: z
		.int()
		.min(0)
		.max(10_000_000)
		.meta({ description: "The first frame that is among them, counted from 0." }),
	end_frame: z.int().min(1).max(10_000_000).meta({ description: "The first frame that is not among them." }),
	digest: Sha256.meta({
		description:
			"SHA-256 of all that the offering worker's encode is told. A worker that would encode otherwise gives the chunk up.",
	}),
	speed: z.enum(speeds).meta({ description: "As the video's job says." }),
});
export type Chunk = z.infer<typeof Chunk>;

/** Work for a worker: what to make of which source, within which limits. */
export const Job = z.object({
	id: Id.meta({
		description: "The video's, the outro asset's or the chunk's id; of a transcript its video's; of a poster its own.",
	}),
	kind: z.enum(jobKinds).meta({ description: "What kind of work it is." }),
	lock: Id.meta({ description: "The fencing token of this attempt." }),
	lock_expires_at: Timestamp.meta({ description: "When the lock is lost, unless a heartbeat renews it." }),
	attempt: z.int().min(1).meta({ description: "Counts the attempts from 1." }),
	last_attempt: z.boolean().optional().meta({
		description:
			"Whether the video fails if this attempt fails. Attempts whose worker was stopped or lost are not counted for it, so it is not told by the number.",
	}),
	source: z
		.object({
			content_type: z.string().meta({ description: "The media type that the upload declared." }),
			file_size: z.int().meta({ description: "Bytes." }),
		})
		.meta({ description: "The file to work on." }),
	limits: z
		.object({
			max_duration_seconds: z.number().meta({ description: "Seconds; a longer source fails as `duration_too_long`." }),
			max_decoded_pixels: z.int().meta({
				description:
					"Pixels of a picture times the number of pictures, of the whole source. One that has more fails as `dimensions_too_large`.",
			}),
		})
		.meta({ description: "What the source may be." }),
	plan: JobPlan.meta({ description: "What to make of the source." }),
	speed: z.enum(speeds).meta({
		description:
			"`fast` where the operator says so, or the queue is long: both encoders then take their faster presets, and more bits.",
	}),
	playable_first: z.boolean().meta({
		description:
			"Whether the operator lets what can be played already be played before the job is done: one rendition of H.264 is then to come before the others, of a long video its first 30 s before that, and `part=playable` of the outputs is served.",
	}),
	outro: z
		.object({ file_size: z.int().meta({ description: "Bytes." }) })
		.nullable()
		.meta({
			description: "The mezzanine of the outro that was pinned; null where there is none, or its bytes are gone.",
		}),
	chunk: Chunk.nullable().meta({
		description: "Of a chunk, whose source, limits and plan are its video's: what of it is to be encoded.",
	}),
	transcript: z
		.object({ duration_seconds: z.number().meta({ description: "Seconds." }) })
		.nullable()
		.meta({
			description:
				"Of a transcript, whose source is a finished file of its video: how long the video is. `transcript.vtt` is to be made of it, and nothing else.",
		}),
	clip: z
		.object({
			...{ start_seconds: Seconds, end_seconds: Seconds },
			language: z.string().nullable().meta({ description: "That of the transcript, if there is one." }),
			files: z
				.array(
					z.object({
						path: OutputPath.meta({ description: "Its path below the video." }),
						size: z.int().meta({ description: "Bytes." }),
					}),
				)
				.meta({ description: "What it is cut of: `getJobSource` gives them by `path`. Empty if they are gone." }),
		})
		.optional()
		.meta({
			description:
				"Of a clip: which stretch of the finished video it is, whose files are here. Nothing was uploaded for it. Only a worker that says so is given one.",
		}),
	poster: z
		.object({
			at_seconds: z
				.number()
				.nullable()
				.meta({ description: "The moment whose picture is wanted; null if the source is a picture." }),
			preview: z.boolean().meta({ description: "Whether `preview.webp` is wanted as well, from there on." }),
			width: z.int().meta({ description: "The video's width: `poster.jpg` gets the video's shape." }),
			height: z.int().meta({ description: "The video's height." }),
		})
		.optional()
		.meta({
			description:
				"Of a poster, whose source is a picture, or a finished file of its video that the worker reads parts of: `poster.jpg`, `og.jpg` and nothing else but `preview.webp` are to be made of it.",
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
	video_id: Id.optional().meta({
		description: "The video or outro asset that it is for: of a chunk, whose chunk it is.",
	}),
	domain_id: Id.optional().meta({ description: "The tenant's domain, for logs." }),
	request_id: RequestId.optional().meta({
		description:
			"The x-request-id of the request that made the video, or had it processed anew. The worker's logs have it, and its requests for this job bear it.",
	}),
	cut: z.int().min(2).optional().meta({
		description:
			"Into how many chunks an earlier attempt cut the source. Offered once more, those that were finished are done.",
	}),
	losses: z.int().min(1).optional().meta({
		description:
			"How many attempts at this job ended because their worker stopped or was lost, if any did. The worker of such a job should cut its source, and store each finished chunk, also if no other worker helps.",
	}),
});
export type Job = z.infer<typeof Job>;

const faultCodes = Object.keys(workerFaults) as [WorkerFault, ...WorkerFault[]];

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
	takes_clips: z
		.boolean()
		.default(false)
		.meta({ description: "Whether clips may be given to this worker: it can cut finished videos." }),
	takes_posters: z
		.boolean()
		.default(false)
		.meta({ description: "Whether jobs of the kind `poster` may be given to this worker." }),
	takes_sandbox: z.boolean().default(true).meta({
		description:
			"Whether jobs of the sandbox may be given to this worker. One that can't confine what reads strangers' files says no, and leaves them to others.",
	}),
	machine: z.string().min(1).max(255).optional().meta({
		description:
			"The same for all workers that share the same processors: to each other these are no help. Each is on a machine of its own unless told.",
	}),
	fault: z.enum(faultCodes).optional().meta({
		description:
			"What is wrong with the worker itself, as it found when it looked. It then gets no job, and the answer is 204 at once; operators are shown the fault until it asks without one.",
	}),
});

/** What a worker says of itself when it asks for one job by its id. */
export const ClaimByIdRequest = ClaimRequest.pick({ worker: true, takes_clips: true, takes_sandbox: true });

/**
 * Bounds that no source of a worker passes. A job's own limits are lower, and a source over them fails with its own
 * reason.
 */
const MeasuredSeconds = z.number().min(0).max(1_000_000);
const MeasuredPixels = z.int().min(1).max(1_000_000);

/** What a worker measured of its source. */
export const Probe = z.strictObject({
	duration_seconds: MeasuredSeconds.meta({ description: "The length in seconds, as measured." }),
	width: MeasuredPixels.meta({ description: "Pixels as displayed." }),
	height: MeasuredPixels.meta({ description: "Pixels as displayed." }),
});
export type Probe = z.infer<typeof Probe>;

/** An encode of one rendition, or of several that are made together, and how far it has come. */
const RunningEncode = z.strictObject({
	renditions: z
		.array(
			z
				.string()
				.max(32)
				.regex(/^[a-z0-9]+_[0-9]+$/),
		)
		.min(1)
		.max(16)
		.meta({ description: "The names of the renditions, such as `h264_720`, 1 to 16." }),
	started_seconds: MeasuredSeconds.meta({ description: "Seconds from the claim to its beginning." }),
	seconds: MeasuredSeconds.optional().meta({ description: "How long it took, once it has ended." }),
	progress: z.int().min(0).max(100).meta({ description: "Percent of these renditions." }),
});

/** How far a worker has come with a job. */
export const HeartbeatRequest = z.strictObject({
	lock: Id,
	progress: z.int().min(0).max(100).meta({ description: "Percent of the job." }),
	probe: Probe.partial({ duration_seconds: true }).optional().meta({
		description: "What was measured of the source, once it is known: a picture that is too large, without its length.",
	}),
	encodes: z.array(RunningEncode).max(8).optional().meta({
		description:
			"Of a video, the encodes that have begun, at most 8. Those of a chunk are its video's: its own heartbeats tell none. The timeline shows what the last heartbeat told.",
	}),
});
export type HeartbeatRequest = z.infer<typeof HeartbeatRequest>;
/** Until when the worker's lock holds, and whether it is to stop. */
export const Heartbeat = z.object({
	lock_expires_at: Timestamp.meta({ description: "When the lock is lost, unless another heartbeat renews it." }),
});

/** An output's path and its size in bytes. */
export const OutputFile = z.strictObject({
	path: OutputPath.meta({ description: "Below the video, as the archive names it: `media/h264_720.mp4`." }),
	size: z.int().min(0).meta({ description: "In bytes." }),
	sha256: Sha256.optional().meta({ description: "Kept of a chunk's files, for the worker that fetches them." }),
});
export type OutputFile = z.infer<typeof OutputFile>;

/** The outputs that a worker wants to put straight into a bucket. */
export const OutputUrlsRequest = z.strictObject({
	lock: Id,
	files: z.array(OutputFile).min(1).max(500).meta({ description: "The files that will be put, 1 to 500." }),
});
export type OutputUrlsRequest = z.infer<typeof OutputUrlsRequest>;
/** A presigned URL for each output. */
export const OutputUrls = z.object({
	data: z
		.array(
			z.object({
				path: OutputPath.meta({ description: "The path that was asked for." }),
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
	outputs: z
		.strictObject({
			files: z
				.array(z.union([OutputPath, OutputFile]))
				.max(10_000)
				.meta({ description: "By path, or with the size that the file must then have." }),
			renditions: z.array(Rendition).max(16).meta({ description: "Every encoding that was made, at most 16." }),
			has_outro: z.boolean().optional().meta({ description: "Whether web.mp4 ends with the outro; not unless told." }),
		})
		.meta({ description: "The files that the attempt delivered, and what can be played of them." }),
	media: z
		.strictObject({
			...Probe.shape,
			transcript_status: TranscriptStatus.exclude(["pending"]).meta({
				description: "What became of the transcript; `disabled` if none was asked for.",
			}),
			language: z
				.string()
				.regex(/^[a-z]{2}$/)
				.nullable()
				.meta({ description: "The spoken language as ISO 639-1, two small letters; null if it isn't known." }),
		})
		.meta({ description: "What the worker measured of the source." }),
	report: z.record(z.string(), z.unknown()).optional().meta({
		description:
			"What was decided while processing, and why. `steps` has how long each step took, `encodes` which renditions were encoded together and from when to when, in seconds from the beginning of the step `encode`.",
	}),
});
export type CompleteRequest = z.infer<typeof CompleteRequest>;

/** Why a worker gives up a job. */
export const FailRequest = z.strictObject({
	lock: Id,
	reason: FailureReason.meta({ description: "Why the worker gives up." }),
	retryable: z.boolean().meta({ description: "Whether another attempt may succeed." }),
	stopped: z.boolean().optional().meta({
		description:
			"Whether the worker was told to stop. The job then waits for another worker at once, and no attempt of it is used up.",
	}),
	worker_fault: z.enum(faultCodes).optional().meta({
		description:
			"What is wrong with the worker itself. The job then goes to another worker first, and no attempt of it is used up; the fifth such failure ends it.",
	}),
	message: z.string().max(2000).optional().meta({ description: "What is wrong, for people, at most 2000 characters." }),
});
export type FailRequest = z.infer<typeof FailRequest>;
/** Where a job stands. */
export const JobState = z.object({
	id: Id,
	state: z.string().meta({ description: "The state of the video, the outro or the chunk after the call." }),
});

/** How many chunks of twenty seconds the longest video has. */
export const mostChunks = 45;
/** The chunks of a source that a worker offers to others. */
export const OfferChunksRequest = z.strictObject({
	lock: Id,
	chunks: z
		.array(Chunk)
		.min(1)
		.max(mostChunks)
		.meta({ description: "The pieces in the order of their frames, at most 45." }),
});
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
	data: z
		.array(
			z.object({
				id: Id,
				state: z.enum(chunkStates).meta({ description: "Where the chunk stands." }),
				progress: z.int().min(0).max(100).meta({ description: "Percent of the chunk." }),
				files: z
					.array(
						z.object({
							path: OutputPath.meta({ description: "The file's name, for `getJobPart`." }),
							size: z.int().meta({ description: "Bytes." }),
							sha256: z
								.string()
								.optional()
								.meta({ description: "The SHA-256 of its bytes in hex, if its worker told it." }),
						}),
					)
					.nullable()
					.meta({ description: "Of a chunk that is done: what `parts` serves." }),
			}),
		)
		.meta({ description: "Every chunk that was offered, in the order of the offer." }),
});
export type Chunks = z.infer<typeof Chunks>;

/** The name and secret by which a worker asks for a token. */
export const ServiceTokenRequest = z.strictObject({
	name: z.string().min(1).max(255).meta({ description: "The service account's name." }),
	secret: z.string().min(1).max(255).meta({ description: "The service account's secret." }),
});
/** A worker's token, and until when it holds. */
export const ServiceToken = z.object({
	token: z.string().meta({ description: "The token." }),
	token_type: z.literal("Bearer").meta({ description: "How it is sent: `Authorization: Bearer <token>`." }),
	expires_at: Timestamp.meta({ description: "When it stops working." }),
});

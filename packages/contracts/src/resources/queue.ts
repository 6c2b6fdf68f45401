import * as z from "zod";
import { Id, page, Timestamp } from "./common.ts";
import { jobKinds } from "./job.ts";

const count = z.int().min(0);

/** The domain of something that an operator sees; the slug is null once the domain is deleted. */
const OfDomain = {
	domain_id: Id.meta({ description: "The domain's id." }),
	domain_slug: z.string().nullable().meta({ description: "The domain's name in addresses; null once it is deleted." }),
};

/** A job at work, as its worker last told of it. */
const Work = {
	since: Timestamp.nullable().meta({ description: "When the worker took it." }),
	progress: z.int().min(0).max(100).meta({ description: "Percent of the job, over all attempts." }),
	speed: z.number().min(0).nullable().meta({
		description: "Seconds of the video that the present attempt gets through in one second; null while unknown.",
	}),
};

/** What may be done next: a video, an outro, a chunk of a video, or the transcript of an available video. */
export const QueuedJob = z.object({
	id: Id.meta({ description: "The job's own id, as its worker knows it." }),
	kind: z.enum(jobKinds).meta({ description: "What kind of work it is." }),
	video_id: Id.meta({ description: "The video that it is for; of an outro its asset." }),
	external_ref: z.string().nullable().meta({ description: "The video's name or reference; null if it has none." }),
	...OfDomain,
	is_sandbox: z.boolean().meta({ description: "Whether it is the sandbox's." }),
	state: z.enum(["waiting", "running"]).meta({ description: "Whether a worker has it." }),
	attempt: count.meta({ description: "How many attempts began." }),
	queued_at: Timestamp.meta({ description: "Since when it waits, or waited; a job that is given back waits anew." }),
	worker: z.string().nullable().meta({ description: "Who has it: the service account, a slash, the worker's name." }),
	...Work,
});
export type QueuedJob = z.infer<typeof QueuedJob>;

/** One page of jobs, those first that were queued first. */
export const QueuedJobPage = page(QueuedJob);
export type QueuedJobPage = z.infer<typeof QueuedJobPage>;

/** The queue of one domain, or of all. */
const Queued = {
	waiting: count.meta({ description: "Jobs that no worker has." }),
	running: count.meta({ description: "Jobs that a worker has." }),
	oldest_queued_at: Timestamp.nullable().meta({ description: "Since when the job waits that waits longest." }),
	held_back: count.meta({
		description: "Uploaded videos that the domain's max_concurrent_processing keeps from the queue.",
	}),
};

/** What waits and what runs at one moment, over all domains and by domain. */
export const Queue = z.object({
	taken_at: Timestamp.meta({ description: "When this was counted." }),
	...Queued,
	transcripts_waiting: count.meta({ description: "Late transcripts, which come after all other jobs." }),
	domains: z
		.array(
			z.object({
				...OfDomain,
				max_concurrent_processing: z
					.int()
					.meta({ description: "How many videos the domain may have in the queue at once." }),
				...Queued,
			}),
		)
		.meta({
			description: "The 100 domains with most to do, those with most jobs first. Late transcripts don't count.",
		}),
});
export type Queue = z.infer<typeof Queue>;

/** What waits and runs at one moment, for a scheduler that starts workers. */
const Pending = {
	waiting: count.meta({ description: "Jobs that no worker has." }),
	running: count.meta({ description: "Jobs that a worker has." }),
	oldest_waiting_seconds: z
		.number()
		.min(0)
		.nullable()
		.meta({ description: "For how long the job waits that waits longest; null while none waits." }),
};

/** How much waits and runs, for all kinds of jobs and by kind. */
export const JobQueue = z.object({
	...Pending,
	by_kind: z
		.array(z.object({ kind: z.enum(jobKinds).meta({ description: "What kind of work it is." }), ...Pending }))
		.meta({ description: "The same for every kind, also for one of which there is no job." }),
});
export type JobQueue = z.infer<typeof JobQueue>;

/** A worker that asked for jobs. */
export const SeenWorker = z.object({
	name: z.string().meta({ description: "The service account, a slash, and the name that the worker gave itself." }),
	service_account_id: Id.meta({ description: "The account by which it signs in." }),
	service_account: z.string().nullable().meta({ description: "The account's name." }),
	worker: z.string().meta({ description: "The name that it gave itself." }),
	address: z.string().nullable().meta({ description: "Where it last came from; an IPv6 address by its network." }),
	machine: z
		.string()
		.nullable()
		.meta({ description: "The name of its machine, which its neighbours there share; null if it gave none." }),
	takes: z
		.object({
			chunks: z.boolean().meta({ description: "Chunks of others' videos." }),
			transcripts: z.boolean().meta({ description: "Transcripts." }),
			clips: z.boolean().meta({ description: "Clips of finished videos." }),
			posters: z.boolean().meta({ description: "Posters." }),
			sandbox: z.boolean().meta({ description: "Jobs of the sandbox." }),
		})
		.meta({ description: "What it said that it can do." }),
	is_present: z.boolean().meta({ description: "Whether it was seen within the last two minutes." }),
	fault: z.string().nullable().meta({
		description:
			"What it found wrong with itself, such as `disk_full`: it takes no job until it finds that mended. Null if it is well.",
	}),
	first_seen_at: Timestamp.meta({ description: "When it first asked for a job." }),
	seen_at: Timestamp.meta({ description: "To the minute while it has no job, to its last heartbeat while it has." }),
	jobs: z
		.array(
			QueuedJob.pick({
				id: true,
				kind: true,
				video_id: true,
				external_ref: true,
				domain_id: true,
				domain_slug: true,
				attempt: true,
			}).extend(Work),
		)
		.meta({ description: "The jobs that it has now." }),
});
export type SeenWorker = z.infer<typeof SeenWorker>;

/** One page of workers of the last week, those first that were first seen last. */
export const SeenWorkerPage = page(SeenWorker);
export type SeenWorkerPage = z.infer<typeof SeenWorkerPage>;

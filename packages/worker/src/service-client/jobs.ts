import { isReelmillError } from "@reelmill/client";
import type {
	Chunk,
	Chunks,
	CompleteRequest,
	FailRequest,
	HeartbeatRequest,
	Job,
	WorkerFault,
} from "@reelmill/contracts";
import { callFor, type Session } from "./session.ts";

/** How many milliseconds a lock lasts from now, whatever this machine's clock says. */
export type Remaining = { readonly remaining: number };

/** Which jobs a worker takes. */
export type Claim = {
	readonly waitSeconds: number;
	readonly takesChunks: boolean;
	readonly takesTranscripts: boolean;
	readonly takesSandbox: boolean;
	readonly machine: string;
	/** What is wrong with the worker. It then gets no job (default: nothing is). */
	readonly fault?: WorkerFault;
};

/** What a heartbeat reports. `progress` is a percentage. */
export type Heartbeat = Omit<HeartbeatRequest, "lock">;

/** The operations on jobs. */
export type JobCalls = {
	/**
	 * Claims the next job; returns null if none came up within `waitSeconds`. A server of an earlier version, which
	 * refuses a claim that speaks of clips and posters, gets a claim without them, and if it refuses that, one without
	 * chunks, transcripts and the sandbox. It gets none that tells of a fault.
	 */
	claim(worker: string, claim: Claim, signal: AbortSignal): Promise<(Job & Remaining) | null>;
	/** Extends the lock. A server of an earlier version, which refuses a heartbeat that tells of encodes, gets one without. */
	heartbeat(job: Job, beat: Heartbeat, signal: AbortSignal): Promise<Remaining>;
	complete(job: Job, body: Omit<CompleteRequest, "lock">, signal: AbortSignal): Promise<void>;
	/**
	 * Gives the job up. A server of an earlier version doesn't learn whether the worker was told to stop, or is at fault
	 * itself.
	 */
	fail(job: Job, body: Omit<FailRequest, "lock">, signal: AbortSignal): Promise<void>;
	/** Offers chunks of a video's job to other workers; returns the chunks' ids in the order of the chunks. */
	offerChunks(job: Job, chunks: readonly Chunk[], signal: AbortSignal): Promise<readonly string[]>;
	/** Returns the state of the offered chunks. With `take`, this worker also gets one that no other has taken. */
	nextChunk(job: Job, take: boolean, signal: AbortSignal): Promise<Chunks>;
};

/**
 * Returns what a worker says of a job so that it can be stored. What programs said may be cut within a character, or hold
 * NUL: the server refuses that, and the worker could neither complete the job nor give it back.
 */
const storable = <T>(body: T): T =>
	JSON.parse(
		JSON.stringify(body, (_, value: unknown) =>
			typeof value === "string" ? value.toWellFormed().replaceAll("\0", "\ufffd") : value,
		),
	);

export function createJobCalls({ client, clock, withFreshToken }: Session): JobCalls {
	return {
		claim: (worker, { waitSeconds, takesChunks, takesTranscripts, takesSandbox, machine, fault }, signal) =>
			withFreshToken(async () => {
				const plain = { worker, wait_seconds: waitSeconds };
				const body = {
					...plain,
					...(takesChunks && { takes_chunks: true as const, machine }),
					...(takesTranscripts && { takes_transcripts: true as const }),
					...(!takesSandbox && { takes_sandbox: false as const }),
					...(fault !== undefined && { fault }),
				};
				const newest = { ...body, takes_clips: true as const, takes_posters: true as const };
				const send = (bodies: readonly (typeof newest | typeof body | typeof plain)[]): Promise<Job | undefined> => {
					const [first = plain, ...others] = bodies;
					return client.call("claimJob", { body: first }, { signal }).catch((error: unknown) => {
						if (others.length === 0 || fault !== undefined || !isReelmillError(error, "validation_error")) throw error;
						return send(others);
					});
				};
				const saysMore = Object.keys(body).length > Object.keys(plain).length;
				const job = await send([newest, body, ...(saysMore ? [plain] : [])]);
				return job === undefined ? null : { ...job, remaining: clock.until(job.lock_expires_at) };
			}),
		heartbeat: (job, beat, signal) =>
			withFreshToken(async () => {
				const { encodes, ...plain } = beat;
				const send = (told: Heartbeat) =>
					client.call(
						"heartbeatJob",
						{ params: { id: job.id }, body: { lock: job.lock, ...told } },
						callFor(job, signal),
					);
				const answer = await send(beat).catch((error: unknown) => {
					if (encodes === undefined || !isReelmillError(error, "validation_error")) throw error;
					return send(plain);
				});
				return { remaining: clock.until(answer.lock_expires_at) };
			}),
		complete: async (job, body, signal) => {
			const { id, lock } = job;
			await withFreshToken(() =>
				client.call("completeJob", { params: { id }, body: { lock, ...storable(body) } }, callFor(job, signal)),
			);
		},
		fail: async (job, body, signal) => {
			const { id, lock } = job;
			await withFreshToken(async () => {
				const said = storable(body);
				const { stopped, worker_fault, ...plain } = said;
				const send = (told: typeof body) =>
					client.call("failJob", { params: { id }, body: { lock, ...told } }, callFor(job, signal));
				await send(said).catch((error: unknown) => {
					if ((stopped ?? worker_fault) === undefined || !isReelmillError(error, "validation_error")) throw error;
					return send(plain);
				});
			});
		},
		async offerChunks(job, chunks, signal) {
			const { id, lock } = job;
			const body = { lock, chunks: [...chunks] };
			return (await withFreshToken(() => client.call("offerJobChunks", { params: { id }, body }, callFor(job, signal))))
				.data;
		},
		nextChunk: (job, take, signal) =>
			withFreshToken(() =>
				client.call("nextJobChunk", { params: { id: job.id }, body: { lock: job.lock, take } }, callFor(job, signal)),
			),
	};
}

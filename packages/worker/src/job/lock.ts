import type { EncodeProgress } from "@reelmill/media";
import { backoff, isLockLost, type Sleep } from "../retry.ts";
import type { Heartbeat, Remaining } from "../service-client/jobs.ts";

export type LockOptions = {
	/** Sends one heartbeat. */
	readonly beat: (beat: Heartbeat, signal: AbortSignal) => Promise<Remaining>;
	/** How many milliseconds the lock lasts from now. */
	readonly remaining: number;
	readonly heartbeatMilliseconds: number;
	/** Called for the first of consecutive heartbeats that fail. Each is tried again. */
	readonly onTrouble: (error: unknown) => void;
	readonly wait: Sleep;
};

/** A job's lock, which heartbeats extend until it is released. */
export type JobLock = {
	/**
	 * Aborts when the lock is lost: another worker has it, the job was cancelled, or no heartbeat got through. In the
	 * last case it aborts shortly before the lock ends, so that ffmpeg is killed by then.
	 */
	readonly signal: AbortSignal;
	/**
	 * Sends the progress, and what else is given, with a heartbeat soon: the probe at once, the progress two seconds
	 * after the last heartbeat at the earliest. Progress never goes back. Encodes are told again by every heartbeat, until
	 * others are given.
	 */
	report(
		progress: number,
		news?: { readonly probe?: Heartbeat["probe"]; readonly encodes?: readonly EncodeProgress[] },
	): void;
	/** What was measured and reported, of which no heartbeat has arrived yet. */
	unsent(): Heartbeat["probe"];
	/** Ends the heartbeats; resolves when none is under way. The lock stays with the worker until it expires. */
	release(): Promise<void>;
};

/** The lock was lost while its job ran. */
class LockLost extends Error {
	override readonly name = "LockLost";
}

const progressMilliseconds = 2000;
/** How long one heartbeat may take. */
const heartbeatTimeout = 15_000;
/**
 * How long before its end a lock is no longer used: a program must be killed meanwhile, and clocks agree to a second or
 * so. A fifth of a short lock.
 */
const marginOf = (remaining: number): number => Math.min(5000, remaining / 5);

/** Keeps a lock. The first heartbeat is sent at once. */
export function holdLock({ beat, remaining, heartbeatMilliseconds, onTrouble, wait }: LockOptions): JobLock {
	const lost = new AbortController();
	const released = new AbortController();
	const claimedAt = performance.now();
	let deadline = claimedAt + remaining - marginOf(remaining);
	let progress = 0;
	let probe: Heartbeat["probe"];
	let encodes: readonly EncodeProgress[] = [];
	let hasNews = false;
	let nudge = new AbortController();

	const lose = (message: string, cause?: unknown) => lost.abort(new LockLost(message, { cause }));
	/** Sends one heartbeat; returns in how many milliseconds the next one is due. */
	const send = async (): Promise<number> => {
		hasNews = false;
		const sent = probe;
		const left = deadline - performance.now();
		const timeout = AbortSignal.timeout(Math.max(1, Math.floor(Math.min(heartbeatTimeout, left))));
		const answer = await beat(
			{
				progress,
				...(sent !== undefined && { probe: sent }),
				...(encodes.length > 0 && { encodes: encodes.map((encode) => toldOf(encode, claimedAt)) }),
			},
			AbortSignal.any([released.signal, timeout]),
		);
		if (sent === probe) probe = undefined;
		deadline = performance.now() + answer.remaining - marginOf(answer.remaining);
		return Math.min(heartbeatMilliseconds, answer.remaining / 3);
	};
	const run = async () => {
		for (let failures = 0; !released.signal.aborted; ) {
			const started = performance.now();
			let due: number;
			try {
				due = await send();
				failures = 0;
			} catch (error) {
				if (released.signal.aborted) return;
				if (isLockLost(error)) return lose("The lock was taken over, or the job was cancelled.", error);
				failures += 1;
				if (failures === 1) onTrouble(error);
				const left = deadline - performance.now();
				if (left <= 0) return lose("The server could not be reached until shortly before the lock expires.", error);
				due = Math.min(backoff(failures), left);
			}
			nudge = new AbortController();
			if (!hasNews || failures > 0) await wait(due, AbortSignal.any([released.signal, nudge.signal]));
			const early = started + progressMilliseconds - performance.now();
			// The probe is sent at once, because people who look at the video's state wait for it.
			if (hasNews && probe === undefined && early > 0 && failures === 0) await wait(early, released.signal);
		}
	};
	const running = run();
	return {
		signal: lost.signal,
		report(percent, news) {
			progress = Math.max(progress, percent);
			probe = news?.probe ?? probe;
			encodes = news?.encodes ?? encodes;
			hasNews = true;
			nudge.abort();
		},
		unsent: () => probe,
		async release() {
			released.abort(new LockLost("The lock was released."));
			await running;
		},
	};
}

const toldOf = (
	{ renditions, startedAt, seconds, progress }: EncodeProgress,
	claimedAt: number,
): NonNullable<Heartbeat["encodes"]>[number] => ({
	renditions: [...renditions],
	started_seconds: Math.max(0, Math.round(startedAt - claimedAt)) / 1000,
	...(seconds !== null && { seconds }),
	progress,
});

import type { Probe } from "@reelmill/contracts";
import { backoff, isLockLost, type Sleep } from "./retry.ts";

export type LeaseOptions = {
	/** Sends one heartbeat; gives how many milliseconds the lock then lasts. */
	readonly beat: (beat: { progress: number; probe?: Probe }, signal: AbortSignal) => Promise<{ remaining: number }>;
	/** Milliseconds that the lock lasts from now. */
	readonly remaining: number;
	readonly heartbeatMilliseconds: number;
	/** A heartbeat failed and is tried again; called for the first failure in a row. */
	readonly onTrouble: (error: unknown) => void;
	readonly wait: Sleep;
};

/**
 * A lock kept alive. `signal` aborts when it is lost: taken over, cancelled, or no server reached until shortly before
 * it runs out, so that ffmpeg is gone by then.
 */
export type Lease = {
	readonly signal: AbortSignal;
	/**
	 * Tells the progress (and once the probe) with the next heartbeat, which comes soon: a probe at once, progress two
	 * seconds after the last one at the earliest.
	 */
	report(progress: number, probe?: Probe): void;
	/** Ends the heartbeats; resolves when none is under way. The lock itself stays as it is. */
	release(): Promise<void>;
};

/** The lock went away under a running job. */
class LeaseLost extends Error {
	override readonly name = "LeaseLost";
}

const progressMilliseconds = 2000;
const longestBeat = 15_000;
/**
 * What ends a lock's use before the lock ends: a program has to be killed, and clocks agree to a second or so. A fifth
 * of a short lock.
 */
const marginOf = (remaining: number): number => Math.min(5000, remaining / 5);

/** Beats at once, and from then on often enough. */
export function holdLease({ beat, remaining, heartbeatMilliseconds, onTrouble, wait }: LeaseOptions): Lease {
	const lost = new AbortController();
	const released = new AbortController();
	let deadline = performance.now() + remaining - marginOf(remaining);
	let progress = 0;
	let probe: Probe | undefined;
	let news = false;
	let nudge = new AbortController();

	const lose = (message: string, cause?: unknown) => lost.abort(new LeaseLost(message, { cause }));
	/** Sends one heartbeat; gives in how many milliseconds the next is due. */
	const send = async (): Promise<number> => {
		news = false;
		const told = probe;
		const left = deadline - performance.now();
		const limit = AbortSignal.any([
			released.signal,
			AbortSignal.timeout(Math.max(1, Math.floor(Math.min(longestBeat, left)))),
		]);
		const { remaining: now } = await beat({ progress, ...(told === undefined ? {} : { probe: told }) }, limit);
		if (told === probe) probe = undefined;
		deadline = performance.now() + now - marginOf(now);
		return Math.min(heartbeatMilliseconds, now / 3);
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
			if (!news || failures > 0) await wait(due, AbortSignal.any([released.signal, nudge.signal]));
			const early = started + progressMilliseconds - performance.now();
			// What was measured is told at once: a viewer of the status waits for it.
			if (news && probe === undefined && early > 0 && failures === 0) await wait(early, released.signal);
		}
	};
	const running = run();
	return {
		signal: lost.signal,
		report(percent, measured) {
			progress = Math.max(progress, percent);
			probe = measured ?? probe;
			news = true;
			nudge.abort();
		},
		async release() {
			released.abort(new LeaseLost("The lease was released."));
			await running;
		},
	};
}

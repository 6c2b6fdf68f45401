import { isReelmillError } from "@reelmill/client";
import type { OwnFault } from "./health/own-fault.ts";
import type { RunningJobs } from "./job/attempt.ts";

/** When a worker ends by itself. It ends at whatever comes first. */
export type EndsAfter = {
	/** After so many attempts at jobs; chunks and late transcripts count, too (default: no limit). */
	readonly jobs?: number | undefined;
	/**
	 * If for so many seconds no job came and none ran (default: never). With 0 it ends at the first claim that brings no
	 * job, and holds no claim open.
	 */
	readonly idleSeconds?: number | undefined;
};

/** How a worker ended. */
export type WorkerEnd = {
	/**
	 * `done`: it made all attempts that it was to make. `idle`: no job came. `ill`: something is wrong with the worker
	 * itself. `unanswered`: jobs could not be claimed, because the server is not reachable or refuses. `stopped`: `stop`
	 * was called before it ended by itself.
	 */
	readonly reason: "done" | "idle" | "ill" | "unanswered" | "stopped";
	/** What is wrong, in one sentence, if the reason is `ill` or `unanswered`; otherwise null. */
	readonly message: string | null;
	/** Whether `stop` aborted a job, which then went back to the server. */
	readonly gaveBack: boolean;
};

/** What bounds one run of a worker, for all loops of it. */
export type Bounds = {
	/** Aborts when the worker ends by itself. */
	readonly signal: AbortSignal;
	/** Takes a place for a claim. Returns false if no further attempt may begin. */
	take(): boolean;
	/** Notes that the server answered a claim without a job: the place is free. Ends the run if it was idle for long. */
	noteNoJob(): void;
	/** Notes that an attempt has ended, by a fault of the worker or not. A fault ends a bounded run. */
	noteJob(fault: OwnFault | null | undefined): void;
	/**
	 * Notes that a claim failed, and that its loop has paused for so long in a row, the pause that follows included. Ends
	 * the run if that leads nowhere.
	 */
	noteFailure(error: unknown, pausedMilliseconds: number): void;
	/** Returns for how many seconds the next claim may be held open, at most `longest`. */
	waitSeconds(longest: number): number;
	/** Ends the run because of what is wrong with the worker. */
	endIll(fault: OwnFault): void;
	/** Returns why the run ended, once it has. */
	end(gaveBack: boolean): WorkerEnd;
};

/** A bounded run ends once claims have failed for so long: a container's network may come after its program. */
const patienceMilliseconds = 60_000;

/** Returns whether the run of a worker ends by itself. */
export const isBounded = ({ jobs, idleSeconds }: EndsAfter): boolean => jobs !== undefined || idleSeconds !== undefined;

/** Begins a run. The time in which no job comes counts from here. */
export function createBounds(endsAfter: EndsAfter, running: RunningJobs): Bounds {
	const { jobs = Number.POSITIVE_INFINITY, idleSeconds = Number.POSITIVE_INFINITY } = endsAfter;
	const ending = new AbortController();
	let places = jobs;
	// A claim that is under way may bring a job that is locked already, so nothing ends before it is answered.
	let open = 0;
	let made = 0;
	let idleSince = performance.now();
	let answeredAt = performance.now();
	let ended: Pick<WorkerEnd, "reason" | "message"> | undefined;
	const end = (reason: WorkerEnd["reason"], message: string | null = null): void => {
		ended ??= { reason, message };
		ending.abort(new Error("The worker ends."));
	};
	const endIll = ({ code, message }: OwnFault) => end("ill", `${code}: ${message}`);
	return {
		signal: ending.signal,
		take() {
			if (places <= 0) return false;
			places -= 1;
			open += 1;
			return true;
		},
		noteNoJob() {
			places += 1;
			open -= 1;
			answeredAt = performance.now();
			if (open === 0 && performance.now() - idleSince >= idleSeconds * 1000) end("idle");
		},
		noteJob(fault) {
			open -= 1;
			made += 1;
			idleSince = performance.now();
			answeredAt = idleSince;
			if (fault && isBounded(endsAfter)) endIll(fault);
		},
		noteFailure(error, pausedMilliseconds) {
			places += 1;
			open -= 1;
			const patience = Math.max(patienceMilliseconds, idleSeconds * 1000);
			const isRefused = isReelmillError(error) && [401, 403].includes(error.status);
			const isInVain = Math.max(pausedMilliseconds, performance.now() - answeredAt) > patience;
			if (idleSeconds !== Number.POSITIVE_INFINITY && open === 0 && (isRefused || isInVain))
				end("unanswered", error instanceof Error ? error.message : String(error));
		},
		waitSeconds(longest) {
			if (running.size > 0) return longest;
			const idleFor = (performance.now() - idleSince) / 1000;
			return Math.min(longest, Math.max(0, Math.ceil(idleSeconds - idleFor)));
		},
		endIll,
		end(gaveBack) {
			const reason = made >= jobs && !gaveBack ? "done" : "stopped";
			return { ...(ended ?? { reason, message: null }), gaveBack };
		},
	};
}

import type { Job } from "@reelmill/contracts";
import type { Sql } from "sql-template-tag";
import type { Pulse } from "../../background/index.ts";
import type { Parts } from "../../system/index.ts";
import type { Claimant } from "./claimant.ts";
import { mostKeptFrom } from "./prefer-others.ts";
import type { WaitingWorkers } from "./waiting-workers.ts";

/** Where the idle workers of one server wait together. */
export type WaitingRoom = {
	/**
	 * Resolves with the job that this worker gets, or with null if none came in time or `signal` aborted. Whoever came
	 * first is served first. The database is asked for one worker at a time, so that a hundred idle workers cost no more
	 * than one.
	 */
	wait(claimant: Claimant, milliseconds: number, signal?: AbortSignal): Promise<Job | null>;
	/** Asks for work at once: a job was queued by this server. */
	wake(): void;
};

type Waiter = {
	readonly claimant: Claimant;
	readonly settle: (answer: Job | null | Promise<Job | null>) => void;
	isBeingAskedFor: boolean;
	isOver: boolean;
};

/**
 * Workers that take the same kinds of jobs: if there is no job for one of them, there is none for the others, but for a
 * job that is kept from some of them.
 */
type Group = {
	readonly waiters: Set<Waiter>;
	isAsking: boolean;
	isWoken: boolean;
	/** When it was last known that no job waits for this group. */
	emptyAt: number;
};

/** A wait that ends looks for a job once more if nobody has looked for this long. */
const staleMilliseconds = 1500;

export function createWaitingRoom(
	{ clock }: Parts,
	{
		ask,
		isAnyKept,
		waitingWork,
		waitingWorkers,
		pulse,
	}: {
		/** Locks the next job for this worker, or returns null if none waits for it. */
		ask: (claimant: Claimant) => Promise<Job | null>;
		/** Returns whether a job waits that such a worker takes, and that is kept from some workers. */
		isAnyKept: (claimant: Claimant) => Promise<boolean>;
		/** SQL: whether anything waits for a worker at this moment. */
		waitingWork: (now: Date) => Sql;
		waitingWorkers: WaitingWorkers;
		pulse: Pulse;
	},
): WaitingRoom {
	const groups = new Map<string, Group>();
	const isOccupied = () => [...groups.values()].some(({ waiters }) => waiters.size > 0);
	const groupOf = ({ takesChunks, takesTranscripts, takesClips, takesPosters, takesSandbox }: Claimant): Group => {
		const key = JSON.stringify([takesChunks, takesTranscripts, takesClips, takesPosters, takesSandbox]);
		const group = groups.get(key) ?? { waiters: new Set(), isAsking: false, isWoken: false, emptyAt: 0 };
		groups.set(key, group);
		return group;
	};

	/**
	 * Serves the workers of the group in their order until one gets nothing. If it may be that a job is only kept from
	 * that one, goes on with the others. A job is kept from so few that it suffices to ask some of them.
	 */
	const serve = async (group: Group): Promise<void> => {
		group.isWoken = true;
		if (group.isAsking) return;
		group.isAsking = true;
		while (group.isWoken) {
			group.isWoken = false;
			const unserved = new Set<string>();
			for (const waiter of group.waiters) {
				const { worker } = waiter.claimant;
				if (unserved.has(worker)) continue;
				if (unserved.size > mostKeptFrom || (unserved.size > 0 && !(await mayBeKept(waiter.claimant)))) break;
				// It may have left meanwhile.
				if (group.waiters.has(waiter) && !(await serveOne(group, waiter))) unserved.add(worker);
			}
		}
		group.isAsking = false;
	};
	const mayBeKept = (claimant: Claimant): Promise<boolean> => isAnyKept(claimant).catch(() => false);
	/** Returns whether the worker got a job. */
	const serveOne = async (group: Group, waiter: Waiter): Promise<boolean> => {
		waiter.isBeingAskedFor = true;
		const job = ask(waiter.claimant);
		const isServed = await job.then(
			(found) => found !== null,
			() => null,
		);
		waiter.isBeingAskedFor = false;
		if (isServed === false) group.emptyAt = clock.elapsed();
		if (isServed !== false || waiter.isOver) {
			group.waiters.delete(waiter);
			waiter.settle(job);
		}
		return isServed === true;
	};
	const leave = (group: Group, waiter: Waiter, signal: AbortSignal | undefined): void => {
		waiter.isOver = true;
		if (waiter.isBeingAskedFor || !group.waiters.delete(waiter)) return;
		const isStale = clock.elapsed() - group.emptyAt > staleMilliseconds;
		// Don't claim a job for a worker that has disconnected: its lock would block the job until it expires.
		waiter.settle(isStale && !signal?.aborted ? ask(waiter.claimant) : null);
	};

	pulse.ask({
		question: () => (isOccupied() || waitingWorkers.isInUse() ? waitingWork(new Date(clock.now())) : null),
		answered(isThere) {
			for (const group of groups.values()) {
				if (isThere) void serve(group);
				else group.emptyAt = clock.elapsed();
			}
			waitingWorkers.refresh();
		},
	});

	return {
		async wait(claimant, milliseconds, signal) {
			const group = groupOf(claimant);
			const done = new AbortController();
			const { promise, resolve } = Promise.withResolvers<Job | null>();
			// It may fail while others are served, before it is waited for here.
			promise.catch(() => undefined);
			const waiter: Waiter = { claimant, settle: resolve, isBeingAskedFor: false, isOver: false };
			const isFirst = group.waiters.size === 0;
			group.waiters.add(waiter);
			const release = pulse.hold();
			const ends = clock.sleep(milliseconds, signal ? AbortSignal.any([signal, done.signal]) : done.signal);
			void ends.then(() => leave(group, waiter, signal));
			let leaveWaiting: ((isSoonBack: boolean) => void) | null = null;
			try {
				// Who comes while others wait knows that no job is there.
				if (isFirst) await serve(group);
				if (claimant.takesChunks && group.waiters.has(waiter)) leaveWaiting = await waitingWorkers.enter(claimant);
				const job = await promise;
				leaveWaiting?.(job === null && !signal?.aborted);
				return job;
			} catch (error) {
				leaveWaiting?.(false);
				throw error;
			} finally {
				done.abort();
				release();
			}
		},
		wake() {
			for (const group of groups.values()) void serve(group);
		},
	};
}

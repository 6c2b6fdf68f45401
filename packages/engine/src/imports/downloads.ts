import { limits } from "@reelmill/contracts";
import { createLoop, type Loop, type Pulse } from "../background/index.ts";
import { type Parts, untilDone } from "../system/index.ts";
import type { AfterChange, VideoStore } from "../videos/index.ts";
import type { FetchOptions, Run } from "./fetch-import.ts";
import { createFetchImport } from "./fetch-import.ts";
import { ImportFailure, ImportLost, type Outcome, outcomeOf } from "./outcome.ts";
import type { ImportRow } from "./row.ts";

/** Fetches imports in the background; several servers share the work. */
export type Downloads = {
	/** Fetches what is due. Wake it after an import was created. */
	readonly loop: Loop;
	/** Ends a run of this server whose import was cancelled. */
	forget(id: string): void;
	/** Cancels a video that only waits for its import. */
	abandon(videoId: string): Promise<void>;
	/** Fetches all that is due now. Resolves when it is here, has failed, or is to be tried later. */
	drain(): Promise<void>;
	/** Begins nothing further, and breaks off what runs, for another server to go on. Resolves when it has ended. */
	stop(): Promise<void>;
};

export type DownloadsOptions = FetchOptions & {
	readonly store: VideoStore;
	readonly pulse: Pulse;
	/** How many imports this server fetches at once. */
	readonly atOnce: number;
	readonly afterChange: AfterChange;
};

/** The pulse wakes the loop when something is due. By itself the loop looks this often, if a beat was missed. */
const unwokenMilliseconds = 60_000;
/** How often a run notes how far it is, and learns that it was cancelled. */
const keepMilliseconds = 2000;
/** How long a run tries to note what it came to. If that fails, its lease ends, and another run finds it out. */
const settleMilliseconds = 2000;

export function createDownloads(parts: Parts, options: DownloadsOptions): Downloads {
	const { clock, logger, observer } = parts;
	const { rows, store, pulse, atOnce, afterChange } = options;
	const fetchImport = createFetchImport(parts, options);
	const running = new Map<Run, Promise<void>>();
	let isStopping = false;

	/** Notes every few seconds how far the run is, until it is over. A run that lost its import is broken off. */
	const keep = async (run: Run, over: AbortSignal): Promise<void> => {
		while (true) {
			await clock.sleep(keepMilliseconds, over);
			if (over.aborted) return;
			await rows.keep(run.row, run.received).catch((error: unknown) => {
				if (error instanceof ImportLost) run.stopping.abort(error);
				else logger.warn({ error, importId: run.row.id }, "the progress of an import could not be noted");
			});
		}
	};

	const attempt = async (run: Run): Promise<Outcome> => {
		const over = new AbortController();
		const kept = keep(run, over.signal);
		try {
			if (run.row.created_at.getTime() + limits.imports.seconds * 1000 <= clock.now())
				throw new ImportFailure("import_expired");
			await fetchImport(run);
			return { kind: "done" };
		} catch (error) {
			if (isStopping) return { kind: "later", reason: null, at: clock.now(), attempts: run.row.attempts };
			const { aborted, reason } = run.stopping.signal;
			const outcome = outcomeOf(aborted ? reason : error, {
				attempts: run.row.attempts,
				now: clock.now(),
				progressed: run.fetched > 0,
			});
			if (outcome.kind === "later" && outcome.reason?.code === "internal_error")
				logger.error({ error, importId: run.row.id }, "an import could not go on");
			return outcome;
		} finally {
			over.abort();
			await kept;
		}
	};

	const abandon = async (videoId: string): Promise<void> => {
		const saved = await store.change(videoId, ({ state }) =>
			state === "pending_upload" ? { command: { type: "cancel" } } : null,
		);
		if (saved !== null) await afterChange(saved);
	};

	/** What is noted first counts: a video of an import that ended before is cancelled, one of another run is not. */
	const settle = async (run: Run, outcome: Outcome): Promise<void> => {
		const { id, video_id: videoId } = run.row;
		const isNoted = await rows.settle(run.row, outcome, run.received);
		if (isNoted)
			observer?.importAttempted?.({
				outcome: outcome.kind === "later" || outcome.kind === "lost" ? "waiting" : outcome.kind,
				bytes: run.fetched,
			});
		const isOver = isNoted ? outcome.kind === "failed" : await rows.hasEnded(id);
		if (videoId !== null && isOver) await abandon(videoId);
	};

	const begin = (row: ImportRow): void => {
		const run: Run = { row, received: row.bytes_received, fetched: 0, stopping: new AbortController() };
		const work = attempt(run)
			.then((outcome) => untilDone(clock, settleMilliseconds, () => settle(run, outcome)))
			.catch((error: unknown) => logger.warn({ error, importId: row.id }, "an import waits for its lease to end"))
			.finally(() => {
				running.delete(run);
				loop.wake();
			});
		running.set(run, work);
	};

	/** Starts to fetch what is due, as far as there is room, and returns how many imports. */
	const start = async (): Promise<number> => {
		if (isStopping || running.size >= atOnce) return 0;
		const domains = Map.groupBy(running.keys(), ({ row }) => row.domain_id);
		const counts = Object.fromEntries([...domains].map(([id, runs]) => [id, runs.length]));
		const taken = await rows.take(atOnce - running.size, counts);
		for (const row of taken) begin(row);
		return taken.length;
	};
	const work = async () => (await start()) > 0;
	const loop = createLoop(parts, { name: "imports", work, intervalMilliseconds: unwokenMilliseconds });
	pulse.ask({
		question: () => (running.size < atOnce ? rows.isDue() : null),
		answered: (isTrue) => isTrue && loop.wake(),
	});
	const idle = async () => void (await Promise.all(running.values()));

	return {
		loop,
		abandon,
		forget(id) {
			for (const run of running.keys()) if (run.row.id === id) run.stopping.abort(new ImportLost());
		},
		async drain() {
			while (await work()) await idle();
			await idle();
		},
		async stop() {
			isStopping = true;
			for (const run of running.keys()) run.stopping.abort();
			await loop.stop();
			await idle();
		},
	};
}

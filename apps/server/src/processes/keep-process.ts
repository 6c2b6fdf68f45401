import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "@reelmill/engine";
import type { Answers, Question, Started } from "./messages.ts";
import { createRestarts } from "./restarts.ts";
import type { AnsweringProcess } from "./run-process.ts";

/** A process that is started again whenever it ends. */
export type KeptProcess = {
	/** Resolves once the first start is over; rejects if that failed. */
	readonly started: Promise<Started>;
	/** From now on the process is started again when it ends. */
	keep(): void;
	/** Whether there is such a process now. */
	isRunning(): boolean;
	/** Whether it answers requests. */
	isServing(): boolean;
	/** How often it has ended by itself. */
	ends(): number;
	/** Whether its last starts all failed. */
	isHopeless(): boolean;
	/** Resolves to its answer; to null if it doesn't run, or doesn't answer in time. */
	ask<Q extends Question>(question: Q): Promise<Answers[Q] | null>;
	/** Stops it in order. Resolves when it has ended. */
	stop(): Promise<void>;
};

export type KeepOptions = {
	/** Its number, for the log. */
	readonly process: number;
	readonly run: () => AnsweringProcess;
	readonly logger: Logger;
	/** Called with the reason after each end that nobody asked for. */
	readonly onEnded: (reason: string) => void;
};

/** Starts a process. */
export function keepProcess({ process, run, logger, onEnded }: KeepOptions): KeptProcess {
	const restarts = createRestarts();
	const stopping = new AbortController();
	let [ends, servingSince, isRunning] = [0, Number.NaN, true];
	const begin = (): AnsweringProcess => {
		const next = run();
		isRunning = true;
		void next.ended.then(() => {
			isRunning = false;
		});
		void next.started.then(
			() => {
				servingSince = performance.now();
			},
			() => undefined,
		);
		return next;
	};
	let running = begin();
	const { started } = running;
	const keep = async () => {
		while (true) {
			const { pid, code, signal } = await running.ended;
			const served = Number.isNaN(servingSince) ? 0 : performance.now() - servingSince;
			servingSince = Number.NaN;
			if (stopping.signal.aborted) return;
			ends++;
			const wait = restarts.ended(served);
			const reason = await running.started.then(
				() => `process ${process} ended (${signal ?? `exit code ${code}`})`,
				(error: Error) => error.message,
			);
			logger.error(
				{ process, endedPid: pid, code, signal, reason, waitMilliseconds: wait },
				"a process of the server ended and is started again",
			);
			onEnded(reason);
			await sleep(wait, undefined, { signal: stopping.signal }).catch(() => undefined);
			if (stopping.signal.aborted) return;
			running = begin();
		}
	};
	return {
		started,
		keep: () => void keep(),
		isRunning: () => isRunning,
		isServing: () => !Number.isNaN(servingSince),
		ends: () => ends,
		isHopeless: restarts.isHopeless,
		ask: (question) => running.ask(question),
		async stop() {
			stopping.abort();
			if (!isRunning) return;
			const isServing = !Number.isNaN(servingSince);
			running.stop();
			const { code, signal } = await running.ended;
			// A start that was refused has said why.
			if (code !== 0 && isServing)
				logger.error({ process, code, signal }, "a process of the server did not stop in order");
		},
	};
}

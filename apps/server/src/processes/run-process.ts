import cluster from "node:cluster";
import { StartError } from "@reelmill/settings";
import { within } from "../operations/within.ts";
import type { OpenGround } from "../start/ground.ts";
import { closeUnreceived } from "./handed-connections.ts";
import type { Answers, Order, Question, Report, Started } from "./messages.ts";

/** How a process ended. */
export type End = { readonly pid: number | undefined; readonly code: number | null; readonly signal: string | null };

/** A process that answers requests, as the primary sees it. */
export type AnsweringProcess = {
	/** Resolves once it answers requests. Rejects if it ends before; with a {@link StartError} if it says why. */
	readonly started: Promise<Started>;
	/** Resolves when it has ended, however that came. */
	readonly ended: Promise<End>;
	/** Resolves to its answer; to null if it doesn't answer in time. */
	ask<Q extends Question>(question: Q): Promise<Answers[Q] | null>;
	/** Tells it to stop in order. */
	stop(): void;
};

export type ProcessOptions = {
	/** Tells it from the others, from 1 on. */
	readonly process: number;
	/** How many processes the server has. */
	readonly processes: number;
	/** What it listens on: the setting, or the port that the server got. */
	readonly port: number;
	/** The port that the server got; null for the process that the server starts with. */
	readonly openPort: number | null;
	/** Opens what the server has once; called by each process that starts. */
	readonly openGround: OpenGround;
};

/** Longer than an answer takes that waits for a silent database or disk. */
const patienceMilliseconds = 5000;

/** Starts a process that answers requests on the port of the whole server. */
export function runProcess({ openGround, ...place }: ProcessOptions): AnsweringProcess {
	const child = cluster.fork();
	closeUnreceived(child.process);
	const started = Promise.withResolvers<Started>();
	const ended = Promise.withResolvers<End>();
	const answers = new Map<number, (value: unknown) => void>();
	let asked = 0;
	// A process that is gone takes no orders, and its end says so.
	const order = (text: Order) => child.isConnected() && child.send(text, () => undefined);
	const prepare = async (baseUrl: string) => {
		try {
			const { databaseUrl } = await openGround(baseUrl);
			order({ kind: "ground", databaseUrl });
		} catch (error) {
			started.reject(error);
		}
	};
	child.on("message", (report: Report) => {
		switch (report.kind) {
			case "ground":
				void prepare(report.baseUrl);
				break;
			case "started":
				started.resolve(report.started);
				break;
			case "refused":
				started.reject(new StartError(report.message));
				break;
			case "answer":
				answers.get(report.id)?.(report.value);
		}
	});
	const finish = (code: number | null, signal: string | null, error?: Error) => {
		const how = error?.message ?? signal ?? `exit code ${code}`;
		started.reject(new StartError(`Process ${place.process} of the server ended while it started (${how}).`));
		ended.resolve({ pid: child.process.pid, code, signal });
	};
	child.once("exit", finish);
	child.on("error", (error) => finish(null, null, error));
	order({ kind: "start", ...place });
	// Whoever doesn't wait for the start hears of the end.
	started.promise.catch(() => undefined);
	return {
		started: started.promise,
		ended: ended.promise,
		async ask(question) {
			const id = asked++;
			const answer = new Promise<never>((resolve) => answers.set(id, resolve as (value: unknown) => void));
			order({ kind: "ask", id, question });
			const value = await within(Promise.race([answer, ended.promise.then(() => null)]), patienceMilliseconds);
			answers.delete(id);
			return value;
		},
		stop: () => void order({ kind: "stop" }),
	};
}

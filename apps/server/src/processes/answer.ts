import { StartError } from "@reelmill/settings";
import type { Config } from "../config.ts";
import { createProcessLogger } from "../process-logger.ts";
import type { Ground } from "../start/ground.ts";
import { shareOf } from "../start/share-of.ts";
import { type Answering, startAnswering } from "../start/start-answering.ts";
import type { Answers, Order, Question, Report } from "./messages.ts";

/** Resolves when the primary has it, or is gone. */
const report = (text: Report) =>
	new Promise<void>((resolve) => process.send?.(text, undefined, undefined, () => resolve()));

/**
 * Answers requests as one of several processes, from the primary's order to start until its order to stop. If the
 * primary ends, this process ends at once. A signal that was meant for all of them, such as Ctrl-C, reaches each: only
 * the primary follows it.
 */
export function answer(config: Config): void {
	for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => undefined);
	const ground = Promise.withResolvers<Ground>();
	ground.promise.catch(() => undefined);
	let starting: Promise<Answering> | undefined;
	let isStopping = false;

	const start = async (order: Order & { kind: "start" }): Promise<Answering> => {
		const share = { ...shareOf(config, order.process, order.processes), PORT: order.port };
		const openGround = (baseUrl: string) => {
			void report({ kind: "ground", baseUrl });
			return ground.promise;
		};
		const logger = createProcessLogger(config, order.process);
		const { process, openPort } = order;
		const answering = await startAnswering(share, logger, { openGround, process, openPort: openPort ?? undefined });
		const { baseUrl, tenant, port } = answering;
		const console = openPort === null ? await answering.openConsole() : null;
		void report({ kind: "started", started: { baseUrl, tenant, port, console } });
		return answering;
	};
	const refuse = async (error: Error) => {
		if (isStopping) return;
		if (!(error instanceof StartError)) throw error;
		await report({ kind: "refused", message: error.message });
		process.exit(1);
	};
	const tell = async ({ id, question }: Order & { kind: "ask" }) => {
		const answering = await starting?.catch(() => undefined);
		const value = answering === undefined ? null : await answerTo(answering, question);
		await report({ kind: "answer", id, value });
	};
	const stop = async () => {
		isStopping = true;
		ground.reject(new Error("the server stops"));
		const answering = await starting?.catch(() => undefined);
		await answering?.stop();
		process.exit(0);
	};
	process.on("message", (order: Order) => {
		switch (order.kind) {
			case "start":
				starting = start(order);
				void starting.catch(refuse);
				break;
			case "ground":
				ground.resolve({ databaseUrl: order.databaseUrl, close: async () => undefined });
				break;
			case "ask":
				void tell(order);
				break;
			case "stop":
				void stop();
		}
	});
}

async function answerTo({ ready, metrics }: Answering, question: Question): Promise<Answers[Question] | null> {
	if (question === "ready") return ready();
	return metrics === null ? null : metrics.values(question === "own metrics" ? "process" : "common");
}

import cluster from "node:cluster";
import { runProgram } from "@reelmill/settings";
import { type Config, help, readConfig } from "./config.ts";
import { createProcessLogger } from "./process-logger.ts";
import type { RunningServer } from "./server.ts";
import { processesOf } from "./start/share-of.ts";
import { version } from "./version.ts";
import { welcome } from "./welcome.ts";

const say = (text: string) => process.stdout.write(`${text}\n`);

/** Starts the server, in this process or in several. */
async function start(settings: Config): Promise<RunningServer> {
	const logger = createProcessLogger(settings);
	// Loaded only now: --help and the refusal of a setting need nothing of it, and it takes most of the time.
	const processes = processesOf(settings);
	if (processes === 1) {
		const { startServer } = await import("./server.ts");
		return startServer(settings, logger, say);
	}
	const { startProcesses } = await import("./processes/start-processes.ts");
	const server = await startProcesses(settings, logger, say, processes);
	void server.failed.then(({ message }) => {
		process.stderr.write(`${message}\n`);
		process.exit(1);
	});
	return server;
}

if (cluster.isWorker) {
	const { answer } = await import("./processes/answer.ts");
	answer(readConfig());
} else {
	const program = {
		help,
		version,
		readConfig: () => readConfig(),
		async start(settings: Config) {
			const { logLife } = await import("./log-life.ts");
			// These two lines tell one life of the server from the next, so they are there at every level.
			const server = await logLife(await start(settings), settings, createProcessLogger({ LOG_LEVEL: "info" }));
			say(welcome(server));
			return server;
		},
	};
	await runProgram(program, process);
}

#!/usr/bin/env node
import "./thread-pool.ts";
import cluster from "node:cluster";
import { SettingsError } from "@reelmill/settings";
import { type Config, help, readConfig } from "./config.ts";
import { createProcessLogger } from "./process-logger.ts";
import { processesOf } from "./processes/share-of.ts";
import type { RunningServer } from "./server.ts";
import { StartError } from "./start/start-error.ts";
import { version } from "./version.ts";
import { welcome } from "./welcome.ts";

const say = (text: string) => process.stdout.write(`${text}\n`);

function refuse(message: string): never {
	process.stderr.write(`${message}\n`);
	process.exit(1);
}

function config(): Config {
	const [unknown] = process.argv.slice(2);
	if (unknown !== undefined) refuse(`${unknown} is not an option of this program; --help lists its settings.`);
	try {
		return readConfig();
	} catch (error) {
		if (error instanceof SettingsError) refuse(error.message);
		throw error;
	}
}

/** Starts the server, in this process or in several. */
async function start(settings: Config): Promise<RunningServer> {
	const logger = createProcessLogger(settings);
	try {
		// Loaded only now: --help and the refusal of a setting need nothing of it, and it takes most of the time.
		const processes = processesOf(settings);
		if (processes === 1) {
			const { startServer } = await import("./server.ts");
			return await startServer(settings, logger, say);
		}
		const { startProcesses } = await import("./processes/start-processes.ts");
		const server = await startProcesses(settings, logger, say, processes);
		void server.failed.then(({ message }) => refuse(message));
		return server;
	} catch (error) {
		if (error instanceof StartError) refuse(error.message);
		throw error;
	}
}

/**
 * Stops the server in order on SIGINT and SIGTERM, even while it still starts. One Ctrl-C can arrive several times,
 * through the process group and through npm, so only a signal that comes more than a second later ends the process at
 * once.
 */
function stopOnSignal(starting: Promise<RunningServer>): void {
	let asked: number | undefined;
	for (const signal of ["SIGINT", "SIGTERM"] as const) {
		process.on(signal, () => {
			if (asked !== undefined) {
				if (performance.now() - asked > 1000) process.exit(1);
				return;
			}
			asked = performance.now();
			void starting.then((server) => server.stop()).then(() => process.exit(0));
		});
	}
}

if (cluster.isWorker) {
	const { answer } = await import("./processes/answer.ts");
	answer(config());
} else if (process.argv.includes("--help")) say(help);
else if (process.argv.includes("--version")) say(version);
else {
	const starting = start(config());
	stopOnSignal(starting);
	say(welcome(await starting));
}

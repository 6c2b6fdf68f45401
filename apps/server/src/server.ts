import { createThrottledLogger, type Logger, systemClock } from "@reelmill/engine";
import type { Config } from "./config.ts";
import { openGround } from "./start/ground.ts";
import { openOperations } from "./start/open-operations.ts";
import { type Answering, type StartedServer, startAnswering } from "./start/start-answering.ts";

export type RunningServer = StartedServer & {
	/** Stops the server in order. Resolves when nothing is left. */
	stop(): Promise<void>;
};

/**
 * Starts the reference server in this process, and resolves when it answers requests. If something fails, everything
 * that was opened is closed again.
 *
 * @throws {StartError} when the start can't go on; the message says what is wrong and what to do.
 */
export async function startServer(
	config: Config,
	givenLogger: Logger,
	onProgress: (step: string) => void,
): Promise<RunningServer> {
	const logger = createThrottledLogger(givenLogger, systemClock);
	const operations = await openOperations(config, logger);
	let answering: Answering | undefined;
	const stop = async () => {
		await answering?.stop();
		await operations?.close();
	};
	try {
		answering = await startAnswering(config, givenLogger, {
			openGround: (address) => openGround(config, 1, logger, onProgress, address),
		});
		const { baseUrl, tenant, metrics, ready } = answering;
		if (metrics !== null) operations?.show({ ready, metrics });
		return {
			baseUrl,
			tenant,
			console: await answering.openConsole(),
			operationsPort: operations?.port ?? null,
			stop,
		};
	} catch (error) {
		await stop();
		throw error;
	}
}

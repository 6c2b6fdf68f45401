import { join } from "node:path";
import { type Clock, type Database, type EngineOptions, systemClock } from "@reelmill/engine";
import { createLocalObjectStorage, createLocalUploadStore } from "@reelmill/storage-local";

const nothing = () => undefined;

/**
 * Caches that last two seconds are read anew again and again by a server that Valgrind slows down. So time goes by more
 * slowly for such a server.
 */
const slowClock: Clock = { ...systemClock, elapsed: () => performance.now() / 1000 };

/**
 * Returns the options of an engine for benchmarks: it stores below `directory`, sends webhooks nowhere and logs errors
 * only.
 */
export const engineOptions = (database: Database, directory: string) =>
	({
		database,
		uploads: createLocalUploadStore({ directory: join(directory, "uploads") }),
		outputs: createLocalObjectStorage({ directory: join(directory, "outputs") }),
		webhookTransport: {
			send: async () => ({ status: 200, error: null }),
			refusal: () => null,
			close: async () => undefined,
		},
		logger: { debug: nothing, info: nothing, warn: nothing, error: console.error },
		masterKey: new Uint8Array(32),
		baseUrl: "http://127.0.0.1",
		...(process.env["BENCH_SLOW_CLOCK"] === "on" && { clock: slowClock }),
	}) satisfies EngineOptions;

/** The options of Node's server that `@reelmill/server` sets as well. */
export const serverOptions = { keepAliveTimeout: 65_000, optimizeEmptyRequests: true };

import { join } from "node:path";
import type { Database, EngineOptions } from "@reelmill/engine";
import { createLocalObjectStorage, createLocalUploadStore } from "@reelmill/storage-local";

const nothing = () => undefined;

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
	}) satisfies EngineOptions;

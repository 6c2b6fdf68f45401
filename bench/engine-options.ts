import { join } from "node:path";
import type { Database, EngineOptions } from "@reelmill/engine";
import { createLocalObjectStorage, createLocalUploadStore } from "@reelmill/storage-local";

const nothing = () => undefined;

/** An engine as benchmarks have it: bytes below `directory`, webhooks that go nowhere, a log of errors alone. */
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

import { createEngine, type EngineOptions } from "@reelmill/engine";
import { createPostgresDatabase } from "@reelmill/postgres";
import { createLocalObjectStorage, createLocalUploadStore } from "@reelmill/storage-local";

export async function openEngine(
	databaseUrl: string,
	directory: string,
	rest: Pick<EngineOptions, "masterKey" | "logger" | "webhookTransport">,
) {
	const database = createPostgresDatabase({ url: databaseUrl });
	const uploads = createLocalUploadStore({ directory: `${directory}/uploads` });
	const outputs = createLocalObjectStorage({ directory: `${directory}/outputs` });
	const engine = createEngine({ ...rest, database, uploads, outputs, baseUrl: "https://video.example.com" });
	await engine.start();
	return engine;
}

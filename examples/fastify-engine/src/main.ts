import { mkdir } from "node:fs/promises";
import { createPostgresDatabase } from "@reelmill/postgres";
import { startEmbeddedPostgres } from "@reelmill/postgres/embedded";
import { createApplication } from "./application.ts";
import { openService } from "./service.ts";

const { PORT = "8790", DIRECTORY = "./fastify-engine-data", DATABASE_URL } = process.env;
const baseUrl = `http://127.0.0.1:${PORT}`;
const logger = { debug() {}, info: console.log, warn: console.warn, error: console.error };

await mkdir(DIRECTORY, { recursive: true });
const postgres = DATABASE_URL ? null : await startEmbeddedPostgres({ directory: `${DIRECTORY}/postgres` });
const database = createPostgresDatabase({ url: DATABASE_URL ?? (postgres?.url as string), logger });
const service = await openService({ database, directory: DIRECTORY, baseUrl, logger });
const application = await createApplication(service);
await application.listen({ port: Number(PORT), host: "127.0.0.1" });
service.worker.start();
console.log(`Open ${baseUrl}`);

async function stop(): Promise<void> {
	await service.worker.stop(); // gives a running job back
	await application.close();
	await service.close();
	await database.close();
	await postgres?.stop();
}
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void stop());

import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createEngine, type Database, type Engine, type Logger, type TenantPrincipal } from "@reelmill/engine";
import { checkTools } from "@reelmill/media";
import { createWebhookTransport } from "@reelmill/outbound";
import { createSqliteObjectStorage, createSqliteUploadStore, openSqliteFile } from "@reelmill/storage-adapter-example";
import { createWorker, type Worker } from "@reelmill/worker";

export type ServiceOptions = {
	readonly database: Database;
	readonly directory: string;
	readonly baseUrl: string;
	readonly logger: Logger;
};
export type Service = {
	readonly engine: Engine;
	/** Stands for the only domain of this application: the engine is asked without an API key. */
	readonly principal: TenantPrincipal;
	/** Encodes in this process; it reaches the service by its address. */
	readonly worker: Worker;
	close(): Promise<void>;
};

/** The engine over a PostgreSQL and a SQLite file, with one domain and one worker. */
export async function openService({ database, directory, baseUrl, logger }: ServiceOptions): Promise<Service> {
	const file = openSqliteFile(join(directory, "videos.sqlite"));
	const webhookTransport = createWebhookTransport({ allow: [] });
	const engine = createEngine({
		database,
		uploads: createSqliteUploadStore(file),
		outputs: createSqliteObjectStorage(file),
		webhookTransport,
		masterKey: await keptKey(join(directory, "master.key")),
		baseUrl,
		logger,
	});
	await engine.start();
	const domain =
		(await engine.domains.findBySlug("videos")) ?? (await engine.domains.create({ slug: "videos" })).domain;
	await engine.domains.updateConfig(domain.id, { renditions: ["h264_720"] });
	const { issueToken } = await engine.accounts.ensure({ name: "worker" });
	const worker = createWorker({
		apiUrl: baseUrl,
		name: "worker",
		issueToken,
		workDirectory: join(directory, "work"),
		tools: await checkTools({ ffmpeg: "ffmpeg", ffprobe: "ffprobe" }, process.env.PATH),
		logger,
	});
	return {
		engine,
		principal: { kind: "domain", domainId: domain.id, keyId: null, sessionId: null },
		worker,
		async close() {
			await engine.stop();
			await webhookTransport.close();
			file.close();
		},
	};
}

/** Reads the master key, or makes one at the first start. Everything that was signed depends on it. */
async function keptKey(path: string): Promise<Uint8Array> {
	await writeFile(path, randomBytes(32), { flag: "wx", mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
		if (error.code !== "EEXIST") throw error;
	});
	return readFile(path);
}

import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEngine, type PlatformLocation } from "@reelmill/engine";
import { createRecordingLogger } from "@reelmill/engine/testing";
import { createNodeListener, guardServer } from "@reelmill/http";
import { createWebhookTransport } from "@reelmill/outbound";
import { openTestDatabase } from "@reelmill/postgres/testing";
import {
	createSqliteBucketOpener,
	createSqliteObjectStorage,
	createSqliteUploadStore,
	openSqliteFile,
} from "../../src/index.ts";

const ofSqlite = {
	owner: "platform",
	protocol: "sqlite",
	endpoint: null,
	publicEndpoint: null,
	credentials: null,
	options: {},
} as const;
const locationOf = (id: string): PlatformLocation => ({
	id,
	name: `SQLite, ${id}`,
	region: "",
	bucket: { ...ofSqlite, bucket: id, keyPrefix: "videos" },
});

/**
 * Starts an engine over SQLite files behind a real server. One file is for domains that chose nothing, and one can be
 * chosen as the location `cold`.
 */
export async function openService({ writeOnly = false } = {}) {
	const directory = await mkdtemp(join(tmpdir(), "sqlite-service-"));
	await writeFile(join(directory, "cold.sqlite"), "");
	const { database, close: closeDatabase } = await openTestDatabase({
		serverUrl: process.env.REELMILL_TEST_DATABASE_URL,
	});
	const server = guardServer(createServer(), { logger: createRecordingLogger() }).listen(0, "127.0.0.1");
	await once(server, "listening");
	const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const masterKey = new Uint8Array(32).fill(7);
	const webhookTransport = createWebhookTransport({ allow: [] });
	const logger = createRecordingLogger();

	const file = openSqliteFile(join(directory, "videos.sqlite"));
	const engine = createEngine({
		uploads: createSqliteUploadStore(file, { writeOnly }),
		outputs: createSqliteObjectStorage(file, { writeOnly }),
		buckets: createSqliteBucketOpener({ directory, writeOnly }),
		storageLocations: [locationOf("cold"), locationOf("missing")],
		...{ database, webhookTransport, logger, masterKey, baseUrl },
	});
	await engine.start();
	server.on("request", createNodeListener(engine));

	const ask = async (path: string, { json, ...init }: RequestInit & { json?: unknown } = {}) => {
		const headers = { ...init.headers, ...(json !== undefined && { "content-type": "application/json" }) };
		const answer = await fetch(baseUrl + path, {
			...init,
			headers,
			...(json !== undefined && { body: JSON.stringify(json) }),
			redirect: "manual",
		});
		const text = await answer.text();
		const isJson = answer.headers.get("content-type")?.startsWith("application/json");
		return { status: answer.status, headers: answer.headers, text, json: isJson ? JSON.parse(text) : undefined };
	};
	return {
		engine,
		/** The file of domains that chose nothing. */
		file,
		ask,
		/** A domain's key and a worker's, each as a header. */
		async credentials(slug: string) {
			const { domain, api_key } = await engine.domains.create({ slug });
			await engine.domains.updateConfig(domain.id, {
				default_visibility: "public",
				outputs: { hls: false, og_thumbnail: false },
			});
			const { secret } = await engine.accounts.ensure({ name: "worker" });
			const issued = await ask("/internal/v1/token", { method: "POST", json: { name: "worker", secret } });
			return {
				tenant: { authorization: `Bearer ${api_key}` },
				worker: { authorization: `Bearer ${issued.json.token}` },
			};
		},
		/** Initiates a video and sends it by tus in two parts. */
		async upload(tenant: { authorization: string }, bytes: Buffer): Promise<string> {
			const created = await ask("/v1/videos", {
				method: "POST",
				headers: tenant,
				json: { content_type: "video/mp4", file_size: bytes.length },
			});
			const { video, upload } = created.json;
			const tus = { authorization: `Bearer ${upload.token}`, "tus-resumable": "1.0.0" };
			const metadata = `video_id ${Buffer.from(video.id).toString("base64")}`;
			await ask("/uploads", {
				method: "POST",
				headers: { ...tus, "upload-length": String(bytes.length), "upload-metadata": metadata },
			});
			const half = bytes.length >> 1;
			for (const [offset, body] of [[0, bytes.subarray(0, half)] as const, [half, bytes.subarray(half)] as const]) {
				const headers = { ...tus, "content-type": "application/offset+octet-stream", "upload-offset": String(offset) };
				const answer = await ask(`/uploads/${video.id}`, { method: "PATCH", headers, body: Uint8Array.from(body) });
				if (answer.status !== 204) throw new Error(`PATCH answered ${answer.status}: ${answer.text}`);
			}
			return video.id;
		},
		async close() {
			server.closeAllConnections();
			server.close();
			await engine.stop();
			file.close();
			await Promise.all([webhookTransport.close(), closeDatabase()]);
			await rm(directory, { recursive: true });
		},
	};
}

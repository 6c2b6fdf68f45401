import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { createPostgresDatabase } from "@reelmill/postgres";
import { startEmbeddedPostgres } from "@reelmill/postgres/embedded";
import { startReferenceServer } from "../reference-server.ts";
import { cpuSecondsOf } from "../server-process.ts";
import { copyRows, printSizes } from "./database.ts";
import { createLives } from "./lives.ts";
import { makeOutputs } from "./outputs.ts";

const adminKey = "the-admin-key-of-a-benchmark-of-sizing";
/** How many videos the database's bytes are measured with. */
const rows = 200_000;
const idleSeconds = 20;

type Meter = (what: string, count: number, unit: string, run: () => Promise<void>) => Promise<void>;

/**
 * Takes `videos` videos through their lives on a server and a PostgreSQL of their own: initiates, uploads of a real
 * clip, jobs whose outputs are those of one real job, webhooks, viewers. Prints what each step costs both in CPU time
 * and in statements. Copies their rows until there are 200,000 videos, and prints the bytes of each table.
 */
export async function sizingService(videos = 200): Promise<void> {
	const directory = await mkdtemp(join(tmpdir(), "reelmill-bench-"));
	const outputs = await makeOutputs(directory);
	const told = new Set<string>();
	const receiver = await receiveWebhooks(told);
	const postgres = await startEmbeddedPostgres({ directory: join(directory, "postgres") });
	const database = createPostgresDatabase({ url: postgres.url, statementTimeoutMilliseconds: 1_800_000 });
	const server = await startReferenceServer({
		REELMILL_DATA_DIR: join(directory, "data"),
		REELMILL_DATABASE_URL: postgres.url,
		REELMILL_ADMIN_KEY: adminKey,
		REELMILL_EMBEDDED_WORKERS: "0",
		REELMILL_WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
		REELMILL_LOG_LEVEL: "warn",
	});
	try {
		const { url, operations } = server;
		const measure = createMeter(server.child.pid as number, postgres.pid, operations);
		const lives = await createLives({ url, adminKey, webhook: receiver.url, videos, outputs });
		await wait(2000);
		await measure("nothing at all", idleSeconds, "second", () => wait(idleSeconds * 1000));
		await measure("initiate", videos, "video", lives.initiate);
		await measure(`upload of ${(outputs.source.length / 1e6).toFixed(1)} MB`, videos, "video", lives.upload);
		await measure(
			`job, with ${(outputs.archive.length / 1e6).toFixed(1)} MB of outputs, and its webhook`,
			videos,
			"video",
			async () => {
				await lives.work();
				while (told.size < videos) await wait(50);
			},
		);
		await measure("a key and three playlists", videos, "view", lives.play);
		await measure("six ranges of tracks", videos, "view", lives.watch);
		await measure("authenticated get", videos, "request", lives.get);
	} finally {
		await server.stop();
		receiver.close();
	}
	try {
		await copyRows(database, Math.round(rows / videos));
		await printSizes(database);
	} finally {
		await database.close();
		await postgres.stop();
		await rm(directory, { recursive: true, force: true });
	}
}

/** Returns what runs a step and prints what it cost the server and PostgreSQL. */
function createMeter(server: number, postgres: number, operations: string): Meter {
	const look = async () => {
		const text = await (await fetch(`${operations}/metrics`)).text();
		const counts = text.matchAll(/^reelmill_database_statement_duration_seconds_count\S* (\d+)$/gm);
		const statements = [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
		return { server: cpuSecondsOf(server), postgres: cpuSecondsOf(postgres), statements };
	};
	return async (what, count, unit, run) => {
		const before = await look();
		await run();
		const after = await look();
		const milliseconds = (side: "server" | "postgres") => (((after[side] - before[side]) * 1000) / count).toFixed(2);
		console.log(
			`sizing-service: ${what}: ${milliseconds("server")} ms of the server, ${milliseconds("postgres")} ms of PostgreSQL,`,
			`${((after.statements - before.statements) / count).toFixed(1)} statements for each ${unit}`,
		);
	};
}

/** Takes every webhook, and notes which videos are ready. */
async function receiveWebhooks(told: Set<string>) {
	const server = createServer(async (request, response) => {
		let text = "";
		for await (const part of request) text += part;
		const { type, data } = JSON.parse(text);
		if (type === "video.ready") told.add(data.video.id);
		response.writeHead(204).end();
	});
	await once(server.listen(0, "127.0.0.1"), "listening");
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
		close() {
			server.closeAllConnections();
			server.close();
		},
	};
}

import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CreatedVideo, Video } from "@reelmill/contracts";
import { openTestDatabase } from "@reelmill/postgres/testing";
import { afterEach, expect, it } from "vitest";
import { type OpenServer, openServer } from "./support/open-server.ts";

const cleanUp: (() => Promise<unknown>)[] = [];
afterEach(async () => {
	for (const step of cleanUp.splice(0).reverse()) await step();
});

it("changes its master key by the steps of the guide, and /metrics says how far it is", async () => {
	const directory = await mkdtemp(join(tmpdir(), "reelmill-master-key-"));
	cleanUp.push(() => rm(directory, { recursive: true, force: true }));
	const database = await openTestDatabase({
		serverUrl: process.env.REELMILL_TEST_DATABASE_URL,
		template: process.env.REELMILL_TEST_DATABASE_TEMPLATE,
	});
	cleanUp.push(database.close);
	const start = async (settings: Record<string, string> = {}): Promise<OpenServer> => {
		const server = await openServer(directory, database.url, settings);
		cleanUp.push(server.stop);
		return server;
	};

	const first = await start();
	const { auth } = first;
	const send = async (server: OpenServer, method: string, path: string, body: object) =>
		(
			await fetch(`${server.url}${path}`, {
				method,
				headers: { ...auth, "content-type": "application/json" },
				body: JSON.stringify(body),
			})
		).json();
	await send(first, "PATCH", "/v1/domain/config", { webhook_secret: "whsec_tenant" });
	const { upload } = (await send(first, "POST", "/v1/videos", {
		content_type: "video/mp4",
		file_size: 10,
	})) as CreatedVideo;
	await send(first, "POST", "/v1/videos", { content_type: "video/mp4", file_size: 10 });
	const list = async (server: OpenServer, cursor: string) =>
		(await (await fetch(`${server.url}/v1/videos?limit=1${cursor}`, { headers: auth })).json()) as {
			data: Video[];
			next_cursor: string;
		};
	const { next_cursor: cursor } = await list(first, "");
	const [sealed] = await database.database.query({
		text: "select webhook_secret from reelmill.domains where slug = 'default'",
		values: [],
	});
	await first.stop();

	const previous = (await readFile(join(directory, "master.key"), "utf8")).trim();
	const second = await start({ MASTER_KEY: randomBytes(32).toString("hex"), MASTER_KEY_PREVIOUS: previous });
	const head = await fetch(`${second.url}/uploads/${upload.metadata.video_id}`, {
		method: "HEAD",
		headers: { authorization: `Bearer ${upload.token}`, "tus-resumable": "1.0.0" },
	});
	// Not created yet, but known: another key's token is 401.
	expect(head.status).toBe(404);
	expect((await list(second, `&cursor=${cursor}`)).data).toHaveLength(1);
	const isSealedAnew = async () =>
		(
			await database.database.query({
				text: "select webhook_secret from reelmill.domains where slug = 'default'",
				values: [],
			})
		)[0]?.webhook_secret !== sealed?.webhook_secret;
	await expect.poll(isSealedAnew).toBe(true);
	const metrics = await (await fetch(`${second.operations}/metrics`)).text();
	expect(metrics).toMatch(/^reelmill_master_key_previous_secrets 0$/m);
	expect(metrics).toMatch(/^reelmill_master_key_previous_needed 1$/m);
});

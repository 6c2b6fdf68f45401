import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createReelmill, createReelmillAdmin } from "@reelmill/node";
import { openTestDatabase, type TestDatabase } from "@reelmill/postgres/testing";
import { afterAll, beforeAll, expect, it } from "vitest";

const program = fileURLToPath(new URL("../src/main.ts", import.meta.url));
const adminKey = "an-admin-key-of-at-least-32-characters";
let directory: string;
let database: TestDatabase;
let baseUrl: string;
beforeAll(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-embedding-"));
	const template = process.env.REELMILL_TEST_DATABASE_TEMPLATE;
	database = await openTestDatabase({ serverUrl: process.env.REELMILL_TEST_DATABASE_URL, template });
	baseUrl = `http://127.0.0.1:${await freePort()}`;
});
afterAll(async () => {
	await database.close();
	await rm(directory, { recursive: true });
});

async function freePort(): Promise<number> {
	const server = createServer().listen(0, "127.0.0.1");
	await once(server, "listening");
	const address = server.address();
	server.close();
	await once(server, "close");
	if (address === null || typeof address === "string") throw new Error("no port");
	return address.port;
}

async function start() {
	const child = spawn(process.execPath, [program], {
		env: {
			DATABASE_URL: database.url,
			MASTER_KEY: "17".repeat(32),
			ADMIN_KEY: adminKey,
			BASE_URL: baseUrl,
			DIRECTORY: directory,
		},
		stdio: ["ignore", "pipe", "inherit"],
	});
	let output = "";
	await new Promise<void>((resolve, reject) => {
		child.once("exit", () => reject(new Error(`it ended before it listened: ${output}`)));
		child.stdout.on("data", (text) => {
			output += text;
			if (output.includes(baseUrl)) resolve();
		});
	});
	return {
		async stop() {
			child.kill("SIGTERM");
			const [code] = child.exitCode === null ? await once(child, "exit") : [child.exitCode];
			return code;
		},
	};
}

it("serves the API beside a route of its own, stops in order, and goes on where it was", async () => {
	const first = await start();
	expect(await (await fetch(`${baseUrl}/hello`)).text()).toBe("my own\n");
	expect(await (await fetch(`${baseUrl}/v1/health`)).json()).toMatchObject({ status: "ok" });
	const { api_key: apiKey } = await createReelmillAdmin({ baseUrl, adminKey }).domains.create({ slug: "mine" });
	const tenant = createReelmill({ baseUrl, apiKey });
	const { video, upload } = await tenant.videos.create({ content_type: "video/mp4", file_size: 1000 });
	expect(upload.endpoint.startsWith(`${baseUrl}/uploads`)).toBe(true);
	expect(await first.stop()).toBe(0);

	const second = await start();
	expect(await tenant.videos.get(video.id)).toMatchObject({ state: "pending_upload" });
	expect(await second.stop()).toBe(0);
});

it("stands in the guide as it is", async () => {
	const [guide, source] = await Promise.all([
		readFile(new URL("../../../docs/guides/embedding.md", import.meta.url), "utf8"),
		readFile(program, "utf8"),
	]);
	expect(guide).toContain(`\`\`\`ts\n${source}\`\`\``);
});

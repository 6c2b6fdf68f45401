import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { Agent, get, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openTestDatabase, type TestDatabase } from "@reelmill/postgres/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { publish, type RunningProcess, runServer } from "./support/running-server.ts";

const openFiles = 90;
let directory: string;
let database: TestDatabase;
let server: RunningProcess;
beforeAll(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-descriptors-"));
	database = await openTestDatabase({
		serverUrl: process.env.REELMILL_TEST_DATABASE_URL,
		template: process.env.REELMILL_TEST_DATABASE_TEMPLATE,
	});
	server = await runServer(
		directory,
		database.url,
		{ WAITING_CONNECTIONS: "1000", WAITING_CONNECTIONS_PER_ADDRESS: "1000" },
		openFiles,
	);
});
afterAll(async () => {
	server?.child.kill("SIGKILL");
	await server?.ended;
	await database?.close();
	await rm(directory, { recursive: true, force: true });
});

/** A request on a connection that is kept. */
async function ask(
	agent: Agent,
	path: string,
): Promise<{ status: number | undefined; retryAfter: string | undefined; error: unknown }> {
	const [answer] = (await once(get(server.url + path, { agent, headers: server.auth }), "response")) as [
		IncomingMessage,
	];
	const parts: Buffer[] = [];
	for await (const part of answer) parts.push(part as Buffer);
	const { "retry-after": retryAfter, "content-type": type } = answer.headers;
	return {
		status: answer.statusCode,
		retryAfter,
		error: type?.startsWith("application/json") ? JSON.parse(Buffer.concat(parts).toString()).error : undefined,
	};
}

it("without a descriptor left lives on, answers 503 with Retry-After, logs it once, and recovers by itself", async () => {
	const film = `/videos/${await publish(directory, database.url, randomBytes(400_000))}/web.mp4`;
	const agent = new Agent({ keepAlive: true, maxSockets: 1 });
	expect((await ask(agent, "/v1/domain")).status).toBe(200);
	const { port } = new URL(server.url);
	const held: Socket[] = [];
	for (let count = 0; count < openFiles + 40; count++) {
		const socket = connect(Number(port), "127.0.0.1");
		socket.on("error", () => undefined);
		held.push(socket);
	}
	// A film that is asked for while a descriptor is left stays open, and is served.
	const descriptors = async () => (await readdir(`/proc/${server.child.pid}/fd`)).length;
	await expect.poll(descriptors).toBeGreaterThanOrEqual(openFiles);
	const refused = { status: 503, retryAfter: "5", error: "storage_unavailable" };
	await expect.poll(() => ask(agent, film)).toEqual(refused);
	for (let count = 0; count < 20; count++) expect(await ask(agent, film)).toEqual(refused);
	expect((await ask(agent, "/v1/domain")).status).toBe(200);
	const said = server.log().filter(({ unavailable }) => unavailable === "descriptors");
	expect(said, JSON.stringify(said)).toHaveLength(1);

	for (const socket of held) socket.destroy();
	await expect.poll(() => ask(agent, film)).toMatchObject({ status: 200 });
	await expect.poll(async () => (await fetch(server.url + film)).status).toBe(200);
	expect(await (await fetch(`${server.operations}/ready`)).json()).toMatchObject({ status: "ok" });
	expect(server.child.exitCode).toBeNull();
	agent.destroy();
});

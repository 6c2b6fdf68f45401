import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CreatedVideo } from "@reelmill/contracts";
import { openTestDatabase, type TestDatabase } from "@reelmill/postgres/testing";
import { afterEach, beforeEach, expect } from "vitest";
import { metadata, offsetType } from "../../../../packages/http/test/support/tus.ts";
import { type RunningProcess, runServer } from "./running-server.ts";

export const source = randomBytes(4_000_000);
export const adminKey = "the-operators-key-of-the-drain-test";

/** The place of a test's servers, and how to start one there. Those that still run at the test's end are killed. */
export function serversToStop() {
	let directory: string;
	let database: TestDatabase;
	let servers: RunningProcess[];
	beforeEach(async () => {
		directory = await mkdtemp(join(tmpdir(), "reelmill-drain-"));
		database = await openTestDatabase({
			serverUrl: process.env.REELMILL_TEST_DATABASE_URL,
			template: process.env.REELMILL_TEST_DATABASE_TEMPLATE,
		});
		servers = [];
	});
	afterEach(async () => {
		for (const { child, ended } of servers) {
			child.kill("SIGKILL");
			await ended;
		}
		await database.close();
		await rm(directory, { recursive: true, force: true });
	});
	return {
		place: () => ({ directory, databaseUrl: database.url }),
		async run(settings: Record<string, string> = {}): Promise<RunningProcess> {
			const server = await runServer(directory, database.url, { ADMIN_KEY: adminKey, ...settings });
			servers.push(server);
			return server;
		},
	};
}

/** Resolves when the server is answering a request of this plane. */
const inFlight = (server: RunningProcess, plane: string) =>
	expect
		.poll(async () => (await fetch(`${server.operations}/metrics`)).text())
		.toMatch(new RegExp(`^reelmill_http_requests_in_flight\\{plane="${plane}"[^}]*\\} 1$`, "m"));

/** An upload whose first half is on its way, on a connection that stays open. */
export async function halfUploaded(server: RunningProcess) {
	const { url, auth } = server;
	const json = { "content-type": "application/json" };
	const body = JSON.stringify({ content_type: "video/mp4", file_size: source.length });
	const { video, upload } = (await (
		await fetch(`${url}/v1/videos`, { method: "POST", headers: { ...auth, ...json }, body })
	).json()) as CreatedVideo;
	const token = { authorization: `Bearer ${upload.token}`, "tus-resumable": "1.0.0" };
	const creation = { ...token, "upload-length": String(source.length), "upload-metadata": metadata(video.id) };
	expect((await fetch(upload.endpoint, { method: "POST", headers: creation })).status).toBe(201);
	const path = `/uploads/${video.id}`;
	const headers = { ...token, ...offsetType, "upload-offset": "0", "content-length": String(source.length) };
	const patch = request(url + path, { method: "PATCH", headers, agent: false });
	patch.on("error", () => undefined);
	await new Promise((resolve) => patch.write(source.subarray(0, source.length / 2), resolve));
	await inFlight(server, "upload");
	return { patch, path, token };
}

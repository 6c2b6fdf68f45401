import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openTestDatabase, type TestDatabase } from "@reelmill/postgres/testing";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { type OpenServer, openServer } from "./support/open-server.ts";

let directory: string;
let database: TestDatabase;
let server: OpenServer;
beforeAll(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-confinement-"));
	database = await openTestDatabase({
		serverUrl: process.env.REELMILL_TEST_DATABASE_URL,
		template: process.env.REELMILL_TEST_DATABASE_TEMPLATE,
	});
});
afterEach(async () => {
	await server.stop();
});
afterAll(async () => {
	await database.close();
	await rm(directory, { recursive: true, force: true });
});

/** Each part of the confinement, as /metrics tells it. */
async function parts(): Promise<Record<string, number>> {
	const text = await (await fetch(`${server.operations}/metrics`)).text();
	return Object.fromEntries(
		[...text.matchAll(/^reelmill_confinement\{part="(\w+)"\} (\d)$/gm)].map(([, part, value]) => [part, Number(value)]),
	);
}
const whole = { files: 1, network: 1, privileges: 1, system_calls: 1, user: 1 };

it("a server whose embedded workers confine ffmpeg wholly says so in its metrics", async () => {
	server = await openServer(directory, database.url, { EMBEDDED_WORKERS: "1" });
	await expect.poll(parts).toEqual(whole);
});

it("a server says in its metrics which parts are missing", async () => {
	// It runs, but not in bubblewrap, where there is no such file.
	const ffprobe = join(directory, "ffprobe");
	await writeFile(ffprobe, '#!/bin/sh\n[ -e /etc/passwd ] || exit 1\nexec ffprobe "$@"\n');
	await chmod(ffprobe, 0o755);
	server = await openServer(directory, database.url, { EMBEDDED_WORKERS: "1", FFPROBE: ffprobe });
	await expect.poll(parts).toEqual({ ...whole, files: 0, system_calls: 0 });
});

it("a server without embedded workers has none to tell of", async () => {
	server = await openServer(directory, database.url);
	expect(await parts()).toEqual({});
});

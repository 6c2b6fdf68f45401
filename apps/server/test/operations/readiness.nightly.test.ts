import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createPostgresDatabase, type PostgresDatabase } from "@reelmill/postgres";
import { startEmbeddedPostgres } from "@reelmill/postgres/embedded";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type RunningProcess, runServer } from "../support/running-server.ts";

const run = promisify(execFile);
let directory: string;
let disk: string;
let postgres: Awaited<ReturnType<typeof startEmbeddedPostgres>>;
let operator: PostgresDatabase;
let server: RunningProcess;
beforeAll(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-database-state-"));
	await chmod(directory, 0o755);
	disk = join(directory, "disk");
	await mkdir(disk);
	await run("mount", ["-t", "tmpfs", "-o", "size=160m,mode=755", "none", disk]);
	postgres = await startEmbeddedPostgres({ directory: join(disk, "postgres") });
	operator = createPostgresDatabase({ url: postgres.url, maxConnections: 1 });
	server = await runServer(join(directory, "data"), postgres.url);
});
afterAll(async () => {
	server?.child.kill("SIGKILL");
	await server?.ended;
	await operator?.close();
	await postgres?.stop();
	await run("umount", ["-l", disk]);
	await rm(directory, { recursive: true, force: true });
});

const ready = async () => {
	const answer = await fetch(`${server.operations}/ready`);
	return [answer.status, ((await answer.json()) as { checks: object }).checks];
};
const notReady = [503, { serving: true, database: false, storage: true }];
const isReady = [200, { serving: true, database: true, storage: true }];
const initiate = () =>
	fetch(`${server.url}/v1/videos`, {
		method: "POST",
		headers: { ...server.auth, "content-type": "application/json" },
		body: '{"content_type":"video/mp4","file_size":1}',
	});

/** Takes what is free on the disk, to the last byte. Answers how to give it back. */
async function fill(): Promise<() => Promise<void>> {
	const path = join(disk, "filler");
	const file = await open(path, "w");
	for (const size of [1 << 20, 4096, 1]) {
		const block = Buffer.alloc(size);
		while (
			await file.write(block).then(
				({ bytesWritten }) => bytesWritten === size,
				() => false,
			)
		);
	}
	await file.close();
	return () => rm(path);
}

it("is ready only while the database takes writes: not on a read-only primary, and not with a full disk", async () => {
	const change = async (text: string) => operator.query({ text, values: [] });
	expect(await ready()).toEqual(isReady);
	const { user } = (await change("select current_user as user"))[0] as { user: string };

	await change(`alter role "${user}" set default_transaction_read_only = on`);
	await change(
		"select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = 'client backend'",
	);
	await expect.poll(ready).toEqual(notReady);
	const refused = await initiate();
	expect([refused.status, refused.headers.get("retry-after"), await refused.json()]).toMatchObject([
		503,
		"5",
		{ error: "internal_error" },
	]);
	await change("set default_transaction_read_only = off");
	await change(`alter role "${user}" reset default_transaction_read_only`);
	await change(
		"select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = 'client backend'",
	);
	await expect.poll(ready).toEqual(isReady);

	const empty = await fill();
	await expect.poll(ready, { timeout: 30_000 }).toEqual(notReady);
	await empty();
	await expect.poll(ready, { timeout: 30_000 }).toEqual(isReady);
	expect((await initiate()).status).toBe(201);
});

it("answers 503 with Retry-After while the database is away, and logs it once a minute", async () => {
	await postgres.stop();
	for (let count = 0; count < 30; count++) {
		const answer = await initiate();
		expect([answer.status, answer.headers.get("retry-after"), await answer.json()]).toMatchObject([
			503,
			"5",
			{ error: "internal_error" },
		]);
	}
	expect(await ready()).toEqual(notReady);
	// Both tests are over within a minute, or two where the machine is busy.
	const said = server.log();
	expect(said.filter(({ unavailable }) => unavailable === "database").length, JSON.stringify(said)).toBeLessThan(4);
	expect(
		said.filter(({ msg }) => msg !== "A connection to the database was lost").length,
		JSON.stringify(said),
	).toBeLessThan(10);
});

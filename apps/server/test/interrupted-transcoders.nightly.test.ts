import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createReelmill, createReelmillAdmin } from "@reelmill/node";
import { createPostgresDatabase } from "@reelmill/postgres";
import { openTestDatabase, type TestDatabase } from "@reelmill/postgres/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeSource } from "../../../packages/worker/test/support/make-source.ts";
import { type RunningProcess, runServer } from "./support/running-server.ts";
import { runTranscoder } from "./support/transcoder-process.ts";

const adminKey = "admin-key-of-the-interrupted-transcoders";
let directory: string;
let database: TestDatabase;
let rows: ReturnType<typeof createPostgresDatabase>;
let server: RunningProcess;
let transcoders: ReturnType<typeof runTranscoder>[] = [];
beforeAll(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-interrupted-"));
	database = await openTestDatabase({
		serverUrl: process.env.REELMILL_TEST_DATABASE_URL,
		template: process.env.REELMILL_TEST_DATABASE_TEMPLATE,
	});
	rows = createPostgresDatabase({ url: database.url });
	server = await runServer(join(directory, "server"), database.url, {
		ADMIN_KEY: adminKey,
		SWEEP_SECONDS: "1",
		WORKER_CIDRS: "127.0.0.0/8",
	});
});
afterAll(async () => {
	for (const { child, ended } of [...transcoders, server]) {
		child.kill("SIGKILL");
		await ended;
	}
	await rows.close();
	await database.close();
	await rm(directory, { recursive: true, force: true });
});

const job = async () =>
	(
		await rows.query<{ attempt: number; losses: number; is_held: boolean }>({
			text: "select attempt, losses, lock is not null as is_held from reelmill.jobs",
			values: [],
		})
	)[0];

it("fails no video by 20 transcoders that are stopped and 20 that are killed, each while it encodes", {
	timeout: 600_000,
}, async () => {
	/** An ffmpeg that never comes to the end of an encode. */
	const endless = join(directory, "ffmpeg");
	const stands = `while [ -d ${directory} ]; do sleep 0.5; done`;
	await writeFile(endless, `#!/bin/sh\ncase "$*" in *"-filter_complex "*) ${stands};; esac\nexec ffmpeg "$@"\n`, {
		mode: 0o755,
	});
	const admin = createReelmillAdmin({ baseUrl: server.url, adminKey });
	const { secret } = await admin.serviceAccounts.create({ name: "fleet" });
	/** Each has a machine of its own: nothing of another one's work directory. */
	const start = async (ffmpeg: string) => {
		const workDirectory = join(directory, `machine-${transcoders.length}`);
		await mkdir(workDirectory);
		const started = runTranscoder({
			REELMILL_API_URL: server.url,
			REELMILL_SERVICE_NAME: "fleet",
			REELMILL_SERVICE_SECRET: secret,
			REELMILL_WORKDIR: workDirectory,
			REELMILL_FFMPEG: ffmpeg,
			REELMILL_CONFINEMENT: "off",
			REELMILL_DRAIN_SECONDS: "0",
		});
		transcoders = [...transcoders, started];
		return started;
	};
	const apiKey = server.auth.authorization.slice("Bearer ".length);
	const reelmill = createReelmill({ baseUrl: server.url, apiKey });
	await reelmill.domain.updateConfig({ renditions: ["h264_720"] });
	const source = await makeSource(4, { size: "192x108", rate: 10, keyFrameDistance: 20 });
	const { id } = await reelmill.videos.upload(new Blob([new Uint8Array(source)], { type: "video/mp4" }));

	// The next one is always there, and waits for the job.
	let next = await start(endless);
	for (let loss = 0; loss < 40; loss++) {
		const holder = next;
		await expect.poll(holder.said, { interval: 20 }).toContain("job claimed");
		next = await start(loss < 39 ? endless : "ffmpeg");
		expect(await job()).toEqual({ attempt: loss + 1, losses: loss, is_held: true });
		holder.child.kill(loss % 2 === 0 ? "SIGTERM" : "SIGKILL");
		await holder.ended;
		// The lock of one that was killed runs out at once, also if its last heartbeat is still on its way.
		const lossesOnceExpired = async () => {
			const values = [loss + 1];
			await rows.query({ text: "update reelmill.jobs set lock_expires_at = now() where attempt = $1", values });
			return (await job())?.losses;
		};
		await expect.poll(lossesOnceExpired, { interval: 500 }).toBe(loss + 1);
	}
	await expect
		.poll(async () => (await reelmill.videos.get(id)).state, { interval: 500, timeout: 180_000 })
		.toBe("available");
	const codes = transcoders.slice(0, 40).map(({ child }) => child.exitCode ?? child.signalCode);
	expect(codes).toEqual(Array.from({ length: 40 }, (_, loss) => (loss % 2 === 0 ? 0 : "SIGKILL")));
});

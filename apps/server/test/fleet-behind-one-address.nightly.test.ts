import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createReelmillAdmin, isReelmillError } from "@reelmill/node";
import { createPostgresDatabase } from "@reelmill/postgres";
import { openTestDatabase, type TestDatabase } from "@reelmill/postgres/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createServiceClient } from "../../../packages/worker/src/service-client/service-client.ts";
import { type RunningProcess, runServer, withEngine } from "./support/running-server.ts";

const workers = 500;
const adminKey = "admin-key-of-the-fleet-test-0123456789";
let directory: string;
let database: TestDatabase;
let server: RunningProcess;
beforeAll(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-fleet-"));
	database = await openTestDatabase({
		serverUrl: process.env.REELMILL_TEST_DATABASE_URL,
		template: process.env.REELMILL_TEST_DATABASE_TEMPLATE,
	});
	server = await runServer(directory, database.url, {
		ADMIN_KEY: adminKey,
		WORKER_CIDRS: "127.0.0.0/8",
		WAITING_CONNECTIONS: "2048",
	});
});
afterAll(async () => {
	server?.child.kill("SIGKILL");
	await server?.ended;
	await database?.close();
	await rm(directory, { recursive: true, force: true });
});

/** Queues so many videos. All but the first are copies of its rows. */
async function queueVideos(count: number): Promise<void> {
	const id = await withEngine(directory, database.url, async ({ keys, videos, uploads }) => {
		const principal = await keys.authenticate(server.auth.authorization);
		const { video, upload } = await videos.create(principal, { content_type: "video/mp4", file_size: 1 });
		const token = await uploads.authenticate(`Bearer ${upload.token}`);
		await uploads.create(token, { videoId: video.id, length: 1 });
		const byte = async function* () {
			yield Buffer.from("0");
		};
		await uploads.append(token, video.id, 0, byte());
		return video.id;
	});
	const rows = createPostgresDatabase({ url: database.url });
	await rows.query({
		text: `with ids as materialized (select gen_random_uuid() as id from generate_series(2, $2)),
			copied as (insert into reelmill.videos select (jsonb_populate_record(v, jsonb_build_object('id', ids.id))).* from reelmill.videos v, ids where v.id = $1),
			grown as (update reelmill.domains set processing_count = processing_count + $2 - 1, max_concurrent_processing = $2)
			insert into reelmill.jobs select (jsonb_populate_record(j, jsonb_build_object('id', ids.id))).* from reelmill.jobs j, ids where j.id = $1`,
		values: [id, count],
	});
	await rows.close();
}

it(`gives each of ${workers} workers of one account behind one address a token and a job`, async () => {
	await queueVideos(workers);
	const admin = createReelmillAdmin({ baseUrl: server.url, adminKey });
	const { secret } = await admin.serviceAccounts.create({ name: "fleet" });
	let refused = 0;
	const claim = {
		waitSeconds: 30,
		takesChunks: false,
		takesTranscripts: false,
		takesClips: false,
		takesSandbox: true,
		machine: "m",
	};
	const claimOne = async (index: number): Promise<string> => {
		const client = createServiceClient({ apiUrl: server.url, name: "fleet", secret });
		for (;;) {
			try {
				const job = await client.claim(`worker-${index}`, claim, AbortSignal.timeout(180_000));
				if (job !== null) return job.id;
			} catch (error) {
				if (!isReelmillError(error, "rate_limited")) throw error;
				refused += 1;
				await new Promise((resolve) => setTimeout(resolve, 1000));
			}
		}
	};
	const started = performance.now();
	const claimed = await Promise.all(Array.from({ length: workers }, (_, index) => claimOne(index)));
	const seconds = (performance.now() - started) / 1000;
	process.stdout.write(`${workers} workers claimed within ${seconds.toFixed(1)} s\n`);
	expect([new Set(claimed).size, refused]).toEqual([workers, 0]);
});

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CreatedVideo } from "@reelmill/contracts";
import { createPostgresDatabase } from "@reelmill/postgres";
import { openTestDatabase, type TestDatabase } from "@reelmill/postgres/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { metadata, offsetType } from "../../../packages/http/test/support/tus.ts";
import { startPgbouncer } from "../../../packages/postgres/test/support/pgbouncer.ts";
import { type RunningProcess, runServer } from "./support/running-server.ts";

const adminKey = "the-operators-key-of-32-characters";
const cleanUp: (() => Promise<unknown>)[] = [];
let test: TestDatabase;
beforeEach(async () => {
	test = await openTestDatabase({ serverUrl: process.env.REELMILL_TEST_DATABASE_URL });
	cleanUp.push(() => test.close());
});
afterEach(async () => {
	for (const step of cleanUp.splice(0).reverse()) await step();
});

async function newDirectory(): Promise<string> {
	const directory = await mkdtemp(join(tmpdir(), "reelmill-pooler-"));
	cleanUp.push(() => rm(directory, { recursive: true, force: true }));
	return directory;
}

async function start(
	databaseUrl: string,
	directory: string,
	settings: Record<string, string> = {},
): Promise<RunningProcess> {
	const server = await runServer(directory, databaseUrl, {
		ADMIN_KEY: adminKey,
		WAITING_CONNECTIONS_PER_ADDRESS: "1000",
		...settings,
	});
	cleanUp.push(async () => {
		server.child.kill("SIGTERM");
		await server.ended;
	});
	return server;
}

const post = (url: string, key: string, body: object): Promise<Response> =>
	fetch(url, {
		method: "POST",
		headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
		body: JSON.stringify(body),
	});
const read = async <T>(answer: Promise<Response>): Promise<T> => (await answer).json() as Promise<T>;

/** Many initiates, uploads and claims at the same time. Returns the status of each. */
async function load({ url, auth }: RunningProcess, count: number, name = "workers") {
	const key = auth.authorization.slice("Bearer ".length);
	const { secret } = await read<{ secret: string }>(post(`${url}/admin/v1/service-accounts`, adminKey, { name }));
	const { token } = await read<{ token: string }>(post(`${url}/internal/v1/token`, "", { name, secret }));
	const statuses = { initiate: [] as number[], upload: [] as number[], claim: [] as number[] };
	const upload = async (uploader_ref: string): Promise<void> => {
		const body = { content_type: "video/mp4", file_size: 10, uploader_ref };
		const initiated = await post(`${url}/v1/videos`, key, body);
		statuses.initiate.push(initiated.status);
		const { video, upload } = (await initiated.json()) as CreatedVideo;
		const headers = {
			authorization: `Bearer ${upload.token}`,
			"tus-resumable": "1.0.0",
			...offsetType,
			"upload-length": "10",
			"upload-metadata": metadata(video.id),
		};
		const sent = await fetch(`${url}/uploads`, { method: "POST", headers, body: "0123456789" });
		statuses.upload.push(sent.status);
		await sent.body?.cancel();
	};
	const claim = async (worker: string): Promise<void> => {
		const answer = await post(`${url}/internal/v1/jobs/claim`, token, { worker, wait_seconds: 2 });
		statuses.claim.push(answer.status);
		await answer.body?.cancel();
	};
	const each = Array.from({ length: count }, (_, n) => n);
	await Promise.all(each.flatMap((n) => [upload(`${name}-${n}`), claim(`worker-${n}`)]));
	// On a busy machine all claims may have ended before the first upload did.
	if (!statuses.claim.includes(200)) await claim("late");
	return statuses;
}

it.each([
	{ manner: "refuses the settings of a connection", lines: [] },
	{
		manner: "ignores them",
		lines: [
			"ignore_startup_parameters = statement_timeout,lock_timeout,idle_in_transaction_session_timeout,idle_session_timeout,tcp_keepalives_idle,tcp_keepalives_interval,tcp_keepalives_count,tcp_user_timeout",
		],
	},
])(
	"serves behind PgBouncer in transaction mode with fewer sessions than requests, unasked, if it $manner",
	async ({ lines }) => {
		const pooler = await startPgbouncer(test.url, 3, lines);
		cleanUp.push(() => pooler.close());
		const server = await start(pooler.through(test.url), await newDirectory());
		const { initiate, upload, claim } = await load(server, 40);
		expect(initiate).toEqual(Array(40).fill(201));
		expect(upload).toEqual(Array(40).fill(201));
		expect(claim.filter((status) => status !== 200 && status !== 204)).toEqual([]);
		expect(claim).toContain(200);
		expect(server.log().filter(({ msg }) => !msg.includes("takes no settings with a connection"))).toEqual([]);
	},
);

it("takes no more connections than the guide says, for two servers", async () => {
	const guide = await readFile(new URL("../../../docs/guides/failover.md", import.meta.url), "utf8");
	const further = Number(
		/at most `REELMILL_DATABASE_CONNECTIONS` \(default: 10\) \+ (\d+) connections/.exec(guide)?.[1],
	);
	const count = createPostgresDatabase({ url: test.url, maxConnections: 1 });
	cleanUp.push(() => count.close());
	let [most, isOver] = [0, false];
	const watch = async (): Promise<void> => {
		while (!isOver) {
			const [row] = await count.query<{ many: number }>({
				text: "select count(*) as many from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
				values: [],
			});
			most = Math.max(most, row?.many ?? 0);
		}
	};
	const watching = watch();
	const directory = await newDirectory();
	const servers: RunningProcess[] = [];
	for (let n = 0; n < 2; n++) servers.push(await start(test.url, directory, { DATABASE_CONNECTIONS: "4" }));
	await Promise.all(servers.map((server, n) => load(server, 30, `account-${n}`)));
	isOver = true;
	await watching;
	expect(most).toBeGreaterThan(5);
	expect(most).toBeLessThanOrEqual(2 * (4 + further));
});

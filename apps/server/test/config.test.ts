import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SandboxSession } from "@reelmill/contracts";
import type { PostgresDatabase } from "@reelmill/postgres";
import { openTestDatabase, type TestDatabase } from "@reelmill/postgres/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type OpenServer, openServer } from "./support/open-server.ts";

let directory: string;
let made: TestDatabase;
let database: PostgresDatabase;
let server: OpenServer | undefined;
beforeEach(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-settings-"));
	made = await openTestDatabase({
		serverUrl: process.env.REELMILL_TEST_DATABASE_URL,
		template: process.env.REELMILL_TEST_DATABASE_TEMPLATE,
	});
	({ database } = made);
});
afterEach(async () => {
	await stop();
	await made.close();
	await rm(directory, { recursive: true, force: true });
});

async function start(settings: Record<string, string> = {}): Promise<string> {
	server = await openServer(directory, made.url, { SWEEP_SECONDS: "1", ...settings });
	return server.url;
}
async function stop(): Promise<void> {
	await server?.stop();
	server = undefined;
}

it("REELMILL_SANDBOX=off closes the route and ends the keys of earlier sessions", async () => {
	const mint = (url: string) => fetch(`${url}/v1/sandbox/session`, { method: "POST" });
	const on = await start();
	const { api_key } = (await (await mint(on)).json()) as SandboxSession;
	const look = (url: string) => fetch(`${url}/v1/videos`, { headers: { authorization: `Bearer ${api_key}` } });
	expect((await look(on)).status).toBe(200);
	await stop();
	const off = await start({ SANDBOX: "off" });
	const refused = await mint(off);
	expect([refused.status, await refused.json()]).toEqual([404, { error: "not_found", message: expect.any(String) }]);
	expect((await look(off)).status).toBe(401);
});

it("REELMILL_KEEP_DELETED_DAYS, _KEEP_ENDED_DAYS and _KEEP_USAGE_DAYS say when rows end", async () => {
	await start();
	await stop();
	const query = (text: string) => database.query<{ days: number }>({ text, values: [] });
	const ages =
		"(values (1), (3), (5), (7), (9)) a (days), lateral (select now() - days * interval '1 day' - interval '1 hour') t (at)";
	const domain = "(select id from reelmill.domains where slug <> 'sandbox')";
	for (const [state, deleted] of [
		["failed", "at"],
		["cancelled", "null"],
	]) {
		await query(`
			insert into reelmill.videos (id, domain_id, state, visibility, content_type, file_size, plan, max_duration_seconds, transcript_status, created_at, updated_at, expires_at, deleted_at)
			select gen_random_uuid(), ${domain}, '${state}', 'private', 'video/mp4', days, '{}', 180, 'disabled', at, at, at, ${deleted} from ${ages}`);
	}
	await query(
		`insert into reelmill.usage_days (domain_id, day) select ${domain}, (at at time zone 'UTC')::date from ${ages}`,
	);
	await start({ KEEP_DELETED_DAYS: "2", KEEP_ENDED_DAYS: "4", KEEP_USAGE_DAYS: "8" });
	const left = async (text: string) => (await query(`select ${text} order by 1`)).map(({ days }) => days);
	await expect.poll(() => left("file_size as days from reelmill.videos where deleted_at is not null")).toEqual([1]);
	await expect.poll(() => left("file_size as days from reelmill.videos where state = 'cancelled'")).toEqual([1, 3]);
	await expect.poll(async () => (await left("day::text as days from reelmill.usage_days")).length).toBe(4);
});

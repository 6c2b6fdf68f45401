import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { openTestDatabase, type TestDatabase } from "@reelmill/postgres/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findPostgresqlFolder } from "../../../scripts/setup/postgresql.mjs";
import { type RunningProcess, runServer } from "./support/running-server.ts";

const guide = await readFile(new URL("../../../docs/guides/upgrade.md", import.meta.url), "utf8");
const blocks = [...guide.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, text = ""]) => text);
const ran = new Set<string>();

let test: TestDatabase;
let directory: string;
const servers: RunningProcess[] = [];
beforeAll(async () => {
	test = await openTestDatabase({ serverUrl: process.env.REELMILL_TEST_DATABASE_URL });
	directory = await mkdtemp(join(tmpdir(), "reelmill-upgrade-guide-"));
});
afterAll(async () => {
	for (const { child, ended } of servers) {
		child.kill("SIGTERM");
		await ended;
	}
	await test.close();
	await rm(directory, { recursive: true, force: true });
});

/** Runs the guide's block that holds these words, and returns what it prints. */
async function run(words: string, variables: Record<string, string> = {}): Promise<string> {
	const found = blocks.filter((text) => text.includes(words));
	expect(found).toHaveLength(1);
	ran.add(found[0] as string);
	const { stdout } = await promisify(execFile)("sh", ["-e", "-c", found[0] as string], {
		env: {
			PATH: `${findPostgresqlFolder()}:${process.env.PATH}`,
			REELMILL_DATABASE_URL: test.url,
			...variables,
		},
	});
	return stdout;
}

async function start(): Promise<RunningProcess> {
	const server = await runServer(directory, test.url);
	servers.push(server);
	return server;
}

it("replaces one server by another with the guide's commands", async () => {
	const old = await start();
	expect(await run("schema_versions")).toMatch(/compatible_from[\s\S]*0001-schema/);
	expect(await run("xact_start")).toContain("(0 rows)");
	const next = await start();
	await run("/ready", { OPERATIONS: next.operations.replace("http://", "") });
	await run("kill -TERM", { SERVER_PID: String(old.child.pid) });
	expect(await old.ended).toBe(0);
	expect((await fetch(`${next.url}/v1/health`)).status).toBe(200);
	expect((await run("indisvalid")).trim()).toBe("");
	expect(blocks.filter((text) => !ran.has(text))).toEqual([]);
});

it("finds an index that was left unfinished", async () => {
	await test.database.query({
		text: "create table public.twice as select 1 as n from generate_series(1, 2)",
		values: [],
	});
	const index = "create unique index concurrently twice_once on public.twice (n)";
	await expect(test.database.query({ text: index, values: [] })).rejects.toMatchObject({ code: "23505" });
	expect(await run("indisvalid")).toContain("twice_once");
});

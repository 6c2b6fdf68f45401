import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CreatedVideo } from "@reelmill/contracts";
import { openTestDatabase, type TestDatabase } from "@reelmill/postgres/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { welcome } from "../../src/welcome.ts";
import { openServer, refusalOf } from "../support/open-server.ts";

const cleanUp: (() => unknown)[] = [];
let home: string;
let test: TestDatabase;
const [key, otherKey] = ["11".repeat(32), "22".repeat(32)];
const query = (text: string) => test.database.query<{ value: string }>({ text, values: [] });

/** A server over the one database, in a folder of its own. */
async function start(name: string, settings: Record<string, string> = { MASTER_KEY: key }, url = test.url) {
	const server = await openServer(join(home, name), url, settings);
	cleanUp.push(server.stop);
	return server;
}
const refused = (name: string, settings: Record<string, string> = { MASTER_KEY: key }) =>
	refusalOf(join(home, name), test.url, settings);

beforeAll(async () => {
	home = await mkdtemp(join(tmpdir(), "reelmill-belonging-"));
	cleanUp.push(() => rm(home, { recursive: true, force: true }));
	test = await openTestDatabase({
		serverUrl: process.env.REELMILL_TEST_DATABASE_URL,
		template: process.env.REELMILL_TEST_DATABASE_TEMPLATE,
	});
	cleanUp.push(test.close);
	const { url, auth } = await start("first");
	const body = JSON.stringify({ content_type: "video/mp4", file_size: 100_000 });
	const answer = await fetch(`${url}/v1/videos`, {
		method: "POST",
		headers: { ...auth, "content-type": "application/json" },
		body,
	});
	const { upload } = (await answer.json()) as CreatedVideo;
	const created = await fetch(upload.endpoint, {
		method: "POST",
		headers: {
			authorization: `Bearer ${upload.token}`,
			"tus-resumable": "1.0.0",
			"upload-length": "100000",
			"upload-metadata": `video_id ${Buffer.from(upload.metadata.video_id).toString("base64")}`,
			"content-type": "application/offset+octet-stream",
		},
		body: new Uint8Array(50_000),
	});
	expect([created.status, created.headers.get("upload-offset")]).toEqual([201, "50000"]);
});
afterAll(async () => {
	for (const step of cleanUp.reverse()) await step();
});

const inForce = async () =>
	(await query("select encode(fingerprint, 'hex') as value from reelmill.master_keys order by turn desc limit 1"))[0]
		?.value;

it("one of three servers that start at once on an empty database makes the first key", async () => {
	const own = await openTestDatabase({ serverUrl: process.env.REELMILL_TEST_DATABASE_URL });
	cleanUp.push(own.close);
	const names = ["at-once-1", "at-once-2", "at-once-3"];
	await Promise.all(names.map((name) => start(name, { MASTER_KEY: key }, own.url)));
	const files = await Promise.all(names.map((name) => readdir(join(home, name))));
	expect(files.filter((there) => there.includes("tenant.key"))).toHaveLength(1);
	const text = "select count(*)::text as value from reelmill.domain_keys";
	expect(await own.database.query({ text, values: [] })).toEqual([{ value: "1" }]);
});

it("another master key refuses the start, and so does none where one was in use: none is made", async () => {
	expect(await refused("first", { MASTER_KEY: otherKey })).toMatch(
		new RegExp(
			`^REELMILL_MASTER_KEY .* are sealed under ${await inForce()}: set that key, or name it in REELMILL_MASTER_KEY_PREVIOUS .* set REELMILL_MASTER_KEY_LOST=`,
		),
	);
	expect(await refused("first", {})).toBe(
		`REELMILL_MASTER_KEY is not set and there is no ${join(home, "first", "master.key")}, but the database has secrets under a key with the fingerprint ${await inForce()}: set that key.`,
	);
	expect(await readdir(join(home, "first"))).not.toContain("master.key");
});

it("another data directory refuses the start, until it has the other's storage.id", async () => {
	const mark = (await readFile(join(home, "first", "storage.id"), "utf8")).trim();
	expect(await refused("moved")).toMatch(
		new RegExp(
			`^REELMILL_DATA_DIR is not the directory that .* its storage.id holds ${mark}, and there is no \\S+moved/storage.id; set it to that directory, mount it, or,`,
		),
	);
	await writeFile(join(home, "moved", "storage.id"), mark);
	const joined = await start("moved");
	// A server that joins others: the key is with the one that made the domain.
	expect(welcome(joined.told)).toContain(
		'Tenant key     with the server that made the domain "default", in its data directory',
	);
	expect(await readdir(join(home, "moved"))).not.toContain("tenant.key");
	expect(await query("select count(*)::text as value from reelmill.domain_keys")).toEqual([{ value: "1" }]);
});

it("a schema of a later version refuses the start, and both versions are named", async () => {
	await query("insert into reelmill.schema_versions (name, release) values ('0999-later', '9.8.7')");
	expect(await refused("first")).toMatch(
		/^The database has the schema 0999-later of Reelmill 9\.8\.7, and this is Reelmill \d+\.\d+\.\d+\S*, which knows 00\d\d-\S+ at most: start 9\.8\.7 or/,
	);
});

it("a schema of before the first release refuses the start, and says where to begin anew", async () => {
	await query("insert into reelmill.migrations (name) values ('0001-foundation')");
	expect(await refused("first")).toBe(
		"The database was made by a version of before the first release, and no migration begins there: set REELMILL_DATABASE_URL to another database, and upload the videos anew (the version that made it still plays them).",
	);
});

import { describe, expect, it } from "vitest";
import { changesLanded } from "./landed.ts";
import { faultsOf, proveMigrations } from "./prove-migrations.ts";

const header = "-- Expand: what is new.\n-- Compatible from 0001: older servers have no use for it.\n";
const faults = (text: string) => faultsOf([{ name: "9000-planted", text }]);

it("finds that every migration keeps the contract", () => proveMigrations());

it.each([
	["an index that holds up writes", "create index a on reelmill.videos (id);", "require-concurrent-index-creation"],
	["a removed column", "alter table reelmill.videos drop column worker;", "ban-drop-column"],
	["a new column's check", "alter table reelmill.videos add column a int4 check (a > 0);", "reads the whole table"],
	["a change of all rows", "update reelmill.videos set worker = null;", "in small steps"],
	["a lock", "lock table reelmill.videos in exclusive mode;", "locks a table"],
	["a rewrite", "alter table reelmill.videos set unlogged;", "rewrites or reads"],
	["hidden statements", "do $$ begin update reelmill.videos set worker = null; end $$;", "hides"],
	["a removed function", "drop function reelmill.initiate_video(jsonb);", "release before use"],
])("refuses %s", async (_, statement, says) => {
	const [only, ...others] = await faults(`${header}${statement}\n`);
	expect(only).toContain("9000-planted: ");
	expect([only, ...others].join("\n")).toContain(says);
});

it("refuses a migration that doesn't say what it is, and with which servers it works", async () => {
	expect(await faults("create table reelmill.a (id uuid primary key);")).toEqual([
		expect.stringContaining("first line"),
		expect.stringContaining("Compatible from"),
	]);
	expect(await faults("-- Expand: a\n-- Compatible from 9000: itself\n")).toEqual([
		expect.stringContaining("isn't an older migration"),
	]);
});

it("refuses a migration beside which the release before can't work, unless that has it already", async () => {
	const text = "-- Expand: a\n-- Compatible from 8000: a reason.\n";
	expect(await faultsOf([{ name: "9000-planted", text }], "7999")).toEqual([
		"9000-planted: it is compatible from 8000, but the release before has 7999 at most",
	]);
	expect(await faultsOf([{ name: "9000-planted", text }], "8000")).toEqual([]);
	expect(await faultsOf([{ name: "7000-planted", text: text.replace("8000", "6000") }], "7999")).toEqual([]);
});

it("lets pass a statement that was checked by hand, and no other", async () => {
	const checked = `${header}-- Checked by hand: create index a: the table has few rows.
-- Checked by hand: alter table reelmill.upload_leases: a row for each request that writes.
alter table reelmill.upload_leases set unlogged;
create index a
	on reelmill.upload_leases (asked);
`;
	expect(await faults(checked)).toEqual([]);
	const [only, ...others] = await faults(`${checked}create index b on reelmill.videos (id);\n`);
	expect([only, others]).toEqual([expect.stringContaining("line 8, require-concurrent-index-creation"), []]);
});

it("lets pass what servers don't notice, and removals that are declared", async () => {
	const expand = `${header}create index concurrently a on reelmill.videos (id) where state = 'queued';
create unlogged table reelmill.new (id uuid primary key, n int4 check (n > 0));
create index new_n on reelmill.new (n);
insert into reelmill.new select id, 1 from reelmill.videos;
update reelmill.new set n = 2;
alter table reelmill.videos add column a int4 not null default 0;
alter table reelmill.videos add constraint a_positive check (a >= 0) not valid;
\\ir ../schema/functions/withdraw.sql
create or replace function reelmill.f() returns void language plpgsql as $$ begin update reelmill.videos set a = 1; end $$;`;
	expect(await faults(expand)).toEqual([]);
	const contract = `-- Contract: nobody reads it since 0002.\n-- Compatible from 0002: servers know it no more.
alter table reelmill.videos drop column worker;\ndrop function reelmill.f();`;
	expect(await faults(contract)).toEqual([]);
});

describe("what has landed", () => {
	const text = (body: string, takes = "n int4") =>
		`-- What it does.\ncreate or replace function reelmill.f(${takes}) returns int4 language sql as $$ select ${body} $$;\n`;
	const landed = new Map([
		[
			"migrations/0001-schema.sql",
			"-- Expand: all.\n\\ir ../schema/functions/f.sql\ncreate table reelmill.t (n int4);\n",
		],
		["schema/functions/f.sql", text("n")],
		["schema/tables/u.sql", "create table reelmill.u (n int4);\n"],
	]);
	const changes = (...files: [path: string, text: string][]) => changesLanded(landed, new Map([...landed, ...files]));
	const writes: [string, string] = ["migrations/0002-f.sql", "-- Expand: it.\n\\ir ../schema/functions/f.sql\n"];

	it("stays as it is, but for comments", () => {
		expect(changes(["schema/tables/u.sql", "-- New words.\ncreate table reelmill.u (n int4);\n"])).toEqual([]);
		for (const path of ["migrations/0001-schema.sql", "schema/tables/u.sql"])
			expect(changes([path, "create table reelmill.u (m int4);\n"])).toEqual([
				`${path}: it has landed: a new migration must change what it made`,
			]);
	});

	it("is a function with another text only if a new migration writes it", () => {
		const changed: [string, string] = ["schema/functions/f.sql", text("n + 1")];
		expect(changes(changed)).toEqual([
			'schema/functions/f.sql: a new migration must write it, by "\\ir ../schema/functions/f.sql"',
		]);
		expect(changes(changed, writes)).toEqual([]);
	});

	it("is no function with another signature, which a database that has the old one would refuse or keep beside it", () => {
		expect(changes(["schema/functions/f.sql", text("n", "n int8")], writes)).toEqual([
			expect.stringContaining("its signature changed"),
		]);
	});

	it("loses a function and the lines that stand for it", () => {
		const left = new Map(landed).set("migrations/0001-schema.sql", "create table reelmill.t (n int4);\n");
		left.delete("schema/functions/f.sql");
		expect(changesLanded(landed, left)).toEqual([]);
	});
});

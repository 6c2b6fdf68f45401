import assert from "node:assert/strict";
import { DatabaseError, type Migration } from "@reelmill/engine/ports";
import type { Case } from "../case.ts";
import { type DatabaseSubject, run } from "./subject.ts";

// Named with their schema: a session that was opened while `reelmill` came may keep a search path without it.
const first: Migration = {
	name: "0001-notes",
	text: "create table public.notes (id int4 primary key, body text); create index notes_body on public.notes (body); -- done",
};
const second: Migration = {
	name: "0002-it's-a-function",
	text: "create function public.twice(n int4) returns int4 language sql as $$ select n * 2; $$;\ninsert into public.notes values (1, 'a;b');",
};
const failing: Migration = {
	name: "0003-fails",
	text: "create table public.never (id int4); insert into public.notes values (2, 'b'); insert into public.notes values (1, 'again')",
};

const shelf: Migration = {
	name: "0001-shelf",
	text: "create table public.books (id int4 primary key, title text); insert into public.books values (1, 'a')",
};
const concurrently = "create unique index concurrently books_once on public.books (title);";
const valid = "select indisvalid as valid from pg_index where indexrelid = to_regclass('public.books_once')";

export const migrationCases: readonly Case<DatabaseSubject>[] = [
	{
		name: "applies migrations of several statements in order of their names, once",
		async run({ database }) {
			await database.migrate([second, first]);
			assert.deepEqual(await run(database, "select body, public.twice(id) as twice from public.notes"), [
				{ body: "a;b", twice: 2 },
			]);
			await database.migrate([first, second]);
			await database.migrate([]);
			assert.deepEqual(await run(database, "select count(*) as rows from public.notes"), [{ rows: 1 }]);
		},
	},
	{
		name: "applies only those that are new",
		async run({ database }) {
			await database.migrate([first]);
			await database.migrate([first, second]);
			assert.deepEqual(await run(database, "select body from public.notes"), [{ body: "a;b" }]);
		},
	},
	{
		name: "applies each exactly once when ten servers migrate at once, and all resolve after it",
		async run({ database, elsewhere }) {
			const slow: Migration = {
				name: "0003-slow",
				text: "select pg_sleep(0.1); insert into public.notes values (3, 'c')",
			};
			await Promise.all(
				Array.from({ length: 10 }, async (_, index) => {
					const server = index % 2 ? database : elsewhere;
					await server.migrate([first, second, slow]);
					assert.deepEqual(await run(server, "select id from public.notes order by id"), [{ id: 1 }, { id: 3 }]);
				}),
			);
		},
	},
	{
		name: "leaves nothing of a migration that fails, keeps those before it, and goes on once it is mended",
		async run({ database, elsewhere }) {
			const later: Migration = { name: "0004-later", text: "create table public.later (id int4)" };
			const all = [first, second, failing, later];
			await assert.rejects(
				database.migrate(all),
				(error) => error instanceof DatabaseError && error.code === "23505" && error.message.includes(failing.name),
			);
			assert.deepEqual(
				await run(elsewhere, "select to_regclass('public.never') as never, to_regclass('public.later') as later"),
				[{ never: null, later: null }],
			);
			assert.deepEqual(await run(elsewhere, "select id from public.notes"), [{ id: 1 }]);
			await database.migrate([first, second, { ...failing, text: "insert into public.notes values (2, 'b')" }, later]);
			assert.deepEqual(await run(elsewhere, "select id from public.notes order by id"), [{ id: 1 }, { id: 2 }]);
		},
	},
	{
		name: "rejects at every server when a migration fails at all of them",
		async run({ database, elsewhere }) {
			const results = await Promise.allSettled(
				[database, elsewhere, database, elsewhere].map((server) => server.migrate([first, second, failing])),
			);
			assert.deepEqual(
				results.map(({ status }) => status),
				Array(4).fill("rejected"),
			);
			assert.deepEqual(await run(database, "select to_regclass('public.never') as never"), [{ never: null }]);
		},
	},
	{
		name: "builds an index on a table that is in use, once, when several servers migrate at once",
		async run({ database, elsewhere }) {
			const indexed: Migration = {
				name: "0002-index",
				text: `-- A comment; before.\n${concurrently}\ninsert into public.books values (3, 'c');`,
			};
			await Promise.all([database, elsewhere, database, elsewhere].map((server) => server.migrate([shelf, indexed])));
			assert.deepEqual(await run(database, valid), [{ valid: true }]);
			assert.deepEqual(await run(database, "select id from public.books order by id"), [{ id: 1 }, { id: 3 }]);
		},
	},
	{
		name: "builds anew an index that an interrupted migration left invalid, and drops one",
		async run({ database, elsewhere }) {
			const indexed: Migration = { name: "0002-index", text: concurrently };
			const dropped: Migration = { name: "0003-drop", text: "drop index concurrently if exists public.books_once;" };
			await database.migrate([shelf]);
			await run(database, "insert into public.books values (4, 'a')");
			await assert.rejects(database.migrate([indexed]), (error) => error instanceof DatabaseError);
			assert.deepEqual(await run(database, valid), [{ valid: false }]);
			await run(database, "delete from public.books where id = 4");
			await Promise.all([database, elsewhere].map((server) => server.migrate([indexed])));
			assert.deepEqual(await run(database, valid), [{ valid: true }]);
			await Promise.all([database, elsewhere, database, elsewhere].map((server) => server.migrate([indexed, dropped])));
			assert.deepEqual(await run(database, valid), []);
		},
	},
	{
		name: "leaves an index whose builder has let go of its table, and has yet to commit that the index is valid",
		async run({ database, elsewhere }) {
			await database.migrate([shelf]);
			await run(database, "insert into public.books values (4, 'a')");
			const indexed: Migration = { name: "0002-index", text: concurrently };
			await assert.rejects(database.migrate([indexed]), (error) => error instanceof DatabaseError);
			const commits = run(
				elsewhere,
				`with made as (
					update pg_index set indisvalid = true where indexrelid = to_regclass('public.books_once') returning indexrelid
				) select indexrelid, pg_sleep(1) from made`,
			);
			let isOver = false;
			const over = commits.finally(() => {
				isOver = true;
			});
			const sleeping = "select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'";
			while (!isOver && (await run(database, sleeping)).length === 0);
			await database.migrate([indexed]);
			const [made] = await over;
			assert.deepEqual(await run(database, "select to_regclass('public.books_once')::oid as indexrelid"), [
				{ indexrelid: made?.indexrelid },
			]);
		},
	},
];

import assert from "node:assert/strict";
import { DatabaseError } from "@reelmill/engine/ports";
import type { Case } from "../case.ts";
import { type DatabaseSubject, run } from "./subject.ts";

const twenty = Array.from({ length: 20 }, (_, index) => index);

/**
 * Makes a function that is the victim of a serialization failure in its first `times` calls. A sequence counts them,
 * because it isn't rolled back.
 */
const victim = (name: string, code: string, times: number): string => `do $do$ begin
	create sequence ${name}_calls;
	create function ${name}() returns bigint language plpgsql as $$ declare calls bigint := nextval('${name}_calls'); begin
		if calls <= ${times} then raise exception 'victim' using errcode = '${code}'; end if;
		return calls;
	end $$;
end $do$`;

export const transactionCases: readonly Case<DatabaseSubject>[] = [
	{
		name: "leaves nothing of a statement that fails after it has sent rows to the next one",
		async run({ database }) {
			const fails = "select 1 / (4 - g) as row from generate_series(1, 10) g";
			const isRefused = (error: unknown) => error instanceof DatabaseError && error.code === "22012";
			// One after the other on a connection, and at once on all of them.
			for (const many of [1, 20]) {
				const all = twenty.slice(0, many);
				await Promise.all(all.map(() => assert.rejects(run(database, fails), isRefused)));
				const rows = await Promise.all(all.map(() => run(database, "select g as row from generate_series(1, 2) g")));
				assert.deepEqual(rows, Array(many).fill([{ row: 1 }, { row: 2 }]));
				await Promise.all(all.map(() => assert.rejects(run(database, fails), isRefused)));
				assert.deepEqual(
					await Promise.all(all.map(() => run(database, "select 1 as row where false"))),
					Array(many).fill([]),
				);
			}
		},
	},
	{
		name: "keeps nothing of a statement of which a part fails",
		async run({ database, elsewhere }) {
			await run(database, "create table orders (id int4 primary key)");
			await run(database, "create table items (id int4 primary key, many int4 constraint items_many check (many > 0))");
			const both = "with o as (insert into orders values ($1) returning id) insert into items select id, $2 from o";
			await assert.rejects(
				run(database, both, 1, 0),
				(error) =>
					error instanceof DatabaseError &&
					error.code === "23514" &&
					error.constraint === "items_many" &&
					!error.outcomeUnknown,
			);
			assert.deepEqual(await run(elsewhere, "select id from orders"), []);
			await run(database, both, 1, 5);
			assert.deepEqual(await run(elsewhere, "select id from orders"), [{ id: 1 }]);
		},
	},
	{
		name: "refuses two statements in one text, with no effect",
		async run({ database }) {
			await run(database, "create table entries (id int4)");
			await assert.rejects(
				run(database, "insert into entries values (1); insert into entries values (2)"),
				DatabaseError,
			);
			assert.deepEqual(await run(database, "select id from entries"), []);
		},
	},
	{
		name: "names the constraint that refused a row, and says that the outcome is known",
		async run({ database }) {
			await run(database, "create table slots (id int4 constraint slots_id unique)");
			await run(database, "insert into slots values (1)");
			await assert.rejects(run(database, "insert into slots values (1)"), (error) => {
				assert.ok(error instanceof DatabaseError);
				assert.deepEqual(
					[error.code, error.constraint, error.outcomeUnknown, error.unavailable],
					["23505", "slots_id", false, false],
				);
				return true;
			});
		},
	},
	{
		name: "says 'unavailable' if the database's state is the reason: full, starting, read-only, its disk broken",
		async run({ database }) {
			for (const state of ["53100", "53200", "53300", "57P03", "25006", "58030"]) {
				const refused = run(
					database,
					`do $do$ begin raise exception 'the state of the server' using errcode = '${state}'; end $do$`,
				);
				await assert.rejects(
					refused,
					(error) =>
						error instanceof DatabaseError && error.code === state && error.unavailable && !error.outcomeUnknown,
				);
			}
			assert.deepEqual(await run(database, "select 1 as n"), [{ n: 1 }]);
		},
	},
	{
		name: "rejects a statement that doesn't parse, and a parameter of a wrong type",
		async run({ database }) {
			await assert.rejects(
				run(database, "selec 1"),
				(error) => error instanceof DatabaseError && error.code === "42601",
			);
			await assert.rejects(
				run(database, "select $1::int4 as n", "many"),
				(error) => error instanceof DatabaseError && error.code === "22P02",
			);
			assert.deepEqual(await run(database, "select 1 as n"), [{ n: 1 }]);
		},
	},
	{
		name: "loses none of a hundred additions made at once by two servers",
		async run({ database, elsewhere }) {
			await run(database, "create table counters (id int4 primary key, n int4 not null)");
			await run(database, "insert into counters values (1, 0)");
			const add = (server: number) =>
				run(server % 2 ? database : elsewhere, "update counters set n = n + 1 where id = $1", 1);
			await Promise.all(Array.from({ length: 100 }, (_, index) => add(index)));
			assert.deepEqual(await run(database, "select n from counters"), [{ n: 100 }]);
		},
	},
	{
		name: "lets exactly one of twenty racing guarded updates win",
		async run({ database, elsewhere }) {
			await run(database, "create table jobs (id int4 primary key, owner int4)");
			await run(database, "insert into jobs values (1, null)");
			const claim = (owner: number) =>
				run(
					owner % 2 ? database : elsewhere,
					"update jobs set owner = $1 where id = 1 and owner is null returning owner",
					owner,
				);
			const won = (await Promise.all(twenty.map(claim))).flat();
			assert.equal(won.length, 1);
			assert.deepEqual(await run(database, "select owner from jobs"), won);
		},
	},
	{
		name: "shows what it wrote to every other server at once",
		async run({ database, elsewhere }) {
			await run(database, "create table facts (n int4)");
			for (const n of twenty) {
				await run(database, "insert into facts values ($1)", n);
				assert.deepEqual(await run(elsewhere, "select n from facts where n = $1", n), [{ n }]);
			}
		},
	},
	{
		name: "runs the victim of a serialization failure or a deadlock again",
		async run({ database }) {
			await run(database, victim("unlucky", "40001", 2));
			assert.deepEqual(await run(database, "select unlucky() as calls"), [{ calls: 3 }]);
			await run(database, victim("entangled", "40P01", 1));
			assert.deepEqual(await run(database, "select entangled() as calls"), [{ calls: 2 }]);
		},
	},
	{
		name: "gives up on a statement that is a victim each time",
		async run({ database }) {
			await run(database, victim("doomed", "40001", 1_000_000));
			await assert.rejects(
				run(database, "select doomed()"),
				(error) => error instanceof DatabaseError && error.code === "40001" && !error.outcomeUnknown,
			);
		},
	},
	{
		name: "lets both sides of a real deadlock succeed",
		async run({ database, elsewhere }) {
			await run(database, "create table pairs (id int4 primary key, n int4 not null)");
			await run(database, "insert into pairs values (1, 0), (2, 0)");
			const inTurn = `with first as (update pairs set n = n + 1 where id = $1 returning id), pause as materialized (select pg_sleep(0.1) from first)
				update pairs set n = n + 1 from pause where id = $2`;
			await Promise.all([run(database, inTurn, 1, 2), run(elsewhere, inTurn, 2, 1)]);
			assert.deepEqual(await run(database, "select n from pairs"), [{ n: 2 }, { n: 2 }]);
		},
	},
];

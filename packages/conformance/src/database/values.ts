import assert from "node:assert/strict";
import type { Case } from "../case.ts";
import { type DatabaseSubject, run } from "./subject.ts";

/** Sends a value as a parameter of `type`, and returns it as it comes back. */
const echo = async ({ database }: DatabaseSubject, type: string, value: unknown): Promise<unknown> =>
	(await run(database, `select $1::${type} as value`, value))[0]?.value;
const keeps = (type: string, name: string, ...values: unknown[]): Case<DatabaseSubject> => ({
	name: `keeps ${name}`,
	async run(subject) {
		for (const value of values) assert.deepEqual(await echo(subject, type, value), value);
	},
});

export const valueCases: readonly Case<DatabaseSubject>[] = [
	keeps(
		"timestamptz",
		"timestamptz as Date to the millisecond",
		new Date("2026-02-28T23:59:59.999Z"),
		new Date(0),
		null,
	),
	keeps("int8", "int8 as number", 0, -1, 2 ** 53 - 1, null),
	keeps("int4", "int4 as number", 0, -2147483648, null),
	keeps("bool", "booleans", true, false, null),
	keeps("text", "text, quotes and backslashes and all", "", `it's "so" \\ \n \u{1f3ac}`, "null", null),
	keeps("uuid", "uuids", "0b9f9f3e-6ad1-4bb8-8c2e-6a3f1a2b3c4d", null),
	keeps(
		"jsonb",
		"jsonb: objects, arrays, strings, numbers, booleans",
		{ a: { b: [1, null, "x\"y\\z'"] } },
		[],
		[{ a: 1 }, [2]],
		"text",
		`{"a":1}`,
		1.5,
		true,
		false,
		{},
		null,
	),
	keeps("text[]", "arrays of text", [], ["a"], ["", "null", "NULL", 'a"b\\c', "{,}", " "], [null, "x"], null),
	keeps(
		"uuid[]",
		"arrays of uuids",
		[],
		["0b9f9f3e-6ad1-4bb8-8c2e-6a3f1a2b3c4d", "1b9f9f3e-6ad1-4bb8-8c2e-6a3f1a2b3c4d"],
	),
	keeps("int8[]", "arrays of int8", [], [1, 2 ** 40]),
	keeps("timestamptz[]", "arrays of timestamptz", [new Date(0), new Date(1)]),
	keeps("jsonb[]", "arrays of jsonb", [{ a: 'x"y' }, [1]]),
	{
		name: "keeps bytea as Uint8Array",
		async run(subject) {
			const all = Uint8Array.from({ length: 256 }, (_, index) => index);
			for (const bytes of [all, all.subarray(3, 9), Buffer.from("abc"), new Uint8Array(0)]) {
				const value = await echo(subject, "bytea", bytes);
				assert.ok(value instanceof Uint8Array);
				assert.equal(Buffer.from(value).toString("hex"), Buffer.from(bytes).toString("hex"));
			}
			assert.equal(await echo(subject, "bytea", null), null);
		},
	},
	{
		name: "encodes an object for jsonb once",
		async run({ database }) {
			await run(database, "create table notes (body jsonb)");
			await run(database, "insert into notes (body) values ($1)", { title: "a" });
			assert.deepEqual(await run(database, "select jsonb_typeof(body) as type, body->>'title' as title from notes"), [
				{ type: "object", title: "a" },
			]);
		},
	},
	{
		name: "answers counts as numbers",
		async run({ database }) {
			assert.deepEqual(await run(database, "select count(*) as rows from generate_series(1, 3)"), [{ rows: 3 }]);
		},
	},
	{
		name: "answers rows in order, and a plain empty array for none",
		async run({ database }) {
			assert.deepEqual(await run(database, "select n, n * 2 as twice from generate_series($1::int4, 1, -1) as n", 3), [
				{ n: 3, twice: 6 },
				{ n: 2, twice: 4 },
				{ n: 1, twice: 2 },
			]);
			assert.deepEqual(await run(database, "select 1 as one where false"), []);
			assert.deepEqual(await run(database, "create table nothing ()"), []);
		},
	},
	{
		name: "tells day boundaries in UTC",
		async run({ database }) {
			assert.deepEqual(
				await run(database, "select date_trunc('day', $1::timestamptz) as day", new Date("2026-03-01T23:30:00Z")),
				[{ day: new Date("2026-03-01T00:00:00Z") }],
			);
		},
	},
];

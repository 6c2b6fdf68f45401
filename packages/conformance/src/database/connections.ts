import assert from "node:assert/strict";
import { DatabaseError } from "@reelmill/engine/ports";
import type { Case } from "../case.ts";
import { type DatabaseSubject, run } from "./subject.ts";

const lost = (error: unknown): boolean => error instanceof DatabaseError && error.outcomeUnknown && error.unavailable;

export const connectionCases: readonly Case<DatabaseSubject>[] = [
	{
		name: "resolves many more statements at once than any server has connections for",
		async run({ database }) {
			const rows = await Promise.all(Array.from({ length: 500 }, (_, n) => run(database, "select $1::int4 as n", n)));
			assert.deepEqual(
				rows.flat().map(({ n }) => n),
				Array.from({ length: 500 }, (_, n) => n),
			);
		},
	},
	{
		name: "rejects a statement whose connection was ended, with an unknown outcome, and takes the next",
		async run({ database }) {
			for (let round = 0; round < 5; round++) {
				await assert.rejects(run(database, "select pg_terminate_backend(pg_backend_pid()), pg_sleep(10)"), lost);
				assert.deepEqual(await run(database, "select 1 as n"), [{ n: 1 }]);
			}
		},
	},
	{
		name: "settles all statements when all connections are ended under them, and takes the next at once",
		async run({ database, elsewhere }) {
			await run(database, "create table slept (n int4)");
			const sleepers = Array.from({ length: 4 }, (_, n) =>
				run(database, "/* sleeper */ insert into slept select $1 from pg_sleep(20)", n),
			);
			const settled = Promise.allSettled(sleepers);
			const others =
				"from pg_stat_activity where datname = current_database() and state = 'active' and query like '/* sleeper */%'";
			while ((await run(elsewhere, `select count(*) as rows ${others}`))[0]?.rows !== sleepers.length);
			await run(elsewhere, `select pg_terminate_backend(pid) ${others}`);
			for (const result of await settled) assert.ok(result.status === "rejected" && lost(result.reason));
			const after = await Promise.all(Array.from({ length: 30 }, (_, n) => run(database, "select $1::int4 as n", n)));
			assert.equal(after.length, 30);
			assert.deepEqual(await run(database, "select n from slept"), []);
		},
	},
];

import { setTimeout as sleep } from "node:timers/promises";
import { DatabaseError } from "@reelmill/engine/ports";
import { type Runner, withBriefLocks } from "./runner.ts";
import type { ConcurrentIndex } from "./split-migration.ts";

/**
 * Another server has made the index meanwhile; or a deadlock broke off the work, which leaves an index to be removed.
 */
const beginAgain = new Set(["42P07", "23505", "40P01"]);
const pauseMilliseconds = 500;

/**
 * Builds an index without holding up writes, and resolves when it is there and valid. Any number of servers may do this
 * at once: one builds, the others wait. What an interrupted work left is removed first.
 *
 * @throws {DatabaseError} when it can't be built, for instance as its rows aren't unique.
 */
export async function buildIndex(runner: Runner, { name, table, text }: ConcurrentIndex): Promise<void> {
	for (;;) {
		const [row] = await runner.query({
			text: "select (select i.indisvalid from pg_index i where i.indexrelid = to_regclass($1)) as valid",
			values: [name],
		});
		if (row?.valid === true) return;
		try {
			if (row?.valid === false) await runner.script(removeInvalid(name, table));
			else await runner.alone(text);
		} catch (error) {
			if (!mayBeginAgain(error)) throw error;
			await sleep(pauseMilliseconds);
		}
	}
}

/** Whoever builds an index has this lock on the table to the end. So if the lock is free, nobody builds it any more. */
const removeInvalid = (name: string, table: string): string => `${withBriefLocks};
	lock table ${table} in share update exclusive mode;
	do $$ begin
		if exists (select from pg_index i where i.indexrelid = to_regclass('${name}') and not i.indisvalid) then
			drop index ${name};
		end if;
	end $$`;

function mayBeginAgain(error: unknown): boolean {
	if (!(error instanceof DatabaseError)) return false;
	const { code = "", constraint } = error;
	if (code === "23505") return constraint === "pg_class_relname_nsp_index";
	return code === "55P03" || beginAgain.has(code);
}

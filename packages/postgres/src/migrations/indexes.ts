import { setTimeout as sleep } from "node:timers/promises";
import { DatabaseError } from "@reelmill/engine/ports";
import { type Runner, withBriefLocks } from "./runner.ts";
import type { ConcurrentIndex } from "./split-migration.ts";

/**
 * Another server has made the index meanwhile, or holds the lock; or a deadlock broke off the work, which leaves an
 * index to be removed.
 */
const beginAgain = new Set(["42P07", "23505", "40P01", "55P03"]);
/** PostgreSQL lets go of the table before it commits that an index is valid, or gone. It translates neither text. */
const notYetCommitted = new Set(["tuple concurrently updated", "tuple concurrently deleted"]);
const pauseMilliseconds = 500;

/**
 * Builds an index without holding up writes, and resolves when it is there and valid. Any number of servers may do this
 * at once: one builds, the others wait. What an interrupted work left is removed first.
 *
 * @throws {DatabaseError} when it can't be built, for instance as its rows aren't unique.
 */
export async function buildIndex(runner: Runner, { name, table, text }: ConcurrentIndex): Promise<void> {
	await untilDone(async () => {
		const [row] = await runner.query({
			text: "select (select i.indisvalid from pg_index i where i.indexrelid = to_regclass($1)) as valid",
			values: [name],
		});
		if (row?.valid === true) return true;
		await (row?.valid === false ? runner.script(removeInvalid(name, table)) : runner.alone(text));
		return false;
	});
}

/** Drops an index without holding up writes, if it is there. Any number of servers may do this at once. */
export async function dropIndex(runner: Runner, text: string): Promise<void> {
	await untilDone(async () => {
		await runner.alone(text);
		return true;
	});
}

/** A server that builds an index has this lock on the table. If the lock is free, it has ended or soon commits. */
const removeInvalid = (name: string, table: string): string => `${withBriefLocks};
	lock table ${table} in share update exclusive mode;
	do $$ begin
		if exists (select from pg_index i where i.indexrelid = to_regclass('${name}') and not i.indisvalid) then
			drop index ${name};
		end if;
	end $$`;

async function untilDone(work: () => Promise<boolean>): Promise<void> {
	for (;;)
		try {
			if (await work()) return;
		} catch (error) {
			if (!mayBeginAgain(error)) throw error;
			await sleep(pauseMilliseconds);
		}
}

function mayBeginAgain(error: unknown): boolean {
	if (!(error instanceof DatabaseError)) return false;
	const { code = "", constraint, message } = error;
	if (code === "23505") return constraint === "pg_class_relname_nsp_index";
	return beginAgain.has(code) || (code === "XX000" && notYetCommitted.has(message));
}

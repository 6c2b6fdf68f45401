import type { Migration } from "@reelmill/engine/ports";
import { DatabaseError } from "@reelmill/engine/ports";
import pRetry from "p-retry";
import { buildIndex, dropIndex } from "./indexes.ts";
import { type Runner, withBriefLocks } from "./runner.ts";
import { splitMigration } from "./split-migration.ts";

/**
 * Any number will do if all servers of one database use the same. A migration, and the wait for another server's, may
 * take any time.
 */
const lock =
	"set local statement_timeout = 0; set local lock_timeout = 0; select pg_advisory_xact_lock(7283946511); " +
	withBriefLocks;
const record = `
	create schema if not exists reelmill;
	create table if not exists reelmill.migrations (name text constraint migrations_name primary key, applied_at timestamptz not null default now())`;

/** How often a migration tries again to get its locks; with the pauses between, this takes about ten minutes. */
const retries = 600;

/**
 * Applies the missing migrations, in order of names. The first process to insert a migration's name applies it; the
 * others wait, and then find it applied. Indexes that are built concurrently come before the rest of their migration.
 */
export async function applyMigrations(runner: Runner, migrations: readonly Migration[]): Promise<void> {
	const inOrder = migrations.toSorted((a, b) => (a.name < b.name ? -1 : 1));
	const applied = await appliedNames(runner);
	for (const { name, text } of inOrder) {
		if (applied.has(name)) continue;
		const { alone, together } = splitMigration(text);
		try {
			for (const statement of alone)
				await (typeof statement === "string" ? dropIndex(runner, statement) : buildIndex(runner, statement));
			await untilLocked(() =>
				runner.script(`${lock};\ninsert into reelmill.migrations (name) values (${literal(name)});\n${together}`),
			);
		} catch (error) {
			if (error instanceof DatabaseError && error.constraint === "migrations_name") continue;
			if (!(error instanceof DatabaseError)) throw error;
			const { code, constraint, outcomeUnknown, unavailable } = error;
			throw new DatabaseError(`Migration ${name} failed: ${error.message}`, {
				code,
				constraint,
				outcomeUnknown,
				unavailable,
				cause: error,
			});
		}
	}
}

/** Tries again while a lock isn't free: the statements that hold it, and those that come after, go first. */
const untilLocked = (work: () => Promise<void>): Promise<void> =>
	pRetry(work, {
		retries,
		// From 400 to 800 milliseconds.
		minTimeout: 400,
		factor: 1,
		randomize: true,
		shouldRetry: ({ error }) => error instanceof DatabaseError && error.code === "55P03",
	});

async function appliedNames(runner: Runner): Promise<ReadonlySet<string>> {
	const [found] = await runner.query({
		text: "select to_regclass('reelmill.migrations') is not null as there",
		values: [],
	});
	if (found?.there !== true) await runner.script(`${lock};${record}`);
	const rows = await runner.query({ text: "select name from reelmill.migrations", values: [] });
	return new Set(rows.map((row) => String(row.name)));
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

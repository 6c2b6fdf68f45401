import type { Migration, Row, Statement } from "@reelmill/engine/ports";
import { DatabaseError } from "@reelmill/engine/ports";

type Runner = {
	query(statement: Statement): Promise<Row[]>;
	/** Sends several statements in one message of the simple protocol, which PostgreSQL runs as one transaction. */
	script(text: string): Promise<void>;
};

/**
 * Any number will do if all servers of one database use the same. A migration, and the wait for another server's, may
 * take any time.
 */
const lock = "set local statement_timeout = 0; set local lock_timeout = 0; select pg_advisory_xact_lock(7283946511)";
const record = `
	create schema if not exists reelmill;
	create table if not exists reelmill.migrations (name text constraint migrations_name primary key, applied_at timestamptz not null default now())`;

/**
 * Applies the missing migrations, in order of names. The first process to insert a migration's name applies it; the
 * others wait, and then find it applied.
 */
export async function applyMigrations(runner: Runner, migrations: readonly Migration[]): Promise<void> {
	const inOrder = migrations.toSorted((a, b) => (a.name < b.name ? -1 : 1));
	const applied = await appliedNames(runner);
	for (const { name, text } of inOrder) {
		if (applied.has(name)) continue;
		try {
			await runner.script(`${lock};\ninsert into reelmill.migrations (name) values (${literal(name)});\n${text}`);
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

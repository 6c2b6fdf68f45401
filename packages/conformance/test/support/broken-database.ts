import type { Database, Row, Statement } from "@reelmill/engine/ports";
import { DatabaseError } from "@reelmill/engine/ports";

/**
 * Each adapter breaks one promise of the port, over a database that keeps them, and names the case that must notice.
 */
export const brokenDatabases: readonly {
	readonly flaw: string;
	readonly noticedBy: string;
	make(real: Database): Database;
}[] = [
	{
		flaw: "encodes objects for jsonb twice",
		noticedBy: "encodes an object for jsonb once",
		make: (real) =>
			withQuery(real, (statement) =>
				real.query({
					...statement,
					values: statement.values.map((value) => (isPlain(value) ? JSON.stringify(value) : value)),
				}),
			),
	},
	{
		flaw: "runs the statements of one text in transactions of their own",
		noticedBy: "refuses two statements in one text, with no effect",
		make: (real) =>
			withQuery(real, async (statement) => {
				let rows: Row[] = [];
				for (const text of statement.text.split(";")) rows = await real.query({ text, values: statement.values });
				return rows;
			}),
	},
	{
		flaw: "keeps the first part of a statement whose second part fails",
		noticedBy: "keeps nothing of a statement of which a part fails",
		make: (real) =>
			withQuery(real, async (statement) => {
				const [first, insert] = /^with o as \((.*?)\)(?= insert)/.exec(statement.text) ?? [];
				if (first && insert) await real.query({ text: insert, values: statement.values.slice(0, 1) });
				return real.query(first ? { text: "insert into items values ($1, $2)", values: statement.values } : statement);
			}),
	},
	{
		flaw: "answers int8 as text",
		noticedBy: "keeps int8 as number",
		make: (real) =>
			withQuery(real, async (statement) =>
				(await real.query(statement)).map((row) =>
					Object.fromEntries(
						Object.entries(row).map(([name, value]) => [name, typeof value === "number" ? String(value) : value]),
					),
				),
			),
	},
	{
		flaw: "says that a refused row's outcome is unknown",
		noticedBy: "names the constraint that refused a row, and says that the outcome is known",
		make: (real) =>
			withQuery(real, async (statement) => {
				try {
					return await real.query(statement);
				} catch (error) {
					throw error instanceof DatabaseError
						? new DatabaseError(error.message, { ...error, outcomeUnknown: true })
						: error;
				}
			}),
	},
	{
		flaw: "says of no error that the database is unavailable",
		noticedBy: "says 'unavailable' if the database's state is the reason: full, starting, read-only, its disk broken",
		make: (real) =>
			withQuery(real, async (statement) => {
				try {
					return await real.query(statement);
				} catch (error) {
					throw error instanceof DatabaseError
						? new DatabaseError(error.message, { ...error, unavailable: false })
						: error;
				}
			}),
	},
	{
		flaw: "migrates a statement at a time",
		noticedBy: "leaves nothing of a migration that fails, keeps those before it, and goes on once it is mended",
		make: (real) => ({
			query: (statement) => real.query(statement),
			async migrate(migrations) {
				for (const { name, text } of migrations) {
					const done = `done_${name.replaceAll(/\W/g, "")}`;
					if ((await real.query({ text: "select to_regclass($1) is not null as there", values: [done] }))[0]?.there)
						continue;
					// Quoted bodies keep their semicolons.
					for (const one of text.split(/;(?=(?:[^']*'[^']*')*[^']*$)(?! \$\$)/))
						if (one.trim()) await named(name, real.query({ text: one, values: [] }));
					await real.query({ text: `create table ${done} ()`, values: [] });
				}
			},
		}),
	},
	{
		flaw: "migrates without a lock",
		noticedBy: "applies each exactly once when ten servers migrate at once, and all resolve after it",
		make: (real) => ({
			query: (statement) => real.query(statement),
			async migrate(migrations) {
				for (const { text } of migrations)
					await real.query({
						text: `do $do$ begin ${text
							.replace(/--.*/, "")
							.replace("select pg_sleep", "perform pg_sleep")
							.replace(/;?\s*$/, ";")} end $do$`,
						values: [],
					});
			},
		}),
	},
];

function named(name: string, promise: Promise<Row[]>): Promise<Row[]> {
	return promise.catch((error: DatabaseError) => {
		throw new DatabaseError(`${name}: ${error.message}`, { ...error });
	});
}

const isPlain = (value: unknown): boolean =>
	typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;

function withQuery(real: Database, query: (statement: Statement) => Promise<Row[]>): Database {
	return {
		query: <R extends Row>(statement: Statement) => query(statement) as Promise<R[]>,
		migrate: (migrations) => real.migrate(migrations),
	};
}

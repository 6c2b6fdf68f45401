import type { Database, Tracer } from "../ports/index.ts";

/** What a statement is for: the first table that it changes, or else the first one that it reads. */
const changed = /(insert into|update|delete from) (reelmill\.\w+)/;
const read = /\bfrom (reelmill\.\w+)/;

/** Returns what a statement does, in few words. Statements of one kind have one summary. */
function summaryOf(text: string): string {
	const [, verb, table] = changed.exec(text) ?? [];
	if (verb !== undefined) return `${verb.replace(/ .*/, "").toUpperCase()} ${table}`;
	const source = read.exec(text)?.[1];
	return source === undefined ? "SELECT" : `SELECT ${source}`;
}

/**
 * Returns a database whose statements are spans, with their text and without their values. What the background asks by
 * itself, outside of every span, is not recorded.
 */
export function tracedDatabase(database: Database, tracer: Tracer): Database {
	return {
		query: (statement) => {
			if (!tracer.isRecording()) return database.query(statement);
			const { text } = statement;
			const summary = summaryOf(text);
			const attributes = {
				"db.system.name": "postgresql",
				"db.query.summary": summary,
				"db.query.text": text.replace(/\s+/g, " ").trim(),
			};
			return tracer.span(summary, { kind: "client", attributes }, async (span) => {
				const rows = await database.query(statement);
				span.set({ "db.response.returned_rows": rows.length });
				// The statement's rows have the type that its caller gives them.
				return rows as never;
			});
		},
		migrate: (migrations) => database.migrate(migrations),
	};
}

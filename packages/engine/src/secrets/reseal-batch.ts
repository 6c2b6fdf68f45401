import sql, { type Sql } from "sql-template-tag";
import type { Database } from "../ports/index.ts";
import type { Sealer } from "./seal.ts";
import type { SealedColumn } from "./sealed-columns.ts";

type Sealed = { readonly id: string; readonly text: string };
export type Batch = {
	/** Where the next batch of the column begins; `null` at its end. */
	readonly next: string | null;
	/**
	 * How many secrets were found under a previous key, which keys these were, and how many of the secrets are under the
	 * current key now.
	 */
	readonly found: number;
	readonly keys: readonly number[];
	readonly sealed: number;
	/** How many were found under none of the keys. */
	readonly lost: number;
};

/**
 * Seals the next rows of a column after `after` anew, under the current key, if a previous one sealed them. It
 * overwrites nothing that changed since it was read, and waits for no lock: a row that somebody else is changing counts
 * as found and is looked at again another time. It may be repeated, and run by several servers at once.
 */
export async function resealBatch(
	{ table, column }: SealedColumn,
	after: string,
	{ database, sealer, isNewest, size }: { database: Database; sealer: Sealer; isNewest: Sql; size: number },
): Promise<Batch> {
	const rows = await database.query<Sealed>(
		sql`select id, ${column} as text from ${table} where ${column} is not null and id > ${after} order by id limit ${size}`,
	);
	const opened = rows.map((row) => ({ ...row, content: sealer.tryToOpen(row.text) }));
	const old = opened.flatMap(({ id, text, content }) =>
		content !== null && content.key > 0 ? [{ id, text, ...content }] : [],
	);
	return {
		next: rows.length === size ? (rows.at(-1)?.id ?? null) : null,
		found: old.length,
		keys: [...new Set(old.map(({ key }) => key))],
		sealed:
			old.length === 0
				? 0
				: await replace(old.map(({ id, text, plain }) => ({ id, text, sealed: sealer.seal(plain) }))),
		lost: opened.filter(({ content }) => content === null).length,
	};

	async function replace(texts: readonly (Sealed & { readonly sealed: string })[]): Promise<number> {
		const [ids, before, becomes] = [
			texts.map(({ id }) => id),
			texts.map(({ text }) => text),
			texts.map(({ sealed }) => sealed),
		];
		const replaced = await database.query(sql`
			with wanted (id, before, becomes) as (select * from unnest(${ids}::uuid[], ${before}::text[], ${becomes}::text[])),
			free as (
				select w.* from wanted w join ${table} t on t.id = w.id where t.${column} = w.before and ${isNewest}
				order by t.id for no key update of t skip locked)
			update ${table} t set ${column} = free.becomes from free where t.id = free.id and t.${column} = free.before returning t.id`);
		return replaced.length;
	}
}

/** An index that is built while its table is written to. */
export type ConcurrentIndex = { readonly name: string; readonly table: string; readonly text: string };

/** A migration, in the parts that it is applied in. */
export type SplitMigration = {
	/** Statements that must stand alone, in order: indexes to build, and other statements as text. */
	readonly alone: readonly (ConcurrentIndex | string)[];
	/** Everything after them, which is one transaction. */
	readonly together: string;
};

const before = /^(?:\s|--[^\n]*)+/;
const create = /^create (?:unique )?index concurrently (\w+) on ((\w+)\.\w+)[\s(][^;]*;/i;
const drop = /^drop index concurrently if exists [\w.]+;/i;

/**
 * Splits off the statements at a migration's beginning that PostgreSQL doesn't run in a transaction: `create index
 * concurrently NAME on SCHEMA.TABLE ...` and `drop index concurrently if exists ...`.
 */
export function splitMigration(text: string): SplitMigration {
	const alone: (ConcurrentIndex | string)[] = [];
	let rest = text.replace(before, "");
	for (;;) {
		const [statement, index, table = "", schema] = create.exec(rest) ?? drop.exec(rest) ?? [];
		if (statement === undefined) return { alone, together: rest };
		alone.push(index === undefined ? statement : { name: `${schema}.${index}`, table, text: statement });
		rest = rest.slice(statement.length).replace(before, "");
	}
}

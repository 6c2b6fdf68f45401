import { checkedByHand, type Kind } from "./header.ts";

type Rule = {
	readonly pattern: RegExp;
	/** What else the statement has to hold. */
	readonly and?: readonly RegExp[];
	readonly says: string;
	/** A contract migration may do it. */
	readonly allowedIn?: Kind;
};

const alterTable = /^alter table\s+(?:only\s+)?([\w.]+)/i;

/** What the linter doesn't know, by the beginning of a statement. The first group names the table. */
const rules: readonly Rule[] = [
	{
		pattern: /^(?:update|delete from|merge into|truncate(?: table)?|cluster|reindex table)\s+(?:only\s+)?([\w.]+)/i,
		says: "changes rows of a table that servers use, and holds their locks to its end: let the engine do it in small steps",
	},
	{ pattern: /^lock(?: table)?\s+([\w.]+)/i, says: "locks a table" },
	{
		pattern: alterTable,
		and: [/\b(?:set (?:un)?logged|set tablespace|attach partition)\b/i],
		says: "rewrites or reads the whole table under a lock",
	},
	{
		pattern: alterTable,
		and: [/\badd column\b/i, /\bcheck\s*\(/i],
		says: "reads the whole table under a lock for its check: add the check as not valid, in a statement of its own, and validate it in a later migration",
	},
	{
		pattern: /^drop (?:function|procedure|view|type|trigger)\b/i,
		says: "takes away what servers of the release before use: leave it, and drop it in a contract migration",
		allowedIn: "Contract",
	},
	{ pattern: /^do\b/i, says: "hides its statements from this check" },
];

const newTable = /^create (?:unlogged )?table (?:if not exists )?([\w.]+)/i;

/**
 * Returns what is wrong with the statements of a migration that run in its transaction, which are `together` in its
 * text.
 */
export function breaksOwnRules(together: string, { text, kind }: { text: string; kind: Kind }): string[] {
	const byHand = checkedByHand(text);
	const plain = together.replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''").replace(/--[^\n]*/g, "");
	const statements = plain.split(";").map((statement) => statement.trim());
	const created = new Set(statements.flatMap((statement) => newTable.exec(statement)?.[1] ?? []));
	return statements.flatMap((statement) => {
		if (byHand.some((words) => statement.startsWith(words))) return [];
		return rules.flatMap(({ pattern, and = [], says, allowedIn }) => {
			const found = pattern.exec(statement);
			if (!found || !and.every((one) => one.test(statement))) return [];
			if (allowedIn === kind || created.has(found[1] ?? "")) return [];
			return [`"${statement.split("\n")[0]?.slice(0, 60)}" ${says}`];
		});
	});
}

import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { readMigrationFiles } from "../../packages/engine/src/migrations.ts";
import type { Migration } from "../../packages/engine/src/ports/index.ts";
import { splitMigration } from "../../packages/postgres/src/migrations/split-migration.ts";
import { tool } from "../programs/tool.ts";
import { capture } from "../setup/spawn.mjs";
import { findReleaseBefore, newestMigrationAt } from "../upgrade/release-before.ts";
import { checkedByHand, type Kind, readHeader } from "./header.ts";
import { changesLandedSince } from "./landed.ts";
import { breaksOwnRules } from "./own-rules.ts";

/** The linter's rules that are about locks. The others are about taste. */
const lockRules = new Set([
	"adding-field-with-default",
	"adding-foreign-key-constraint",
	"adding-not-nullable-field",
	"adding-primary-key-constraint",
	"adding-serial-primary-key-field",
	"ban-concurrent-index-creation-in-transaction",
	"ban-truncate-cascade",
	"changing-column-type",
	"constraint-missing-not-valid",
	"disallowed-unique-constraint",
	"require-concurrent-index-creation",
	"syntax-error",
	"transaction-nesting",
]);
/** Those that are about what servers of the release before still use. */
const removalRules = new Set([
	"adding-required-field",
	"ban-drop-column",
	"ban-drop-table",
	"renaming-column",
	"renaming-table",
]);

type Remark = { readonly file: string; readonly line: number; readonly rule_name: string; readonly message: string };

/**
 * Holds each migration to the contract: the release before works beside it, and it locks no table for longer than a
 * moment. Holds what has landed to its text.
 *
 * @throws {Error} when one breaks it; the message names all that do.
 */
export async function proveMigrations(): Promise<void> {
	const release = await findReleaseBefore();
	const [, ...later] = await readMigrationFiles();
	const faults = [...(await faultsOf(later, await newestMigrationAt(release))), ...(await changesLandedSince(release))];
	if (faults.length > 0) throw new Error(`${faults.join("\n")}\ndocs/guides/upgrade.md and CONTRIBUTING.md say how.`);
}

/**
 * Returns what breaks the contract, each as "name: what". Lines that stand for a function are left out. For `released`,
 * see {@link readHeader}.
 */
export async function faultsOf(files: readonly Migration[], released: string | null = null): Promise<string[]> {
	const migrations = files.map(({ name, text }) => ({ name, text: text.replace(/^\\ir .*$/gm, "") }));
	const remarks = await lint(migrations);
	return migrations.flatMap(({ name, text }) => {
		const { kind, faults } = readHeader(name, text, released);
		const linted = remarks
			.filter(({ file }) => basename(file, ".sql") === name)
			.filter(({ rule_name: rule }) => lockRules.has(rule) || isForbiddenRemoval(rule, kind))
			.filter(({ line }) => !checkedByHand(text).some((words) => statementAt(text, line).startsWith(words)))
			.map(({ line, rule_name: rule, message }) => `line ${line + 1}, ${rule}: ${message}`);
		const own = breaksOwnRules(splitMigration(text).together, { text, kind });
		return [...faults, ...linted, ...own].map((fault) => `${name}: ${fault}`);
	});
}

/** Returns the text from the beginning of the statement that this line is part of. */
function statementAt(text: string, line: number): string {
	const lines = text.split("\n");
	let first = line;
	while (first > 0 && !/;\s*$|^--/.test(lines[first - 1] ?? "")) first--;
	return lines.slice(first).join("\n").trimStart();
}

const isForbiddenRemoval = (rule: string, kind: Kind): boolean => removalRules.has(rule) && kind === "Expand";

/** Asks Squawk about what runs in a transaction. What stands alone before it is left out, without moving the lines. */
async function lint(migrations: readonly Migration[]): Promise<readonly Remark[]> {
	if (migrations.length === 0) return [];
	await using directory = await mkdtempDisposable(join(tmpdir(), "reelmill-migrations-"));
	const files = await Promise.all(
		migrations.map(async ({ name, text }) => {
			const { together } = splitMigration(text);
			const before = text.slice(0, text.length - together.length);
			const file = join(directory.path, `${name}.sql`);
			await writeFile(file, before.replace(/[^\n]/g, "") + together);
			return file;
		}),
	);
	const options = ["--assume-in-transaction", "--pg-version", "15", "--reporter", "json"];
	const { output } = await capture(tool("squawk"), [...options, ...files]);
	return JSON.parse(output.slice(output.indexOf("["))) as Remark[];
}

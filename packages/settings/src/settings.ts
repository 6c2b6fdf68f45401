import type { ZodType } from "zod";

/**
 * One setting: what it is for, how its text is read, and what holds without it. `undefined` as the default means that
 * it may be missing; `required` that it may not.
 */
export type Setting<T> = {
	readonly description: string;
	readonly value: ZodType<T>;
	readonly fallback?: T;
	readonly required?: boolean;
	/** How the default is written in --help, where its plain text doesn't say it. */
	readonly shown?: string;
};
export type SettingsTable = { readonly [name: string]: Setting<unknown> };
type Always = { readonly fallback: NonNullable<unknown> } | { readonly required: true };
type ValueOf<S> = S extends { readonly value: ZodType<infer T> } ? (S extends Always ? T : T | undefined) : never;
export type Settings<Table extends SettingsTable> = { readonly [Name in keyof Table]: ValueOf<Table[Name]> };

/** A setting is wrong, missing or unknown. The message is one sentence that names it. */
export class SettingsError extends Error {
	override readonly name = "SettingsError";
}

/**
 * Reads the settings of `table` from `environment`, where each stands under `prefix` and its name. Empty text counts as
 * not set. `ignored` are whole names under the prefix that are for other programs; one that is in the table as well is
 * read. Throws a SettingsError for the first one that is unknown (a misspelt name never passes silently), required and
 * missing, or not of its form.
 */
export function readSettings<const Table extends SettingsTable>(
	table: Table,
	environment: Readonly<Record<string, string | undefined>>,
	prefix: string,
	{ ignored = [] }: { readonly ignored?: readonly string[] } = {},
): Settings<Table> {
	for (const name of Object.keys(environment)) {
		if (name.startsWith(prefix) && !ignored.includes(name) && !Object.hasOwn(table, name.slice(prefix.length))) {
			throw new SettingsError(`${name} is not a setting of this program; --help lists them all.`);
		}
	}
	const read = Object.entries(table).map(([name, { value, fallback, required }]): [string, unknown] => {
		const written = environment[prefix + name];
		if (written === undefined || written === "") {
			if (required) throw new SettingsError(`${prefix}${name} is not set; --help says what it is for.`);
			return [name, fallback];
		}
		const { success, data, error } = value.safeParse(written);
		if (!success) throw new SettingsError(`${prefix}${name} ${error.issues[0]?.message ?? "is not of its form"}.`);
		return [name, data];
	});
	return Object.fromEntries(read) as Settings<Table>;
}

/** The table as lines for --help: name, default, what it is for. */
export function describeSettings(table: SettingsTable, prefix: string): string {
	return Object.entries(table)
		.map(([name, { description, fallback, required, shown }]) => {
			const held = required ? "required" : (shown ?? (fallback === undefined ? "none" : String(fallback)));
			return `  ${prefix}${name} (${held})\n      ${description}`;
		})
		.join("\n");
}

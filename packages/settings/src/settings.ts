import type { ZodType } from "zod";
import { withoutServiceLinks } from "./service-links.ts";
import { StartError } from "./start-error.ts";
import { isSecret } from "./values.ts";

/** One setting of a program. */
export type Setting<T> = {
	/** What the setting is for, for --help. */
	readonly description: string;
	/** Parses and checks the text; see {@link values}. */
	readonly value: ZodType<T>;
	/** The value of a setting that is not set (default: undefined). */
	readonly fallback?: T;
	/** Whether the setting must be set (default: false). */
	readonly required?: boolean;
	/** The default as --help shows it (default: the fallback as text). */
	readonly shown?: string;
	/**
	 * Whether nobody may be shown the value (default: whether `value` is one of `secret`, `secrets` and `password` of
	 * {@link values}).
	 */
	readonly secret?: boolean;
};
/** Settings by their names, without the prefix. */
export type SettingsTable = { readonly [name: string]: Setting<unknown> };
type Always = { readonly fallback: NonNullable<unknown> } | { readonly required: true };
type ValueOf<S> = S extends { readonly value: ZodType<infer T> } ? (S extends Always ? T : T | undefined) : never;
/** The values of a table's settings. */
export type Settings<Table extends SettingsTable> = { readonly [Name in keyof Table]: ValueOf<Table[Name]> };

/**
 * Thrown when a setting is wrong, missing or unknown. The message is one sentence that names it.
 *
 * @example
 * ```ts
 * import { readSettings, SettingsError, values } from "@reelmill/settings";
 *
 * const table = { PORT: { description: "The port.", value: values.integer(0, 65_535), fallback: 8787 } } as const;
 * try {
 * 	readSettings(table, { MILL_PORT: "eighty" }, "MILL_");
 * } catch (error) {
 * 	if (error instanceof SettingsError) console.log(error.message); // => MILL_PORT must be a whole number.
 * }
 * ```
 */
export class SettingsError extends StartError {
	override readonly name = "SettingsError";
}

/**
 * Reads the settings of `table` from `environment`, each by `prefix` and its name. Empty text counts as not set.
 * `ignored` lists whole names with the prefix that belong to other programs; a name that the table has as well is read.
 * The variables that Kubernetes adds for a Service with such a name (`MILL_PORT=tcp://10.0.0.1:80`) count as not set.
 *
 * @throws {SettingsError} when a name with the prefix is unknown, so that no misspelt one passes silently; when a
 * required setting is missing; when a value is wrong. The message names the first such setting.
 * @example
 * ```ts
 * import { readSettings, values } from "@reelmill/settings";
 *
 * const table = {
 * 	PORT: { description: "The port.", value: values.integer(0, 65_535), fallback: 8787 },
 * 	NAME: { description: "The program's name.", value: values.text, required: true },
 * } as const;
 * console.log(readSettings(table, { MILL_NAME: "north" }, "MILL_")); // => { PORT: 8787, NAME: 'north' }
 * ```
 */
export function readSettings<const Table extends SettingsTable>(
	table: Table,
	environment: Readonly<Record<string, string | undefined>>,
	prefix: string,
	{ ignored = [] }: { readonly ignored?: readonly string[] } = {},
): Settings<Table> {
	const given = withoutServiceLinks(environment, prefix);
	for (const name of Object.keys(given)) {
		if (name.startsWith(prefix) && !ignored.includes(name) && !Object.hasOwn(table, name.slice(prefix.length))) {
			throw new SettingsError(`${name} is not a setting of this program; --help lists them all.`);
		}
	}
	const read = Object.entries(table).map(([name, { value, fallback, required }]): [string, unknown] => {
		const written = given[prefix + name];
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

/** A setting as it is in force. `value` is null if it is a secret, or if the setting has no value. */
export type SettingInForce = {
	readonly name: string;
	readonly description: string;
	readonly value: string | null;
	/** What holds if the environment doesn't have it, in words; null if nothing does. */
	readonly default: string | null;
	/** Whether the environment has it; otherwise the default is in force. */
	readonly is_set: boolean;
	readonly is_secret: boolean;
};

/**
 * Returns the settings of `table` as they are in force, in the table's order, to be shown to an operator. The value of
 * a secret is left out. The values are texts as the environment has them, or as it would have the defaults; what the
 * program works out at its start is null, and `default` says it in words.
 *
 * @example
 * ```ts
 * import { settingsInForce, values } from "@reelmill/settings";
 *
 * const table = {
 * 	PORT: { description: "The port.", value: values.integer(0, 65_535), fallback: 8787 },
 * 	KEY: { description: "The key.", value: values.password(8) },
 * } as const;
 * const inForce = settingsInForce(table, { MILL_KEY: "correct-horse" }, "MILL_");
 * console.log(inForce.map(({ name, value, is_set }) => [name, value, is_set]));
 * // => [ [ 'MILL_PORT', '8787', false ], [ 'MILL_KEY', null, true ] ]
 * ```
 */
export function settingsInForce(
	table: SettingsTable,
	environment: Readonly<Record<string, string | undefined>>,
	prefix: string,
): SettingInForce[] {
	const given = withoutServiceLinks(environment, prefix);
	return Object.entries(table).map(([name, setting]) => {
		const written = given[prefix + name];
		const isSet = written !== undefined && written !== "";
		const secret = setting.secret ?? isSecret(setting.value);
		const held = setting.fallback === undefined ? null : String(setting.fallback);
		return {
			name: prefix + name,
			description: setting.description,
			value: secret ? null : isSet ? written : held || null,
			default: setting.shown ?? (secret ? null : held || null),
			is_set: isSet,
			is_secret: secret,
		};
	});
}

/**
 * Returns the table as lines for --help: each setting's name, default and description.
 *
 * @example
 * ```ts
 * import { describeSettings, values } from "@reelmill/settings";
 *
 * const table = { PORT: { description: "The port.", value: values.integer(0, 65_535), fallback: 8787 } } as const;
 * console.log(describeSettings(table, "MILL_"));
 * // => MILL_PORT (8787)
 * // => The port.
 * ```
 */
export function describeSettings(table: SettingsTable, prefix: string): string {
	return Object.entries(table)
		.map(([name, { description, fallback, required, shown }]) => {
			const held = required ? "required" : (shown ?? (fallback === undefined ? "none" : String(fallback)));
			return `  ${prefix}${name} (${held})\n      ${description}`;
		})
		.join("\n");
}

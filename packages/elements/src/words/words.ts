import type { words as controlWords } from "./control-words-arabic.ts";
import type { english } from "./english.ts";

/** A text for each plural of a language, as `Intl.PluralRules` calls them. `{count}` stands for the number. */
export type Plurals = { readonly [Plural in Exclude<Intl.LDMLPluralRule, "other">]?: string } & {
	readonly other: string;
};

type Text<T> = T extends string ? string : T extends { other: string } ? Plurals : never;
type Texts<T> = { readonly [Key in keyof T]: [Text<T[Key]>] extends [never] ? Texts<T[Key]> : Text<T[Key]> };
type Some<T> = { readonly [Key in keyof T]?: [Text<T[Key]>] extends [never] ? Some<T[Key]> : Text<T[Key]> };

/** All words of one language. A name in braces, such as `{name}`, stands for a value. */
export type Words = Texts<typeof english>;
/** What the uploader's element says, in one language. */
export type UploaderWords = Words["uploader"];
/** What the player's element says, in one language. */
export type PlayerWords = Words["player"] & { readonly controls?: ControlWords };
/** What the player's controls say, by their English words. */
export type ControlWords = { readonly [Key in keyof typeof controlWords]?: string };
/** Words that replace some of an element's own. `errors` has a text for each code of an error. */
export type SomeWords<T> = Some<T>;

/** Puts values in the place of their names in braces. */
export const fill = (text: string, values: Readonly<Record<string, string>>): string =>
	text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);

/** Words with some of them replaced. A word that is undefined replaces none. */
export const replaced = <T extends UploaderWords | PlayerWords>(words: T, changes: SomeWords<T> | null): T =>
	({
		...words,
		...given(changes),
		errors: { ...words.errors, ...given((changes as { errors?: object } | null)?.errors) },
	}) as T;

const given = (words: object | null | undefined): object =>
	Object.fromEntries(Object.entries(words ?? {}).filter(([, text]) => text !== undefined && text !== null));

/** The text for a code of an error; that of `unknown` if there is none. */
export const textOfCode = (errors: UploaderWords["errors"] | PlayerWords["errors"], code: string): string =>
	(errors as Readonly<Record<string, string>>)[code] ?? errors.unknown;

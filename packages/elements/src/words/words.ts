import type { english } from "./english.ts";

type Texts<T> = { readonly [Key in keyof T]: T[Key] extends string ? string : Texts<T[Key]> };
type Some<T> = { readonly [Key in keyof T]?: T[Key] extends string ? string : Some<T[Key]> };

/** All words of one language. A name in braces, such as `{name}`, stands for a value. */
export type Words = Texts<typeof english>;
/** What the uploader's element says, in one language. */
export type UploaderWords = Words["uploader"];
/** What the player's element says, in one language. */
export type PlayerWords = Words["player"];
/** Words that replace some of an element's own. `errors` has a text for each code of an error. */
export type SomeWords<T> = Some<T>;

/** Puts values in the place of their names in braces. */
export const fill = (text: string, values: Readonly<Record<string, string>>): string =>
	text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);

/** Words with some of them replaced. */
export const replaced = <T extends UploaderWords | PlayerWords>(words: T, changes: SomeWords<T> | null): T =>
	({
		...words,
		...changes,
		errors: { ...words.errors, ...(changes as { errors?: object } | null)?.errors },
	}) as T;

/** The text for a code of an error; that of `unknown` if there is none. */
export const textOfCode = (errors: UploaderWords["errors"] | PlayerWords["errors"], code: string): string =>
	(errors as Readonly<Record<string, string>>)[code] ?? errors.unknown;

import * as z from "zod";

const secretForms = new WeakSet<z.ZodType>();
const kept = <T extends z.ZodType>(form: T): T => {
	secretForms.add(form);
	return form;
};

/** Tells whether a form is that of a secret: one of {@link secret}, {@link secrets} and {@link password}. */
export const isSecret = (form: z.ZodType): boolean => secretForms.has(form);

/** Returns the form of a whole number from `min` to `max`, written in decimal. */
export const integer = (min: number, max: number): z.ZodType<number> =>
	z
		.string()
		.regex(/^-?\d+$/, "must be a whole number")
		.transform(Number)
		.pipe(z.number().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`));

/** Returns the form of a whole number from `min` to `max`, or of the word `auto`. */
export const autoOr = (min: number, max: number): z.ZodType<number | "auto"> => {
	const message = `must be auto or a whole number from ${min} to ${max}`;
	return z
		.string()
		.regex(/^(?:auto|\d+)$/, message)
		.transform((text) => (text === "auto" ? text : Number(text)))
		.refine((value) => value === "auto" || (value >= min && value <= max), message);
};

/** Text of at least one character. */
export const text = z.string().min(1, "must not be empty");

/** An http or https address. Slashes at its end are removed. */
export const address: z.ZodType<string> = z
	.url({ protocol: /^https?$/, error: "must be an http:// or https:// address" })
	.transform((url) => url.replace(/(?<!\/)\/+$/, ""));

/** Comma-separated parts. White space around a part and empty parts are removed. */
export const list: z.ZodType<string[]> = z.string().transform((all) =>
	all
		.split(",")
		.map((part) => part.trim())
		.filter((part) => part !== ""),
);

/** Returns the form of `length` comma-separated numbers of 0 or more. */
export const numbers = (length: number): z.ZodType<number[]> =>
	list.pipe(
		z
			.array(z.string().regex(/^\d+(\.\d+)?$/, "must be numbers, separated by commas"))
			.length(length, `must be ${length} numbers, separated by commas`)
			.transform((parts) => parts.map(Number)),
	);

/** Returns the form of a secret of at least `bytes` bytes, written in hexadecimal or base64. */
export const secret = (bytes: number): z.ZodType<Uint8Array, string> =>
	kept(
		z
			.string()
			.transform((written): Uint8Array => Buffer.from(written, /^[0-9a-fA-F]+$/.test(written) ? "hex" : "base64"))
			.refine((value) => value.byteLength >= bytes, `must be at least ${bytes} bytes, in hexadecimal or base64`),
	);

/** Returns the form of comma-separated secrets, each as by {@link secret}. */
export const secrets = (bytes: number): z.ZodType<Uint8Array[]> => kept(list.pipe(z.array(secret(bytes))));

/** Returns the form of a password: at least `characters` visible ASCII characters. */
export const password = (characters: number): z.ZodType<string> =>
	kept(
		z
			.string()
			.regex(/^[\x21-\x7e]*$/, "must be visible ASCII characters without spaces")
			.min(characters, `must have at least ${characters} characters: make one with openssl rand -hex 32`),
	);

/** Returns the form of one of these words. */
export const oneOf = <const Word extends string>(...words: [Word, ...Word[]]): z.ZodType<Word> =>
	z.enum(words, `must be one of ${words.join(", ")}`);

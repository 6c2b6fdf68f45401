/** The text isn't what a worker of ours writes. The message continues a sentence that begins with the file's name. */
export class UnreadableText extends Error {
	override readonly name = "UnreadableText";
}

/** Returns the lines of a text of at most `longest` characters, without the last line's end. */
export function linesOf(text: string, longest: number): string[] {
	if (text.length > longest) throw new UnreadableText(`is longer than ${longest} characters`);
	return text.replace(/\n$/, "").split("\n");
}

const decimal = /^(?:0|[1-9]\d{0,14})$/;

/** Reads a whole number of at most fifteen digits, so that sums of two are exact. */
export function wholeNumber(text: string | undefined): number {
	if (text === undefined || !decimal.test(text))
		throw new UnreadableText(`holds ${JSON.stringify(text?.slice(0, 50) ?? "nothing")} where a number belongs`);
	return Number(text);
}

export function seconds(text: string | undefined): number {
	if (text === undefined || !/^\d{1,9}(?:\.\d{1,9})?$/.test(text))
		throw new UnreadableText(`holds ${JSON.stringify(text?.slice(0, 50) ?? "nothing")} where seconds belong`);
	return Number(text);
}

/** Bytes of a file: where they begin, and how many they are. */
export type Part = { readonly offset: number; readonly length: number };

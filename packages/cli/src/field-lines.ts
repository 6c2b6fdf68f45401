import { ago } from "./ago.ts";
import type { Piece, Screen } from "./printing.ts";
import { aligned, bytes } from "./text.ts";

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** Formats an object in lines `name  value`. People also see how long ago a time was, and how much so many bytes are. */
export const fieldLines = (value: object, { isTTY }: Pick<Screen, "isTTY">): Piece[][] =>
	aligned(value).map(([name, text]) => {
		const told = isTTY ? meaning(name.trim(), text) : undefined;
		const line: Piece[] = [{ text: name, colour: "dim" }, text];
		return told === undefined ? line : [...line, { text: `  ${told}`, colour: "dim" }];
	});

function meaning(name: string, text: string): string | undefined {
	if (time.test(text)) return ago(text, Date.now());
	const isBytes = /(?:bytes|file_size|bytes_limit)(?:_today)?$/.test(name) && /^\d{4,}$/.test(text);
	return isBytes ? bytes(Number(text)) : undefined;
}

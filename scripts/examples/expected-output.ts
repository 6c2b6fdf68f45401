/** Makes every run of white space one space: Node prints a long value on several lines. */
export const comparable = (text: string): string => text.replace(/\s+/g, " ").trim();

const arrow = "// =>";

/**
 * Makes the expression that the comparable output of an example must match: the texts after `// =>`, in order. "…"
 * stands for any text. A text may stand in quotes, though it is printed without them.
 */
export function expectedOutput(code: string): RegExp {
	const expected = code.split("\n").flatMap((line) => {
		const at = line.indexOf(arrow);
		return at < 0 ? [] : withoutQuotes(line.slice(at + arrow.length).trim());
	});
	const pieces = comparable(expected.join(" ")).split("…");
	return new RegExp(`^${pieces.map((piece) => piece.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join(".*")}$`);
}

const withoutQuotes = (text: string): string => (/^"[^"]*"$/.test(text) ? text.slice(1, -1) : text);

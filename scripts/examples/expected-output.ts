/** Makes every run of white space one space: Node prints a long value on several lines. */
export const comparable = (text: string): string => text.replace(/\s+/g, " ").trim();

/**
 * Makes the expression that the comparable output of an example must match: the texts after `// =>`, in order. "…"
 * stands for any text.
 */
export function expectedOutput(code: string): RegExp {
	const expected = code.split("\n").flatMap((line) => /\/\/ => ?(.*)$/.exec(line)?.[1] ?? []);
	const pieces = comparable(expected.join(" ")).split("…");
	return new RegExp(`^${pieces.map((piece) => piece.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join(".*")}$`);
}

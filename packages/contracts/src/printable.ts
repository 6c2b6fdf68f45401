/**
 * The characters that a terminal obeys or that hide how a text reads: controls (C0, C1), format characters such as those
 * of writing from right to left, and separators of lines and paragraphs. The joiners of scripts and emoji are none, and
 * neither are the line feed and the tab, which programs write themselves.
 */
const steering = /(?!\n|\t|\u200c|\u200d)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * Returns a text as it may go to a terminal or a log: each control character, each format character and each separator
 * of lines and paragraphs is written as `\uXXXX`, but for line feeds, tabs and the joiners of scripts and emoji. A JSON
 * document stays the same document.
 * @example
 * ```ts
 * import { printable } from "@reelmill/contracts/printable";
 *
 * console.log(printable("cat\u202egpj.exe \u001b[2J")); // => cat\u202egpj.exe \u001b[2J
 * console.log(JSON.parse(printable('"a\u009bb"')) === "a\u009bb"); // => true
 * ```
 */
export const printable = (text: string): string =>
	text.replace(steering, (character) =>
		character
			.split("")
			.map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
			.join(""),
	);

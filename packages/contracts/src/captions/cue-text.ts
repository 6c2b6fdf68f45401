/**
 * What no text needs that is shown: controls, private and unassigned characters, and those that turn the direction of
 * the text around them. The joiners and the marks of direction stay, which Persian, Arabic, Hebrew and emoji need.
 */
const unseen = /(?![\u200c-\u200f\u061c])\p{C}/gu;

/**
 * Returns one line of a text without what can't be seen, and with single spaces.
 * @example
 * ```ts
 * import { seenText } from "@reelmill/contracts/captions";
 *
 * console.log(seenText("  The \u202emill\tturns.")); // => The mill turns.
 * ```
 */
export const seenText = (line: string): string => line.replaceAll(/\s+/g, " ").replaceAll(unseen, "").trim();

/**
 * Escapes a text for a cue of WebVTT, which shows it as it is.
 * @example
 * ```ts
 * import { escapedText } from "@reelmill/contracts/captions";
 *
 * console.log(escapedText("<b> & <i>")); // => &lt;b&gt; &amp; &lt;i&gt;
 * ```
 */
export const escapedText = (text: string): string =>
	text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/**
 * Returns a moment as a WebVTT file has it, to the millisecond.
 * @example
 * ```ts
 * import { timestamp } from "@reelmill/contracts/captions";
 *
 * console.log(timestamp(75.5)); // => 00:01:15.500
 * ```
 */
export function timestamp(seconds: number): string {
	const milliseconds = Math.round(seconds * 1000);
	const part = (unit: number, size: number, digits = 2) =>
		String(Math.floor(milliseconds / unit) % size).padStart(digits, "0");
	return `${part(3_600_000, 1000)}:${part(60_000, 60)}:${part(1000, 60)}.${part(1, 1000, 3)}`;
}

/**
 * Returns a cue as a WebVTT file has it (W3C WebVTT, section 4.1), with the line break at its end. `markup` is escaped
 * already, and has no empty line. `settings` say where it stands (default: nothing).
 * @example
 * ```ts
 * import { cueBlock } from "@reelmill/contracts/captions";
 *
 * console.log(cueBlock({ startSeconds: 1, endSeconds: 2.5, markup: "Hello" })); // => 00:00:01.000 --> 00:00:02.500 Hello
 * ```
 */
export const cueBlock = ({
	startSeconds,
	endSeconds,
	markup,
	settings = "",
}: {
	readonly startSeconds: number;
	readonly endSeconds: number;
	readonly markup: string;
	readonly settings?: string;
}): string =>
	`${timestamp(startSeconds)} --> ${timestamp(endSeconds)}${settings === "" ? "" : ` ${settings}`}\n${markup}\n`;

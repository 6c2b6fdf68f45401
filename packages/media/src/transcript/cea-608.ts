import type { Screen } from "./screens.ts";

/** What differs from ASCII in the basic set (CEA-608, annex F). */
const basic: Readonly<Record<number, string>> = {
	...{ 42: "á", 92: "é", 94: "í", 95: "ó", 96: "ú", 123: "ç", 124: "÷", 125: "Ñ", 126: "ñ", 127: "█" },
};
/** The letters after 0x11, from 0x30 on. */
const special = "®°½¿™¢£♪à èâêîôû";
/** The letters after 0x12 and after 0x13, from 0x20 on. Each takes the place of the letter before it. */
const extended = ["ÁÉÓÚÜü‘¡*'—©℠•“”ÀÂÇÈÊËëÎÏïÔÙùÛ«»", "ÃãÍÌìÒòÕõ{}\\^_|~ÄäÖöß¥¤¦ÅåØø┌┐└┘"] as const;
/** The two rows that each first byte of a preamble may mean. */
const rows = [
	[11, 11],
	[1, 2],
	[3, 4],
	[12, 13],
	[14, 15],
	[5, 6],
	[7, 8],
	[9, 10],
] as const;
const columns = 32;
const lastRow = 15;

/** Letters by row and column. */
type Memory = Map<number, string[]>;

type Mode = "pop-on" | "roll-up" | "paint-on" | "text";

const linesOf = (memory: Memory): string[] =>
	[...memory]
		.sort(([one], [other]) => one - other)
		.map(([, letters]) => Array.from(letters, (letter) => letter ?? " ").join(""));

/** Decodes closed captions, pair by pair. */
export type CaptionsDecoder = {
	/** Takes two bytes, with or without parity bits, that come at a moment. */
	take(first: number, second: number, atSeconds: number): void;
};

/**
 * Creates a decoder of the first channel of one field (CEA-608): CC1, which is in the language of the programme. `show`
 * is called with what is to be seen whenever that changes. Colours, places and styles are left out.
 *
 * It is our own since ffmpeg's decoder gives either wrong times or no last line, and those of players come with the
 * whole player.
 */
export function createCaptionsDecoder(show: (screen: Screen) => void): CaptionsDecoder {
	let [seen, hidden]: [Memory, Memory] = [new Map(), new Map()];
	let mode: Mode = "pop-on";
	let rolledRows = 2;
	let [row, column] = [lastRow, 0];
	let isFirstChannel = false;
	let before = -1;
	let shown = "";
	let isAnother = false;

	const become = (next: Mode) => {
		mode = next;
	};
	const memory = (): Memory => (mode === "pop-on" ? hidden : seen);
	const write = (letter: string) => {
		const letters = memory().get(row) ?? [];
		letters[Math.min(column, columns - 1)] = letter;
		memory().set(row, letters);
		column = Math.min(column + 1, columns);
	};
	const back = () => {
		column = Math.max(0, column - 1);
		memory().get(row)?.splice(column);
	};
	const roll = () => {
		const kept = [...seen].filter(([at]) => at > row - rolledRows + 1 && at <= row);
		seen = new Map(kept.map(([at, letters]) => [at - 1, letters]));
		column = 0;
	};
	const rollUp = (count: number) => {
		if (mode !== "roll-up") [seen, row] = [new Map(), lastRow];
		[mode, rolledRows, column] = ["roll-up", count, 0];
	};
	const moveTo = (next: number, indent: number) => {
		if (mode === "roll-up" && next !== row)
			seen = new Map([...seen].map(([at, letters]) => [at + next - row, letters] as const).filter(([at]) => at > 0));
		[row, column] = [next, indent];
	};
	const commands: Readonly<Record<number, () => void>> = {
		32: () => become("pop-on"),
		33: back,
		36: () => void memory().get(row)?.splice(column),
		37: () => rollUp(2),
		38: () => rollUp(3),
		39: () => rollUp(4),
		41: () => become("paint-on"),
		42: () => become("text"),
		43: () => become("text"),
		44: () => seen.clear(),
		45: () => mode === "roll-up" && roll(),
		46: () => hidden.clear(),
		47: () => {
			[seen, hidden, mode, isAnother] = [hidden, seen, "pop-on", true];
		},
	};

	/** Obeys a pair whose first byte is from 0x10 to 0x17. A text that is no captions hears only how it ends. */
	const obey = (first: number, second: number) => {
		const isMiscellaneous = (first === 0x14 || first === 0x15) && second < 0x40;
		if (mode === "text" && !(isMiscellaneous && second !== 33 && second !== 36)) return;
		if (isMiscellaneous) commands[second]?.();
		else if (second >= 0x40) {
			const isIndented = (second & 0x10) !== 0;
			moveTo(rows[first & 7]?.[(second >> 5) & 1] ?? lastRow, isIndented ? ((second >> 1) & 7) * 4 : 0);
		} else if (first === 0x11 && second >= 0x30) write(special[second - 0x30] ?? " ");
		else if (first === 0x11 && second >= 0x20) write(" ");
		else if ((first === 0x12 || first === 0x13) && second >= 0x20) {
			back();
			write(extended[first - 0x12]?.[second - 0x20] ?? " ");
		} else if (first === 0x17 && second >= 0x21 && second <= 0x23)
			column = Math.min(column + second - 0x20, columns - 1);
	};

	return {
		take(one, other, atSeconds) {
			const [first, second] = [one & 0x7f, other & 0x7f];
			const isCommand = first >= 0x10 && first < 0x20;
			const pair = first * 256 + second;
			// Commands are sent twice. The second one says nothing more.
			if (isCommand && pair === before) {
				before = -1;
				return;
			}
			if (pair === 0) return;
			before = isCommand ? pair : -1;
			if (isCommand) {
				isFirstChannel = first < 0x18;
				if (isFirstChannel) obey(first, second);
			} else if (isFirstChannel && mode !== "text") {
				for (const letter of [first, second]) if (letter >= 0x20) write(basic[letter] ?? String.fromCharCode(letter));
			}
			const lines = linesOf(seen);
			const text = lines.join("\n");
			if (text !== shown) show({ startSeconds: atSeconds, lines, ...(isAnother && { isAnother }) });
			[shown, isAnother] = [text, false];
		},
	};
}

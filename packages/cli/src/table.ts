import stringWidth from "string-width";
import { type Cell, cellOf } from "./cells.ts";
import type { Piece, Screen } from "./printing.ts";

/** The columns of a table. What has `room` is left out where the terminal is too narrow, the first one first. */
export type Columns<T> = readonly (readonly [title: string, of: (row: T) => unknown, need?: "if there is room"])[];

/** What a table keeps from one batch of rows to the next, so that later rows align with earlier ones. */
export type Layout = { widths: number[]; hidden?: ReadonlySet<number> };

const gap = "  ";
const least = 10;
const letters = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Cuts a text to so many cells of a terminal, and says so by three dots. */
export function cut(text: string, cells: number): string {
	if (stringWidth(text) <= cells) return text;
	let shown = "";
	for (const { segment } of letters.segment(text)) {
		if (stringWidth(shown + segment) > cells - 1) break;
		shown += segment;
	}
	return `${shown}…`;
}

const pad = (text: string, cells: number): string => text + " ".repeat(Math.max(0, cells - stringWidth(text)));

/**
 * Formats rows as aligned columns, below their titles if these are the first. On a terminal they are cut to its width:
 * texts first, then columns that are there `if there is room`. Ids, numbers, times and states stay whole.
 */
export function tableLines<T>(
	rows: readonly T[],
	columns: Columns<T>,
	layout: Layout,
	screen: Pick<Screen, "isTTY" | "columns">,
): Piece[][] {
	const cells = rows.map((row) => columns.map(([, of]) => cellOf(of(row))));
	const textOf = ({ plain, onTerminal }: Cell) => (screen.isTTY ? onTerminal : plain);
	const isFirst = layout.widths.length === 0;
	for (const [index, [title]] of columns.entries())
		layout.widths[index] = Math.max(
			layout.widths[index] ?? stringWidth(title),
			...cells.map((row) => stringWidth(textOf(row[index] as Cell))),
		);
	if (screen.isTTY) narrow(layout, columns, cells, screen.columns || 80);
	const lineOf = (pieces: readonly { readonly text: string; readonly colour?: Cell["colour"] }[]): Piece[] => {
		const shown = pieces.map((piece, index) => ({ ...piece, index })).filter(({ index }) => !layout.hidden?.has(index));
		return shown.map(({ text, colour, index }, place) => {
			const width = layout.widths[index] ?? 0;
			const isLast = place === shown.length - 1;
			const whole = isLast ? cut(text, width) : pad(cut(text, width), width) + gap;
			return colour === undefined ? whole : { text: whole, colour };
		});
	};
	const body = cells.map((row) => lineOf(row.map((one) => ({ text: textOf(one), colour: one.colour }))));
	return isFirst && rows.length > 0 ? [lineOf(columns.map(([text]) => ({ text, colour: "dim" }))), ...body] : body;
}

/** Makes the columns as wide as the terminal: it narrows the widest text until all do, or leaves out what may be. */
function narrow(layout: Layout, columns: Columns<never>, cells: readonly Cell[][], width: number): void {
	const hidden = new Set(layout.hidden);
	const shown = () => layout.widths.map((_, index) => index).filter((index) => !hidden.has(index));
	const excess = () =>
		shown().reduce((sum, index) => sum + (layout.widths[index] ?? 0), 0) + gap.length * (shown().length - 1) - width;
	const natural = [...layout.widths];
	const isText = (index: number) => cells.some((row) => row[index]?.isWhole === false);
	const leastOf = (index: number) =>
		Math.max(least, ...cells.map((row) => (row[index]?.isWhole ? stringWidth(row[index].onTerminal) : 0)));
	while (excess() > 0) {
		const [widest] = shown()
			.filter((index) => isText(index) && (layout.widths[index] ?? 0) > leastOf(index))
			.sort((a, b) => (layout.widths[b] ?? 0) - (layout.widths[a] ?? 0));
		if (widest !== undefined)
			layout.widths[widest] = Math.max(leastOf(widest), (layout.widths[widest] ?? 0) - excess());
		else {
			const spare = shown().find((index) => columns[index]?.[2] !== undefined);
			if (spare === undefined) break;
			hidden.add(spare);
			layout.widths = [...natural];
		}
	}
	layout.hidden = hidden;
}

import { ago } from "./ago.ts";
import type { Colour } from "./printing.ts";
import { cell } from "./text.ts";

/** A cell of a table: what a pipe gets, and what people see on a terminal. */
export type Cell = {
	readonly plain: string;
	readonly onTerminal: string;
	readonly colour?: Colour;
	/** Whether nothing of it may be cut off. */
	readonly isWhole: boolean;
};

const id = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

/** Makes a cell of a value. */
export function cellOf(value: unknown): Cell {
	if (isCell(value)) return value;
	const plain = cell(value);
	return { plain, onTerminal: plain, isWhole: plain === "-" || id.test(plain) || typeof value === "number" };
}

const isCell = (value: unknown): value is Cell =>
	typeof value === "object" && value !== null && "plain" in value && "onTerminal" in value;

/** A time: exact in a pipe, and so long ago on a terminal. */
export function time(at: string | null): Cell | null {
	if (at === null) return null;
	const plain = cell(at);
	return { plain, onTerminal: cell(ago(at, Date.now())), isWhole: true };
}

const colours: Readonly<Record<string, Colour>> = {
	available: "green",
	delivered: "green",
	failed: "red",
	timeout: "red",
	locked: "blue",
	encoding: "blue",
	running: "blue",
	uploading: "blue",
	queued: "yellow",
	uploaded: "yellow",
	waiting: "yellow",
	pending: "yellow",
	pending_upload: "yellow",
};

/** A state as a word, and on a terminal with a dot of its colour before it. `text` may say more than the word. */
export function state(name: string, text: string = name): Cell {
	const plain = cell(text);
	return { plain, onTerminal: `● ${plain}`, colour: colours[name] ?? "dim", isWhole: true };
}

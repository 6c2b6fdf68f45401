import { styleText } from "node:util";
import { printable } from "@reelmill/contracts/printable";
import type { CliIo, Output } from "./io.ts";

/** A colour of a terminal. */
export type Colour = "bold" | "dim" | "green" | "red" | "yellow" | "blue";
/** A part of a line, with its colour. */
export type Piece = string | { readonly text: string; readonly colour: Colour };

/** An output on which no text steers a terminal. */
export type Screen = Output & {
	/** Prints a line. Its parts are coloured if the reader sees colours. */
	line(pieces: readonly Piece[]): void;
};

/** What a command prints to, and what it was told of the service. */
export type Io = Omit<CliIo, "stdout" | "stderr"> & {
	readonly stdout: Screen;
	readonly stderr: Screen;
	/** Where the command asks, and what said its key: for people whose key is refused. */
	readonly asked: { url?: string; key_from?: string };
};

/**
 * Returns the same with outputs on which no text steers a terminal: tenants, visitors and their machines wrote much of
 * what is printed. All that a command line prints goes through here.
 */
export const printing = (io: CliIo): Io => ({
	environment: io.environment,
	signal: io.signal,
	stdout: printingOn(io.stdout, io.environment),
	stderr: printingOn(io.stderr, io.environment),
	asked: {},
	get stdin() {
		return io.stdin;
	},
});

function printingOn(output: Output, environment: CliIo["environment"]): Screen {
	const isColoured = hasColours(output, environment);
	const shown = (piece: Piece): string => {
		if (typeof piece === "string") return printable(piece);
		const text = printable(piece.text);
		return isColoured ? styleText(piece.colour, text, { validateStream: false }) : text;
	};
	return {
		write: (text) => output.write(printable(text)),
		line: (pieces) => void output.write(`${pieces.map(shown).join("")}\n`),
		isTTY: output.isTTY ?? false,
		get columns() {
			return output.columns ?? 80;
		},
		cursorTo: (column) => output.cursorTo?.(column),
		clearLine: (direction) => output.clearLine?.(direction),
	};
}

/** `FORCE_COLOR` wins over `NO_COLOR`, as in Node; without either a terminal has colours. */
function hasColours({ isTTY }: Output, { FORCE_COLOR, NO_COLOR, TERM }: CliIo["environment"]): boolean {
	if (FORCE_COLOR) return FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
	return isTTY === true && !NO_COLOR && TERM !== "dumb";
}

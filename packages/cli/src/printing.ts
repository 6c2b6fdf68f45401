import { printable } from "@reelmill/contracts/printable";
import type { CliIo, Output } from "./io.ts";

/**
 * Returns the same with outputs on which no text steers a terminal: tenants, visitors and their machines wrote much of
 * what is printed. All that a command line prints goes through here.
 */
export const printing = (io: CliIo): CliIo => ({
	environment: io.environment,
	signal: io.signal,
	stdout: printingOn(io.stdout),
	stderr: printingOn(io.stderr),
	get stdin() {
		return io.stdin;
	},
});

const printingOn = (output: Output): Output => ({
	write: (text) => output.write(printable(text)),
	isTTY: output.isTTY ?? false,
	get columns() {
		return output.columns ?? 80;
	},
	cursorTo: (column) => output.cursorTo?.(column),
	clearLine: (direction) => output.clearLine?.(direction),
});

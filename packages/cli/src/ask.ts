import { Interrupted, OutcomeError } from "./failure.ts";
import type { CliIo, Input } from "./io.ts";

/**
 * Asks for a line that is not shown as it is typed. What is not a terminal is read up to its first line's end.
 *
 * It is our own because `readline` echoes what is typed, and what can hide it is a package of a megabyte.
 * @throws {OutcomeError} when the input ends first
 * @throws {Interrupted} at Ctrl-C
 */
export async function askSecret({ stdin, stderr, signal }: CliIo, question: string): Promise<string> {
	if (stdin === undefined) throw new OutcomeError("no_input", "There is nobody to ask for the key.");
	const isTerminal = stdin.isTTY === true;
	if (isTerminal) stderr.write(question);
	stdin.setRawMode?.(isTerminal);
	try {
		return await lineOf(stdin, signal);
	} finally {
		if (isTerminal) stderr.write("\n");
		stdin.setRawMode?.(false);
	}
}

async function lineOf(stdin: Input, signal: AbortSignal): Promise<string> {
	const decoder = new TextDecoder();
	const stopped = Promise.withResolvers<never>();
	const stop = () => stopped.reject(signal.reason);
	signal.addEventListener("abort", stop, { once: true });
	stopped.promise.catch(() => {});
	const chunks = stdin[Symbol.asyncIterator]();
	let line = "";
	try {
		while (true) {
			signal.throwIfAborted();
			const { value, done } = await Promise.race([chunks.next(), stopped.promise]);
			if (done) break;
			for (const character of typeof value === "string" ? value : decoder.decode(value, { stream: true })) {
				if (character === "\n" || character === "\r") return line.trim();
				if (character === "\u0003") throw new Interrupted();
				if (character === "\u007f" || character === "\b") line = line.slice(0, -1);
				else line += character;
			}
		}
	} finally {
		signal.removeEventListener("abort", stop);
		void chunks.return?.();
	}
	if (line.trim() === "") throw new OutcomeError("no_input", "The input ended before a key came.");
	return line.trim();
}

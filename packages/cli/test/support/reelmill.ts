import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { runCli } from "../../src/index.ts";

const program = fileURLToPath(new URL("../../src/main.ts", import.meta.url));

export type Ended = { code: number | null; stdout: string; stderr: string };
type Environment = Record<string, string>;

/** Starts the real program with this environment alone. */
function start(args: readonly string[], environment: Environment, main = program): ChildProcess {
	return spawn(process.execPath, [main, ...args], {
		env: { PATH: process.env.PATH ?? "", NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...environment },
		stdio: ["ignore", "pipe", "pipe"],
	});
}

/** Runs the real program to its end. */
export async function reelmill(environment: Environment, ...args: string[]): Promise<Ended> {
	const child = start(args, environment);
	const [stdout, stderr, [code]] = await Promise.all([
		output(child.stdout),
		output(child.stderr),
		once(child, "close"),
	]);
	return { code, stdout, stderr };
}

/** Runs a command line in this process, which is faster. */
export async function inProcess(environment: Environment, ...args: string[]): Promise<Ended> {
	const [stdout, stderr]: [string[], string[]] = [[], []];
	const to = (texts: string[]) => ({ write: (text: string) => texts.push(text) });
	const code = await runCli(args, {
		environment,
		stdout: to(stdout),
		stderr: to(stderr),
		signal: new AbortController().signal,
	});
	return { code, stdout: stdout.join(""), stderr: stderr.join("") };
}

/**
 * Runs the program and returns the only JSON document that it prints.
 * @throws {Error} when it fails, with its message
 */
export async function reelmillJson<T>(environment: Environment, ...args: string[]): Promise<T> {
	const { code, stdout, stderr } = await reelmill(environment, ...args, "--json");
	if (code !== 0 || stderr !== "") throw new Error(`reelmill ${args.join(" ")} ended with ${code}: ${stderr}`);
	return JSON.parse(stdout) as T;
}

/** Parses the JSON documents of a stream, one on each line. */
export const documents = <T>(stdout: string): T[] =>
	stdout.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as T]));

/** Starts the program for a command that keeps running. `lines` yields the lines of stdout, `notes` those of stderr. */
export function started(environment: Environment, ...args: string[]) {
	return startedOf(program, environment, ...args);
}

/** Does the same with a copy of the program. */
export function startedOf(main: string, environment: Environment, ...args: string[]) {
	const child = start(args, environment, main);
	const linesOf = (stream: ChildProcess["stdout"]) =>
		createInterface({ input: stream as NonNullable<typeof stream> })[Symbol.asyncIterator]();
	const ended = once(child, "close").then(([code]) => code as number | null);
	return {
		lines: linesOf(child.stdout),
		notes: linesOf(child.stderr),
		ended,
		stop: (signal: NodeJS.Signals) => child.kill(signal),
	};
}

const output = (stream: ChildProcess["stdout"]): Promise<string> => (stream ? text(stream) : Promise.resolve(""));

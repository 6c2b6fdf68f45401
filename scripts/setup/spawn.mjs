import { spawn } from "node:child_process";
import { constants } from "node:os";

/**
 * Runs a program in the foreground. Signals sent to this process reach it too, except Ctrl-C at a terminal: the
 * terminal has sent that to both.
 * @param {string} program
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [environment]
 * @returns {Promise<number>} its exit code; 128 and the signal's number where a signal ended it
 */
export function runToEnd(program, args, environment = process.env) {
	return new Promise((resolve, reject) => {
		const child = spawn(program, args, { stdio: "inherit", env: environment });
		/** @param {NodeJS.Signals} signal */
		const forward = (signal) => {
			if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
		};
		/** @type {NodeJS.Signals[]} */
		const signals = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"];
		for (const signal of signals) process.on(signal, forward);
		child.once("error", reject);
		child.once("exit", (code, signal) => {
			for (const each of signals) process.off(each, forward);
			resolve(signal ? 128 + constants.signals[signal] : (code ?? 1));
		});
	});
}

/**
 * Runs a program and keeps what it prints.
 * @param {string} program
 * @param {string[]} args
 * @param {{ environment?: NodeJS.ProcessEnv, directory?: string, onLine?: (line: string) => void }} [options]
 * @returns {Promise<{ code: number, output: string }>} its exit code, 127 where it can't be started, and both its
 * streams together
 */
export function capture(program, args, { environment = process.env, directory, onLine } = {}) {
	return new Promise((resolve) => {
		const child = spawn(program, args, {
			stdio: ["ignore", "pipe", "pipe"],
			env: environment,
			...(directory && { cwd: directory }),
		});
		let output = "";
		/** @param {Buffer} bytes */
		const keep = (bytes) => {
			const text = bytes.toString();
			output += text;
			for (const line of text.split("\n")) if (line.trim()) onLine?.(line.trim());
		};
		child.stdout.on("data", keep);
		child.stderr.on("data", keep);
		child.once("error", (error) => resolve({ code: 127, output: error.message }));
		child.once("close", (code) => resolve({ code: code ?? 1, output }));
	});
}

/**
 * Runs a program to its end.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {string} [directory]
 * @param {NodeJS.ProcessEnv} [environment]
 * @returns {Promise<string>} what it printed
 * @throws {Error} with that if it fails
 */
export async function run(program, args, directory = process.cwd(), environment = process.env) {
	const { code, output } = await capture(program, [...args], { directory, environment });
	if (code !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${code}\n${output.trim()}`);
	return output;
}

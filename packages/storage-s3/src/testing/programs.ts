import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";

/** Ends the program with the process that started it, however that ends. Every Debian has `setpriv`. */
const withParent = ["--pdeathsig", "KILL"];

/**
 * A program that a test server needs isn't installed. The message says what to install.
 *
 * @example
 * ```ts
 * import { MissingProgramError } from "@reelmill/storage-s3/testing";
 *
 * const error: Error = new MissingProgramError("radosgw is not installed.");
 * console.log(error.name); // => MissingProgramError
 * ```
 */
export class MissingProgramError extends Error {
	override readonly name = "MissingProgramError";
}

const missing = (program: string, cause: unknown): MissingProgramError =>
	new MissingProgramError(
		`${program} is not installed. The S3 tests run on Ceph's gateway (Debian, Ubuntu: apt-get install radosgw ceph-mon ceph-osd ceph-common), or on the server that REELMILL_TEST_S3_ENDPOINT names.`,
		{ cause },
	);

/** Runs a program to its end and returns its output. If it fails, rejects with the end of its output. */
export async function run(program: string, args: readonly string[], milliseconds = 60_000): Promise<string> {
	const child = spawn(program, args, {
		stdio: ["ignore", "pipe", "pipe"],
		timeout: milliseconds,
		killSignal: "SIGKILL",
	});
	let output = "";
	let words = "";
	child.stdout.on("data", (bytes) => (output += bytes));
	child.stderr.on("data", (bytes) => (words += bytes));
	await started(child, program);
	const [code] = await once(child, "close");
	if (code !== 0)
		throw new Error(
			`${program} ${args[0] ?? ""} failed: ${`${output}${words}`.trim().slice(-2000) || `exit code ${code}`}`,
		);
	return output;
}

/** Starts a program that goes on running, and writes its output to `logFile`. */
export async function start(program: string, args: readonly string[], logFile: string): Promise<ChildProcess> {
	const log = openSync(logFile, "a");
	const child = spawn("setpriv", [...withParent, "--", program, ...args], { stdio: ["ignore", log, log] });
	await started(child, program);
	return child;
}

async function started(child: ChildProcess, program: string): Promise<void> {
	await once(child, "spawn").catch((error: unknown) => {
		throw missing(program, error);
	});
}

/** Ends the program, and resolves when it is gone. Does nothing if it has ended. */
export async function end(child: ChildProcess, signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	const gone = once(child, "exit");
	child.kill(signal);
	await gone;
}

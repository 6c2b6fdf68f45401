import { spawn } from "node:child_process";
import { constants as system } from "node:os";
import type { Readable, Writable } from "node:stream";
import { ProgramError } from "../errors.ts";

const keptErrorBytes = 8192;
/**
 * Output that is still open so long after a program ended is held by a daemon, which left the program's process group:
 * it is not waited for.
 */
const heldOpenMilliseconds = 5000;

/** A command, and what bubblewrap finds at its descriptor, where it is given any. */
export type Execution = { readonly command: readonly string[]; readonly filter?: Buffer | null };

export type ExecuteOptions = {
	readonly signal?: AbortSignal | undefined;
	/** Takes standard output as it comes; without it, it is collected. */
	readonly onOutput?: (chunk: Buffer) => void;
	/** Kill the program after so many seconds; never unless told. */
	readonly maxSeconds?: number | undefined;
};

export type Finished = { readonly stdout: Buffer; readonly stderr: string };

/**
 * The programs get no environment but this: no secrets of the worker's own. SVT_LOG=1 makes the AV1 encoder speak of
 * errors only.
 */
const environment = { LANG: "C.UTF-8", SVT_LOG: "1" };

/** Behind bubblewrap a program that was ended by a signal ends with 128 and its number. */
function ending(code: number | null, killedBy: string | null): { code: number | null; killedBy: string | null } {
	const name = Object.entries(system.signals).find(([, number]) => code === 128 + number)?.[0];
	return name === undefined ? { code, killedBy } : { code: null, killedBy: name };
}

/**
 * Runs a command in a process group of its own. Rejects with {@link ProgramError} on another exit code than 0, with the
 * signal's reason when aborted; the whole group is gone by then. `program` is the name that errors give it.
 */
export function execute(program: string, { command, filter }: Execution, options: ExecuteOptions): Promise<Finished> {
	const { signal, onOutput, maxSeconds } = options;
	return new Promise((fulfil, reject) => {
		signal?.throwIfAborted();
		const child = spawn(command[0] as string, command.slice(1), {
			env: environment,
			stdio: ["ignore", "pipe", "pipe", ...(filter ? ["pipe" as const] : [])],
			detached: true,
		});
		// Node makes no pipes where no descriptor is left for them, and says why afterwards.
		if (child.stdio === undefined) return void child.once("error", reject);
		const [, stdout, stderr, descriptor] = child.stdio as readonly unknown[] as readonly [
			null,
			Readable,
			Readable,
			(Writable | undefined)?,
		];
		// A program that ended before it read the filter says why itself.
		descriptor?.on("error", () => {});
		descriptor?.end(filter);
		const output: Buffer[] = [];
		let said = "";
		let failure: unknown;
		const killGroup = () => {
			if (child.pid === undefined) return;
			try {
				process.kill(-child.pid, "SIGKILL");
			} catch {
				child.kill("SIGKILL");
			}
		};
		const kill = (reason: unknown) => {
			failure ??= reason;
			killGroup();
		};
		const onAbort = () => kill(signal?.reason);
		signal?.addEventListener("abort", onAbort, { once: true });
		const timer =
			maxSeconds === undefined
				? undefined
				: setTimeout(
						() => kill(new Error(`${program} took longer than the ${maxSeconds} s allowed.`)),
						maxSeconds * 1000,
					);
		stdout.on("data", (chunk: Buffer) => {
			try {
				if (onOutput) onOutput(chunk);
				else output.push(chunk);
			} catch (error) {
				kill(error);
			}
		});
		stderr.on("data", (chunk: Buffer) => {
			said = (said + chunk.toString("utf8")).slice(-keptErrorBytes);
		});
		child.on("error", (error) => {
			failure ??= error;
		});
		let holding: NodeJS.Timeout | undefined;
		child.on("exit", () => {
			killGroup();
			holding = setTimeout(() => {
				failure ??= new Error(`${program} ended, and left something running that holds its output open.`);
				stdout.destroy();
				stderr.destroy();
			}, heldOpenMilliseconds);
		});
		child.on("close", (code, killedBy) => {
			signal?.removeEventListener("abort", onAbort);
			clearTimeout(timer);
			clearTimeout(holding);
			if (failure !== undefined) reject(failure);
			else if (code === 0) fulfil({ stdout: Buffer.concat(output), stderr: said });
			else reject(new ProgramError(program, { ...ending(code, killedBy), stderr: said }));
		});
	});
}

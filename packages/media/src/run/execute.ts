import { spawn } from "node:child_process";
import { constants as system } from "node:os";
import type { Readable, Writable } from "node:stream";
import { MachineError, ProgramError } from "../errors.ts";
import { watchStall } from "./watch-stall.ts";

const keptErrorBytes = 8192;
/**
 * How long after the end of a program its output may stay open. A daemon that left the program's process group may hold
 * it open for ever.
 */
const heldOpenMilliseconds = 5000;
/** How long a killed program may take to be gone. The kernel can't kill one that waits in a driver. */
const dyingMilliseconds = 10_000;

/** A command, and the filter that bubblewrap reads from its descriptor, if any. */
export type Execution = { readonly command: readonly string[]; readonly filter?: Buffer | null };

export type ExecuteOptions = {
	readonly signal?: AbortSignal | undefined;
	/**
	 * Takes standard output as it comes (default: it is collected and returned). An error that it throws ends the
	 * program.
	 */
	readonly onOutput?: (chunk: Buffer) => void;
	/** Takes standard error as it comes, beside the last of it that is returned (default: nothing does). */
	readonly onErrorOutput?: ((chunk: Buffer) => void) | undefined;
	/** After how many seconds the program is killed (default: never). */
	readonly maxSeconds?: number | undefined;
	/** How many seconds it may use next to no processor time before it is killed (default: any). */
	readonly stallSeconds?: number | undefined;
};

export type Finished = { readonly stdout: Buffer; readonly stderr: string };

/**
 * The only environment of programs, without secrets of this process. With SVT_LOG=1 the AV1 encoder only prints errors.
 */
const environment = { LANG: "C.UTF-8", SVT_LOG: "1" };

/** Reads how a program ended. In bubblewrap a program that a signal ended has the code 128 plus the signal's number. */
function ending(code: number | null, killedBy: string | null): { code: number | null; killedBy: string | null } {
	const name = Object.entries(system.signals).find(([, number]) => code === 128 + number)?.[0];
	return name === undefined ? { code, killedBy } : { code: null, killedBy: name };
}

/**
 * Runs a command in a process group of its own. The whole group is gone when the promise settles, unless the kernel
 * can't kill it within ten seconds. `program` is its name in errors.
 * @throws {ProgramError} when the command ends with a code other than 0
 * @throws {MachineError} when it stands still
 * @throws {Error} when it takes too long, or leaves something running that holds its output open
 * @throws the signal's reason when aborted
 */
export function execute(program: string, { command, filter }: Execution, options: ExecuteOptions): Promise<Finished> {
	const { signal, onOutput, onErrorOutput, maxSeconds, stallSeconds } = options;
	return new Promise((fulfil, reject) => {
		signal?.throwIfAborted();
		const child = spawn(command[0] as string, command.slice(1), {
			env: environment,
			stdio: ["ignore", "pipe", "pipe", ...(filter ? ["pipe" as const] : [])],
			detached: true,
		});
		// If no descriptors are left, Node makes no pipes and emits the error afterwards.
		if (child.stdio === undefined) return void child.once("error", reject);
		const [, stdout, stderr, descriptor] = child.stdio as readonly unknown[] as readonly [
			null,
			Readable,
			Readable,
			(Writable | undefined)?,
		];
		// A program that ends before it reads the filter says why itself.
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
		let dying: NodeJS.Timeout | undefined;
		const kill = (reason: unknown) => {
			failure ??= reason;
			killGroup();
			dying ??= setTimeout(() => {
				over();
				stdout.destroy();
				stderr.destroy();
				child.unref();
				reject(failure);
			}, dyingMilliseconds);
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
		const unwatch =
			stallSeconds === undefined || child.pid === undefined
				? undefined
				: watchStall(child.pid, stallSeconds, () =>
						kill(
							new MachineError(
								"program_hung",
								`${program} stood still for ${stallSeconds} s: it was stopped, or waits for its disk or device.`,
							),
						),
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
			onErrorOutput?.(chunk);
			said = (said + chunk.toString("utf8")).slice(-keptErrorBytes);
		});
		child.on("error", (error) => {
			failure ??= error;
		});
		let holding: NodeJS.Timeout | undefined;
		const over = () => {
			signal?.removeEventListener("abort", onAbort);
			clearTimeout(timer);
			unwatch?.();
			clearTimeout(holding);
			clearTimeout(dying);
		};
		child.on("exit", () => {
			killGroup();
			holding = setTimeout(() => {
				failure ??= new Error(`${program} ended, and left something running that holds its output open.`);
				stdout.destroy();
				stderr.destroy();
			}, heldOpenMilliseconds);
		});
		child.on("close", (code, killedBy) => {
			over();
			if (failure !== undefined) reject(failure);
			else if (code === 0) fulfil({ stdout: Buffer.concat(output), stderr: said });
			else reject(new ProgramError(program, { ...ending(code, killedBy), stderr: said }));
		});
	});
}

import { spawn } from "node:child_process";
import { constants } from "node:fs";
import { access, readdir } from "node:fs/promises";
import { constants as system } from "node:os";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { ProgramError } from "./errors.ts";
import { encodeLimits, type Limits, limited, sandboxed, withoutRights } from "./sandbox.ts";
import type { Logger, Tools } from "./types.ts";

const usualFolders = ["/usr/local/bin", "/usr/bin", "/bin", "/opt/homebrew/bin", "/snap/bin"];
const keptErrorBytes = 8192;
/** Output that is still open so long after a program ended is held by a daemon, which left the program's process group: it is not waited for. */
const heldOpenMilliseconds = 5000;

export type RunOptions = {
	readonly signal?: AbortSignal | undefined;
	/** The only files and folders that the program may read, and write. */
	readonly reads?: readonly string[];
	readonly writes?: readonly string[];
	/** Takes standard output as it comes; without it, it is collected. */
	readonly onOutput?: (chunk: Buffer) => void;
	/** Kill the program after so many seconds; after those that the programs were opened with unless told. */
	readonly maxSeconds?: number | undefined;
	/** Resources of its own; those of an encode unless told. */
	readonly limits?: Limits | undefined;
	/** How far the program stands behind others where they want the same cores, up to 19; not at all unless told. */
	readonly niceness?: number | undefined;
};

export type Finished = { readonly stdout: Buffer; readonly stderr: string };

/** Runs the programs of one job. */
export type Programs = {
	/**
	 * Runs to the end. Rejects with {@link ProgramError} on another exit code than 0, with the signal's reason when aborted, and with an Error where the program left
	 * anything but files and folders; in any case the program and all that it started are gone by then.
	 */
	run(program: "ffmpeg" | "ffprobe", args: readonly string[], options?: RunOptions): Promise<Finished>;
};

const isExecutable = (path: string): Promise<boolean> =>
	access(path, constants.X_OK).then(
		() => true,
		() => false,
	);

/** The absolute path of a program, or null where it can't be found. A name is looked for in `searchPath` (in the form of PATH) and in the usual folders. */
export async function findProgram(name: string, searchPath = ""): Promise<string | null> {
	if (name.includes("/")) return (await isExecutable(name)) ? resolve(name) : null;
	for (const folder of [...searchPath.split(delimiter).filter(isAbsolute), ...usualFolders]) {
		if (await isExecutable(join(folder, name))) return join(folder, name);
	}
	return null;
}

/** The same programs, behind all others that want the same cores. */
export const behindOthers = (programs: Programs): Programs => ({
	run: (program, args, options) => programs.run(program, args, { ...options, niceness: 10 }),
});

/** A command line that can be pasted into a shell. */
export const pasteable = (command: readonly string[]): string =>
	command.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(" ");

/** The programs get no environment but this: no secrets of the worker's own. SVT_LOG=1 makes the AV1 encoder speak of errors only. */
const environment = { LANG: "C.UTF-8", SVT_LOG: "1" };

/** Behind bubblewrap a program that was ended by a signal ends with 128 and its number. */
function ending(code: number | null, killedBy: string | null): { code: number | null; killedBy: string | null } {
	const name = Object.entries(system.signals).find(([, number]) => code === 128 + number)?.[0];
	return name === undefined ? { code, killedBy } : { code: null, killedBy: name };
}

/** Runs a command in a process group of its own. Rejects as {@link Programs} does; the whole group is gone by then. `program` is the name that errors give it. */
export function execute(program: string, command: readonly string[], options: RunOptions): Promise<Finished> {
	const { signal, onOutput, maxSeconds } = options;
	return new Promise((fulfil, reject) => {
		signal?.throwIfAborted();
		const child = spawn(command[0] as string, command.slice(1), { env: environment, stdio: ["ignore", "pipe", "pipe"], detached: true });
		const output: Buffer[] = [];
		let stderr = "";
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
			maxSeconds === undefined ? undefined : setTimeout(() => kill(new Error(`${program} took longer than the ${maxSeconds} s allowed.`)), maxSeconds * 1000);
		child.stdout.on("data", (chunk: Buffer) => {
			try {
				if (onOutput) onOutput(chunk);
				else output.push(chunk);
			} catch (error) {
				kill(error);
			}
		});
		child.stderr.on("data", (chunk: Buffer) => {
			stderr = (stderr + chunk.toString("utf8")).slice(-keptErrorBytes);
		});
		child.on("error", (error) => {
			failure ??= error;
		});
		let holding: NodeJS.Timeout | undefined;
		child.on("exit", () => {
			killGroup();
			holding = setTimeout(() => {
				failure ??= new Error(`${program} ended, and left something running that holds its output open.`);
				child.stdout.destroy();
				child.stderr.destroy();
			}, heldOpenMilliseconds);
		});
		child.on("close", (code, killedBy) => {
			signal?.removeEventListener("abort", onAbort);
			clearTimeout(timer);
			clearTimeout(holding);
			if (failure !== undefined) reject(failure);
			else if (code === 0) fulfil({ stdout: Buffer.concat(output), stderr });
			else reject(new ProgramError(program, { ...ending(code, killedBy), stderr }));
		});
	});
}

/** A source that took a program over could leave links and pipes, and lead what reads and delivers its outputs, out here, to other files. */
async function refuseSpecialFiles(program: string, folder: string): Promise<void> {
	for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
		if (!entry.isFile() && !entry.isDirectory())
			throw new Error(`${program} left ${join(entry.parentPath, entry.name)}, which is neither a file nor a folder.`);
	}
}

type Confine = (command: readonly string[], files: Pick<RunOptions, "reads" | "writes">) => string[];

/** To do next to nothing once, on the busiest machine. */
const trialSeconds = 60;

/**
 * What keeps a command from more than it needs: bubblewrap, or else, for root, leaving root's rights behind. Each is tried with `harmless`, and one that fails here is told.
 * Rejects where it can't even be said whether one does.
 */
async function openConfinement(
	sandbox: "auto" | "off",
	harmless: readonly string[],
	{ logger, signal }: Pick<OpenOptions, "logger" | "signal">,
): Promise<Confine> {
	const bubblewrap = sandbox === "auto" ? await findProgram("bwrap") : null;
	const setpriv = process.getuid?.() === 0 ? await findProgram("setpriv") : null;
	const ways: Confine[] = [];
	if (bubblewrap !== null) ways.push((command, files) => sandboxed(bubblewrap, command, files));
	if (setpriv !== null) ways.push((command) => withoutRights(setpriv, command));
	for (const confine of ways) {
		const command = confine(harmless, {});
		try {
			await execute(command[0] as string, command, { signal, maxSeconds: trialSeconds });
			return confine;
		} catch (error) {
			if (!(error instanceof ProgramError)) throw error;
			logger?.warn({ error: String(error) }, `${command[0]} does not work here; ffmpeg runs without it`);
		}
	}
	return (command) => [...command];
}

type OpenOptions = {
	readonly logger?: Logger | undefined;
	/** Every program that is run is ended after so many seconds; four hours unless told. */
	readonly maxSeconds?: number | undefined;
	/** Of the opening alone. */
	readonly signal?: AbortSignal | undefined;
};

/** Opens the tools for one job: finds them, and how they can be confined here. Throws an Error that names a missing program. */
export async function openPrograms(tools: Tools, { logger, maxSeconds = 4 * 3600, signal }: OpenOptions = {}): Promise<Programs> {
	const find = async (name: string): Promise<string> => {
		const path = await findProgram(name);
		if (path === null) throw new Error(`The program ${name} can't be found or run.`);
		return path;
	};
	const paths = { ffmpeg: await find(tools.ffmpeg), ffprobe: await find(tools.ffprobe) };
	const confine = await openConfinement(tools.sandbox ?? "auto", [paths.ffprobe, "-version"], { logger, signal });
	return {
		run: async (program, args, options = {}) => {
			const command = [paths[program], ...args];
			logger?.debug({ command: pasteable(command) }, `running ${program}`);
			const confined = limited(confine(command, options), options.limits ?? encodeLimits(), options.niceness);
			const finished = await execute(program, confined, { maxSeconds, ...options });
			for (const folder of options.writes ?? []) await refuseSpecialFiles(program, folder);
			return finished;
		},
	};
}

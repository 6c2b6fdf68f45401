import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { MachineError } from "../errors.ts";
import type { Tools, Tracer } from "../types.ts";
import { type ConfinementOptions, type ConfinementPart, openConfinement } from "./confinement.ts";
import { type ExecuteOptions, execute, type Finished } from "./execute.ts";
import { findProgram } from "./find-program.ts";
import { encodeLimits, type Limits, limited } from "./resource-limits.ts";

export type RunOptions = ExecuteOptions & {
	/** The only files and folders that the program may read (default: none). */
	readonly reads?: readonly string[];
	/** The only files and folders that the program may write (default: none). */
	readonly writes?: readonly string[];
	/** The only devices that the program may use (default: none). */
	readonly devices?: readonly string[];
	/** What the program may use (default: the limits of an encode). */
	readonly limits?: Limits | undefined;
	/** The program's niceness, from 0 to 19: a program of a higher one yields the cores to the others (default: 0). */
	readonly niceness?: number | undefined;
};

/** Runs the programs of one job. */
export type Programs = {
	/**
	 * Runs a program to its end. The program and all that it started are gone when the promise settles.
	 * @throws {ProgramError} when the program ends with a code other than 0
	 * @throws {MachineError} when the program stood still
	 * @throws {Error} when it took too long, or left anything but files and folders in `writes`
	 * @throws the signal's reason when aborted
	 */
	run(program: "ffmpeg" | "ffprobe", args: readonly string[], options?: RunOptions): Promise<Finished>;
};

/** Opened programs, and the signal that stops what they do. */
export type Run = { readonly programs: Programs; readonly signal?: AbortSignal | undefined };

/** Programs, and the parts of their confinement that are missing on this machine. */
export type OpenedPrograms = Programs & { readonly missing: readonly ConfinementPart[] };

/** Returns the same programs with a niceness: whatever else wants the same cores goes first. */
export const behindOthers = (programs: Programs): Programs => ({
	run: (program, args, options) => programs.run(program, args, { ...options, niceness: 10 }),
});

/** Returns a command line that can be pasted into a shell. */
export const pasteable = (command: readonly string[]): string =>
	command.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(" ");

/** The arguments stay out of the span: they name files of the machine. */
const inSpan = <T>(tracer: Tracer | undefined, program: string, work: () => Promise<T>): Promise<T> =>
	tracer === undefined || tracer.current() === null
		? work()
		: tracer.span(program, { attributes: { "process.executable.name": program } }, work);

/**
 * Refuses links, pipes and other special files. A source that took a program over could leave them: whoever reads the
 * outputs outside of the confinement would follow them to other files.
 */
async function refuseSpecialFiles(program: string, folder: string): Promise<void> {
	// The option `recursive` of readdir would follow links.
	for (const entry of await readdir(folder, { withFileTypes: true })) {
		const path = join(folder, entry.name);
		if (entry.isDirectory()) await refuseSpecialFiles(program, path);
		else if (!entry.isFile()) throw new Error(`${program} left ${path}, which is neither a file nor a folder.`);
	}
}

type OpenOptions = ConfinementOptions & {
	/** How many seconds each program may take (default: 14,400). */
	readonly maxSeconds?: number | undefined;
};

/**
 * Finds ffmpeg and ffprobe, and the best way to confine them on this machine.
 * @throws {MachineError} when a program is missing, or when `tools.confinement` is `required` and a part of it is missing; the
 * message names what is missing
 */
export async function openPrograms(
	tools: Tools,
	{ maxSeconds = 4 * 3600, ...options }: OpenOptions = {},
): Promise<OpenedPrograms> {
	const { stallSeconds = 120 } = tools;
	const { logger } = options;
	const find = async (name: string): Promise<string> => {
		const path = await findProgram(name);
		if (path === null) throw new MachineError("program_unusable", `The program ${name} can't be found or run.`);
		return path;
	};
	const paths = { ffmpeg: await find(tools.ffmpeg), ffprobe: await find(tools.ffprobe) };
	const trials = [paths.ffprobe, paths.ffmpeg].map((path) => [path, "-version"]);
	const { missing, confine } = await openConfinement(tools.confinement ?? "preferred", trials, options);
	return {
		missing,
		run: async (program, args, options = {}) => {
			const command = [paths[program], ...args];
			logger?.debug({ command: pasteable(command) }, `running ${program}`);
			const confined = await confine(command, options);
			const execution = {
				...confined,
				command: limited(confined.command, options.limits ?? encodeLimits(), options.niceness),
			};
			const finished = await inSpan(tools.tracer, program, () =>
				execute(program, execution, { maxSeconds, stallSeconds, ...options }),
			);
			for (const folder of options.writes ?? []) await refuseSpecialFiles(program, folder);
			return finished;
		},
	};
}

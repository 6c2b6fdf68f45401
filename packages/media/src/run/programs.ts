import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Tools } from "../types.ts";
import { type ConfinementOptions, type ConfinementPart, openConfinement } from "./confinement.ts";
import { type ExecuteOptions, execute, type Finished } from "./execute.ts";
import { findProgram } from "./find-program.ts";
import { encodeLimits, type Limits, limited } from "./resource-limits.ts";

export type RunOptions = ExecuteOptions & {
	/** The only files and folders that the program may read, and write. */
	readonly reads?: readonly string[];
	readonly writes?: readonly string[];
	/** Resources of its own; those of an encode unless told. */
	readonly limits?: Limits | undefined;
	/** How far the program stands behind others where they want the same cores, up to 19; not at all unless told. */
	readonly niceness?: number | undefined;
};

/** Runs the programs of one job. */
export type Programs = {
	/**
	 * Runs to the end. Rejects with {@link ProgramError} on another exit code than 0, with the signal's reason when
	 * aborted, and with an Error where the program left anything but files and folders; in any case the program and all
	 * that it started are gone by then.
	 */
	run(program: "ffmpeg" | "ffprobe", args: readonly string[], options?: RunOptions): Promise<Finished>;
};

/** With what is missing of their confinement here. */
export type OpenedPrograms = Programs & { readonly missing: readonly ConfinementPart[] };

/** The same programs, behind all others that want the same cores. */
export const behindOthers = (programs: Programs): Programs => ({
	run: (program, args, options) => programs.run(program, args, { ...options, niceness: 10 }),
});

/** A command line that can be pasted into a shell. */
export const pasteable = (command: readonly string[]): string =>
	command.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(" ");

/**
 * A source that took a program over could leave links and pipes, and lead what reads and delivers its outputs, out
 * here, to other files.
 */
async function refuseSpecialFiles(program: string, folder: string): Promise<void> {
	// Not by `recursive`, which goes through links.
	for (const entry of await readdir(folder, { withFileTypes: true })) {
		const path = join(folder, entry.name);
		if (entry.isDirectory()) await refuseSpecialFiles(program, path);
		else if (!entry.isFile()) throw new Error(`${program} left ${path}, which is neither a file nor a folder.`);
	}
}

type OpenOptions = ConfinementOptions & {
	/** Every program that is run is ended after so many seconds; four hours unless told. */
	readonly maxSeconds?: number | undefined;
};

/**
 * Opens the tools for one job: finds them, and how they can be confined here, of which the options speak. Throws an
 * Error that names a missing program, or what is missing of the confinement where all of it is required.
 */
export async function openPrograms(
	tools: Tools,
	{ maxSeconds = 4 * 3600, ...options }: OpenOptions = {},
): Promise<OpenedPrograms> {
	const { logger } = options;
	const find = async (name: string): Promise<string> => {
		const path = await findProgram(name);
		if (path === null) throw new Error(`The program ${name} can't be found or run.`);
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
			const finished = await execute(program, execution, { maxSeconds, ...options });
			for (const folder of options.writes ?? []) await refuseSpecialFiles(program, folder);
			return finished;
		},
	};
}

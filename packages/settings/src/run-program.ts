import { parseArgs } from "node:util";
import { StartError } from "./start-error.ts";

/** A program that has settings, and runs until it is told to stop, or ends by itself. */
export type Program<Config> = {
	/** What `--help` prints. */
	readonly help: string;
	/** What `--version` prints. */
	readonly version: string;
	/** The options of its command line besides `--help` and `--version` (default: none). */
	readonly options?: { readonly [name: string]: { readonly type: "boolean" | "string" } };
	/** Gets the options that were given, by their names. */
	readonly readConfig: (options: GivenOptions) => Config;
	/** Resolves to what stops it in order. */
	readonly start: (config: Config) => Promise<StartedProgram>;
};

/** Options of a command line: a text, or true for one that takes none. */
export type GivenOptions = { readonly [name: string]: string | boolean | undefined };

export type StartedProgram = {
	/** Stops it. It may resolve to the exit code (default: 0). */
	stop(signal: "SIGINT" | "SIGTERM"): Promise<void> | Promise<number>;
	/** Resolves to the exit code when the program has ended by itself. Default: it runs until it is stopped. */
	readonly ended?: Promise<number>;
};

/**
 * Runs a program by its command line: `--help`, `--version`, or the start with its settings and options. A program that
 * ends by itself names its exit code. On SIGINT and SIGTERM it stops in order and ends with 0, or with the code that
 * `stop` resolves to, even while it still starts. One Ctrl-C can arrive several times, through the process group and
 * through npm, so only a signal that comes more than a second later ends the process at once. If a setting or an option
 * is wrong, or the start throws a `StartError`, it prints the message and ends with 1.
 *
 * @example
 * ```ts
 * import { readSettings, runProgram, values } from "@reelmill/settings";
 *
 * const table = { PORT: { description: "The port.", value: values.integer(0, 65_535), fallback: 8787 } } as const;
 * await runProgram(
 * 	{
 * 		help: "Usage: mill",
 * 		version: "1.0.0",
 * 		readConfig: () => readSettings(table, {}, "MILL_"),
 * 		async start({ PORT }) {
 * 			console.log(`The port is ${PORT}.`);
 * 			return { stop: async () => {} };
 * 		},
 * 	},
 * 	process,
 * );
 * // => The port is 8787.
 * ```
 */
export async function runProgram<Config>(
	{ help, version, options = {}, readConfig, start }: Program<Config>,
	process: Pick<NodeJS.Process, "argv" | "stdout" | "stderr" | "exit" | "on">,
): Promise<void> {
	if (process.argv.includes("--help")) return void process.stdout.write(`${help}\n`);
	if (process.argv.includes("--version")) return void process.stdout.write(`${version}\n`);
	try {
		const starting = start(readConfig(readOptions(process.argv.slice(2), options)));
		let asked: number | undefined;
		for (const signal of ["SIGINT", "SIGTERM"] as const) {
			process.on(signal, () => {
				if (asked !== undefined) {
					if (performance.now() - asked > 1000) process.exit(1);
					return;
				}
				asked = performance.now();
				void starting.then(async (program) => process.exit((await program.stop(signal)) ?? 0));
			});
		}
		const { ended } = await starting;
		void ended?.then((code) => {
			if (asked === undefined) process.exit(code);
		});
	} catch (error) {
		if (!(error instanceof StartError)) throw error;
		process.stderr.write(`${error.message}\n`);
		process.exit(1);
	}
}

function readOptions(args: string[], options: NonNullable<Program<unknown>["options"]>): GivenOptions {
	const { tokens } = parseArgs({ args, options, strict: false, tokens: true });
	const given: Record<string, string | boolean> = {};
	for (const token of tokens) {
		const option = token.kind === "option" && token.rawName.startsWith("--") ? options[token.name] : undefined;
		if (token.kind !== "option" || option === undefined)
			throw new StartError(`${args[token.index]} is not an option of this program; --help lists its settings.`);
		if (option.type === "boolean" ? token.value !== undefined : !token.value)
			throw new StartError(`--${token.name} takes ${option.type === "boolean" ? "no value" : "a value"}.`);
		given[token.name] = token.value ?? true;
	}
	return given;
}

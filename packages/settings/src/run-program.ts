import { StartError } from "./start-error.ts";

/** A program that has settings, and runs until it is told to stop. */
export type Program<Config> = {
	/** What `--help` prints. */
	readonly help: string;
	/** What `--version` prints. */
	readonly version: string;
	readonly readConfig: () => Config;
	/** Resolves to what stops it in order. */
	readonly start: (config: Config) => Promise<{ stop(signal: NodeJS.Signals): Promise<void> }>;
};

/**
 * Runs a program by its command line: `--help`, `--version`, or the start with its settings. On SIGINT and SIGTERM it
 * stops in order and ends with 0, even while it still starts. One Ctrl-C can arrive several times, through the process
 * group and through npm, so only a signal that comes more than a second later ends the process at once. If a setting is
 * wrong, or the start throws a `StartError`, it prints the message and ends with 1.
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
	{ help, version, readConfig, start }: Program<Config>,
	process: Pick<NodeJS.Process, "argv" | "stdout" | "stderr" | "exit" | "on">,
): Promise<void> {
	const [unknown] = process.argv.slice(2);
	if (process.argv.includes("--help")) return void process.stdout.write(`${help}\n`);
	if (process.argv.includes("--version")) return void process.stdout.write(`${version}\n`);
	try {
		if (unknown !== undefined)
			throw new StartError(`${unknown} is not an option of this program; --help lists its settings.`);
		const starting = start(readConfig());
		let asked: number | undefined;
		for (const signal of ["SIGINT", "SIGTERM"] as const) {
			process.on(signal, () => {
				if (asked !== undefined) {
					if (performance.now() - asked > 1000) process.exit(1);
					return;
				}
				asked = performance.now();
				void starting.then((program) => program.stop(signal)).then(() => process.exit(0));
			});
		}
		await starting;
	} catch (error) {
		if (!(error instanceof StartError)) throw error;
		process.stderr.write(`${error.message}\n`);
		process.exit(1);
	}
}

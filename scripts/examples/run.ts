import { execFile } from "node:child_process";
import { cp, mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { entryPoints } from "../packages/list.ts";
import { root } from "../setup/paths.mjs";

const resolution = fileURLToPath(new URL("./resolve.mjs", import.meta.url));
/** An example that hangs is named before its test's own time is over. A busy machine takes a minute for a short one. */
const longestSeconds = 200;

export type RunOptions = {
	/** The folder under `packages/` whose dependencies the example may import. */
	readonly packageFolder: string;
	/** What the example finds in `process.env` beside the PATH. */
	readonly environment?: Readonly<Record<string, string>>;
	/** Files that lie in the example's working directory, by name. */
	readonly files?: Readonly<Record<string, string>>;
};

/**
 * Runs an example as a Node program of its own, in an empty directory that is removed afterwards, and returns what it
 * printed.
 * @throws {Error} when it exits with a code other than 0, or is still running after 200 s; the message has its errors
 */
export async function runInNode(code: string, { packageFolder, environment, files }: RunOptions): Promise<string> {
	await using directory = await mkdtempDisposable(join(tmpdir(), "reelmill-example-"));
	for (const [name, source] of Object.entries(files ?? {})) await cp(source, join(directory.path, name));
	const { stdout } = await promisify(execFile)(
		process.execPath,
		["--import", resolution, "--input-type=module-typescript", "--eval", code],
		{
			cwd: directory.path,
			timeout: longestSeconds * 1000,
			killSignal: "SIGKILL",
			env: {
				PATH: process.env.PATH,
				HOME: process.env.HOME,
				NODE_COMPILE_CACHE: join(root, "node_modules/.cache/examples"),
				EXAMPLE_ENTRIES: JSON.stringify(Object.fromEntries(entryPoints())),
				EXAMPLE_PACKAGE: join(root, "packages", packageFolder),
				...environment,
			},
		},
	);
	return stdout;
}

import { execFile } from "node:child_process";
import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

export type DiskRule = {
	/** `sync` is fsync(2) and fdatasync(2); `write` is every way of writing. */
	readonly call: "sync" | "write";
	/** What the paths of files and directories begin with, with links resolved. */
	readonly path: string;
	readonly effect:
		| { readonly kind: "fail"; readonly code: "EIO" | "ENOSPC" | "EROFS" | "EMFILE" }
		/** Waits so long, or until the rule is removed, and then carries out the call. */
		| { readonly kind: "delay"; readonly milliseconds: number }
		/**
		 * For syncs: the first sync of each file fails. Later ones report success and do nothing, even after the rule is
		 * removed.
		 */
		| { readonly kind: "lose" };
};

export type DiskFaults = {
	/** What a program's environment must contain. Programs that it starts inherit it. */
	readonly environment: Readonly<Record<"LD_PRELOAD" | "FAULT_DISK_RULES", string>>;
	/** Replaces the rules. They take effect 20 ms after it resolves. The first rule that fits a call decides. */
	use(rules: readonly DiskRule[]): Promise<void>;
	/** Removes the library. Programs that have loaded it go on, without faults. */
	close(): Promise<void>;
};

const run = promisify(execFile);
const source = fileURLToPath(new URL("shim.c", import.meta.url));

/**
 * Compiles the library that breaks calls, which takes half a second.
 *
 * @throws {Error} when there is no C compiler.
 */
export async function openDiskFaults(): Promise<DiskFaults> {
	const directory = await mkdtemp(join(tmpdir(), "reelmill-fault-disk-"));
	const library = join(directory, "shim.so");
	const rulesFile = join(directory, "rules");
	try {
		await run("cc", ["-O1", "-Wall", "-Werror", "-shared", "-fPIC", "-o", library, source, "-ldl"]);
	} catch (error) {
		await rm(directory, { recursive: true, force: true });
		throw error;
	}
	return {
		environment: { LD_PRELOAD: library, FAULT_DISK_RULES: rulesFile },
		async use(rules) {
			await writeFile(`${rulesFile}.new`, rules.map(lineOf).join(""));
			await rename(`${rulesFile}.new`, rulesFile);
		},
		close: () => rm(directory, { recursive: true, force: true }),
	};
}

function lineOf({ call, path, effect }: DiskRule): string {
	const argument =
		effect.kind === "fail" ? constants.errno[effect.code] : effect.kind === "delay" ? effect.milliseconds : 0;
	return `${call} ${effect.kind} ${argument} ${path}\n`;
}

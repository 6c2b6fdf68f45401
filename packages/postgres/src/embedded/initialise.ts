import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Binaries } from "./binaries.ts";
import { syncPath } from "./durable-files.ts";
import type { Privileges } from "./privileges.ts";
import { runProgram } from "./run-program.ts";

export const user = "reelmill";
const majorVersion = "18";

/**
 * Makes the data directory if it doesn't exist, and returns the password. If the process is killed meanwhile, only a
 * partial directory is left, which the next call removes. With `sync`, the result survives a power cut. Connections
 * need the password, which is in a file that only its owner can read.
 */
export async function initialise(
	directory: string,
	binaries: Binaries,
	privileges: Privileges,
	options: { readonly sync: boolean; onStart(): void },
): Promise<string> {
	const data = join(directory, "data");
	const passwordFile = join(directory, "password");
	const version = await readFile(join(data, "PG_VERSION"), "utf8").catch(() => null);
	if (version !== null) {
		if (version.trim() !== majorVersion) {
			throw new Error(
				`${data} was made by PostgreSQL ${version.trim()}, this is ${majorVersion}: dump it with the old version and restore it, or choose another directory.`,
			);
		}
		// Whoever made the directory may have been killed before its name was on the disk.
		if (options.sync) await syncPath(directory);
		return (await readFile(passwordFile, "utf8")).trim();
	}
	options.onStart();
	for (const name of await readdir(directory))
		if (name.startsWith("partial-")) await rm(join(directory, name), { recursive: true, force: true });
	const password = randomBytes(24).toString("base64url");
	await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
	await privileges.own(passwordFile);
	if (options.sync) await syncPath(passwordFile);
	const partial = join(directory, `partial-${randomBytes(4).toString("hex")}`);
	await mkdir(partial, { mode: 0o700 });
	await privileges.own(partial);
	const encoding = ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
	const args = [
		"-D",
		partial,
		"-U",
		user,
		"--auth=scram-sha-256",
		`--pwfile=${passwordFile}`,
		...encoding,
		...(options.sync ? [] : ["--no-sync"]),
	];
	await runProgram(binaries.initdb, args, privileges);
	await rename(partial, data);
	if (options.sync) await syncPath(directory);
	return password;
}

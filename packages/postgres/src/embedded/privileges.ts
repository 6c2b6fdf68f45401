import { execFile } from "node:child_process";
import { chown, lstat, readdir, stat } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";

/** How to run PostgreSQL's programs, which refuse to run as root. */
export type Privileges = {
	/** Returns the program and arguments that run `program` with `args`. */
	command(program: string, args: readonly string[]): readonly [string, readonly string[]];
	/**
	 * Options for Node's spawn. They hold PostgreSQL's whole environment: neither libpq's variables nor this process's
	 * secrets reach it.
	 */
	readonly spawn: { readonly uid?: number; readonly gid?: number; readonly env: Readonly<Record<string, string>> };
	/** Gives a file or folder, with everything in it, to the user that PostgreSQL runs as. */
	own(path: string): Promise<void>;
};

const nobody = 65534;
const mapping = ["--user", `--map-user=${nobody}`, `--map-group=${nobody}`];

/**
 * Chooses the user for PostgreSQL. A plain user runs it itself, or as nobody in a user namespace if the system has no
 * name for that user. Root runs it in a user namespace, in which root is nobody and root's files stay reachable. If
 * there are no user namespaces, or `directory` belongs to a plain user, root runs it as that user, otherwise as nobody,
 * to whom the files are given.
 */
export async function choosePrivileges(directory: string, searchPath: string): Promise<Privileges> {
	// PostgreSQL doesn't start on macOS without a locale.
	const env = { PATH: searchPath, LC_ALL: "C" };
	const namespacesWork = () => tryNamespaces(env);
	const asIs: Privileges = { command: (program, args) => [program, args], spawn: { env }, own: async () => {} };
	const asNobody: Privileges = { ...asIs, command: (program, args) => ["unshare", [...mapping, program, ...args]] };
	if (process.getuid?.() !== 0) return !hasName() && (await namespacesWork()) ? asNobody : asIs;
	const { uid, gid } = await stat(directory);
	if (uid === 0 && (await namespacesWork())) return asNobody;
	const owner = uid === 0 ? { uid: nobody, gid: nobody } : { uid, gid };
	return { ...asIs, spawn: { ...owner, env }, own: (path) => give(path, owner) };
}

/**
 * Whether the system knows this process's user. PostgreSQL refuses an unknown one, such as a container's number for a
 * user.
 */
function hasName(): boolean {
	try {
		return userInfo().username !== "";
	} catch {
		return false;
	}
}

function tryNamespaces(env: Privileges["spawn"]["env"]): Promise<boolean> {
	return new Promise((resolve) =>
		execFile("unshare", [...mapping, "true"], { env }, (error) => resolve(error === null)),
	);
}

async function give(path: string, owner: { readonly uid: number; readonly gid: number }): Promise<void> {
	const found = await lstat(path);
	if (found.isSymbolicLink()) return;
	if (found.uid !== owner.uid) await chown(path, owner.uid, owner.gid);
	if (found.isDirectory()) for (const name of await readdir(path)) await give(join(path, name), owner);
}

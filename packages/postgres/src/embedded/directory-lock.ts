import { readFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { type FileLock, lockFile } from "./file-lock.ts";
import { type Flock, openFlock } from "./flock.ts";

/** A lock on a directory that ends with its process. */
export type DirectoryLock = {
	/** Releases the directory. Calling it twice is harmless. */
	release(): Promise<void>;
};

/**
 * Another process, or this one already, uses the directory.
 *
 * @example
 * ```ts
 * import { DirectoryInUseError, lockDirectory } from "@reelmill/postgres/embedded";
 *
 * const lock = await lockDirectory(".", "exclusive");
 * const error = await lockDirectory(".", "exclusive").catch((reason: unknown) => reason);
 * await lock.release();
 * console.log(error instanceof DirectoryInUseError && error.isShared); // => false
 * ```
 */
export class DirectoryInUseError extends Error {
	override readonly name = "DirectoryInUseError";
	/** Whether the holders share the directory, and would admit others that do. */
	readonly isShared: boolean;
	/** `process 12 on host`, if it is known, in the names of the holder's own container. */
	readonly holder: string;
	constructor(directory: string, holder: string, isShared: boolean) {
		super(`${directory} is in use by ${holder}: stop it, or choose another directory.`);
		this.holder = holder;
		this.isShared = isShared;
	}
}

/**
 * Locks a directory for the life of this process, by the file `lock` in it: alone, or together with others that share
 * it. The kernel holds the lock. It is seen from other containers, and ends with the process, however that ends.
 *
 * @throws {DirectoryInUseError} at once when the directory is in use.
 * @throws {CannotLockError} when its file system can't lock files.
 * @throws {Error} when the file can't be opened.
 *
 * @example
 * ```ts
 * import { lockDirectory } from "@reelmill/postgres/embedded";
 *
 * const one = await lockDirectory(".", "shared");
 * const other = await lockDirectory(".", "shared");
 * console.log(typeof one.release, typeof other.release); // => function function
 * await Promise.all([one.release(), other.release()]);
 * ```
 */
export async function lockDirectory(
	directory: string,
	kind: "exclusive" | "shared",
	options: { readonly flock?: Flock } = {},
): Promise<DirectoryLock> {
	const flock = options.flock ?? (await openFlock());
	const path = join(directory, "lock");
	const lock = await lockFile(path, kind, flock).catch((error: NodeJS.ErrnoException) => {
		throw error.code === undefined
			? error
			: new Error(`${path} can't be opened (${error.code}): mend its permissions.`, { cause: error });
	});
	if (lock === null) throw await inUse(directory, path, flock);
	if (kind === "exclusive") await sign(lock);
	let released: Promise<void> | undefined;
	return {
		release() {
			released ??= lock.release();
			return released;
		},
	};
}

/** Writes into the file who holds the lock. */
async function sign({ file }: FileLock): Promise<void> {
	await file.truncate(0);
	await file.appendFile(`process ${process.pid} on ${hostname()}\n`);
}

async function inUse(directory: string, path: string, flock: Flock): Promise<DirectoryInUseError> {
	const shared = await lockFile(path, "shared", flock);
	await shared?.release();
	return shared === null
		? new DirectoryInUseError(directory, await readSignature(path), false)
		: new DirectoryInUseError(directory, "processes that share it", true);
}

async function readSignature(path: string): Promise<string> {
	const text = await readFile(path, "utf8").catch(() => "");
	return text.trim() || "another process";
}

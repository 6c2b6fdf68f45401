import { readFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { type FileLock, lockFile } from "./file-lock.ts";
import { type Flock, openFlock } from "./flock.ts";

export type DirectoryLock = {
	/** Lets others have the directory. Twice is fine. */
	release(): Promise<void>;
};

/** Another process uses the directory, or this one already does. */
export class DirectoryInUseError extends Error {
	override readonly name = "DirectoryInUseError";
	/** Whether those who use it share it, and would let in others that do. */
	readonly isShared: boolean;
	/** `process 12 on host`, where it is known: in the names of its own container. */
	readonly holder: string;
	constructor(directory: string, holder: string, isShared: boolean) {
		super(`${directory} is in use by ${holder}: stop it, or choose another directory.`);
		this.holder = holder;
		this.isShared = isShared;
	}
}

/**
 * Locks a directory for the life of this process by the file `lock` in it, alone or together with others that share it.
 * The kernel holds the lock: it is seen from other containers, and ends with the process, however that ends.
 *
 * @throws DirectoryInUseError at once if it is in use; CannotLockError if its file system can't lock files; Error if
 * the file can't be opened.
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

/** Says in the file who holds it. */
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

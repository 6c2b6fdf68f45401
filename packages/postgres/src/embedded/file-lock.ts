import { type FileHandle, open } from "node:fs/promises";
import type { Flock } from "./flock.ts";

/**
 * A lock of the kernel on an open file. Whoever inherits the descriptor holds it as well: it ends when the last of them
 * has closed it or died.
 */
export type FileLock = { readonly file: FileHandle; release(): Promise<void> };

/** The file system can't lock files, or says that it locked and did not. */
export class CannotLockError extends Error {
	override readonly name = "CannotLockError";
}

/**
 * Locks a file, which is made where there is none and is never removed: two that start at once must meet on one file.
 * Returns null, at once, if another process, or this one, holds it; of several at once, one wins. Locks hold over
 * containers, and end with the process, however it ends.
 *
 * @throws CannotLockError, and what opening the file throws.
 */
export async function lockFile(path: string, kind: "exclusive" | "shared", flock: Flock): Promise<FileLock | null> {
	const file = await open(path, "a+", 0o600);
	try {
		const failure = flock(file.fd, kind);
		if (failure === null) {
			await checkThatItHolds(path, flock);
			return { file, release: () => file.close() };
		}
		if (failure !== "EWOULDBLOCK") throw cannotLock(path, failure);
	} catch (error) {
		await file.close();
		throw error;
	}
	await file.close();
	return null;
}

/**
 * Some network file systems take every lock. A second opening of the file tells: it must not get what the first has.
 */
async function checkThatItHolds(path: string, flock: Flock): Promise<void> {
	const second = await open(path, "a+", 0o600);
	try {
		const failure = flock(second.fd, "exclusive");
		if (failure === null) throw cannotLock(path, "it gave one lock twice");
		if (failure !== "EWOULDBLOCK") throw cannotLock(path, failure);
	} finally {
		await second.close();
	}
}

const cannotLock = (path: string, why: string) =>
	new CannotLockError(
		`The file system of ${path} can't lock files (${why}): choose a directory on a disk of this machine.`,
	);

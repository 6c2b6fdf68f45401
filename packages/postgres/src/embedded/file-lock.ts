import { type FileHandle, open } from "node:fs/promises";
import type { Flock } from "./flock.ts";

/**
 * The kernel's lock on an open file. Processes that inherit the descriptor hold it as well: it ends when the last of
 * them has closed it or died.
 */
export type FileLock = { readonly file: FileHandle; release(): Promise<void> };

/**
 * The file system can't lock files, or said that it locked one and did not.
 *
 * @example
 * ```ts
 * import { CannotLockError, lockDirectory } from "@reelmill/postgres/embedded";
 *
 * try {
 * 	const lock = await lockDirectory(".", "exclusive");
 * 	await lock.release();
 * 	console.log("the directory can be locked"); // => the directory can be locked
 * } catch (error) {
 * 	if (!(error instanceof CannotLockError)) throw error;
 * 	console.log("choose a directory on another file system");
 * }
 * ```
 */
export class CannotLockError extends Error {
	override readonly name = "CannotLockError";
}

/**
 * Locks a file, which is made if it doesn't exist, and which is never removed: two processes that start at once must
 * meet on one file. Returns null at once if another process, or this one, holds the lock; of several at once, one wins.
 * The lock holds across containers, and ends with the process, however that ends.
 *
 * @throws {CannotLockError} when the file system can't lock files, and whatever opening the file throws.
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
 * Some network file systems grant every lock. A second opening of the file tells: it must not get a lock that the first
 * one has.
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

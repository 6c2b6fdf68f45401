import { randomUUID } from "node:crypto";
import { chmod, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { isMissing } from "./read-bytes.ts";

/** What the names of files begin with that tell a file system's time, and are gone at once. */
export const timePrefix = "~now-";

/**
 * Removes the files of `directory` to which nothing was done for so long, of those that `isOurs` names, and answers
 * their names. Whoever works on one touches it; a process that was killed can't. The file system's own clock decides,
 * by when each file was changed, and not a time that a server with a wrong clock wrote. Done by several at once it's
 * fine; a directory that isn't there has nothing.
 */
export async function removeUntouched(
	directory: string,
	milliseconds: number,
	isOurs: (name: string) => boolean = () => true,
): Promise<string[]> {
	const names = await readdir(directory).catch((error: unknown) => {
		if (isMissing(error)) return [];
		throw error;
	});
	const ours = names.filter(isOurs);
	if (ours.length === 0) return [];
	const now = await timeOf(directory);
	const removed: string[] = [];
	for (const name of ours) {
		const path = join(directory, name);
		const found = await stat(path).catch(() => null);
		if (found === null || now - found.ctimeMs < milliseconds) continue;
		await rm(path, { force: true });
		removed.push(name);
	}
	return removed;
}

/** The file system's time, in milliseconds: that of a file which is made now. */
async function timeOf(directory: string): Promise<number> {
	const path = join(directory, timePrefix + randomUUID());
	const file = await open(path, "wx", 0o600);
	try {
		return (await file.stat()).ctimeMs;
	} finally {
		await file.close();
		await rm(path, { force: true });
	}
}

/**
 * Says again and again, until the function that it answers is called, that somebody works on the file. Whatever changes
 * of it, the file system writes its own time down.
 */
export function keepTouched(path: string, milliseconds: number): () => void {
	const touch = () => chmod(path, 0o600).catch(() => undefined);
	const timer = setInterval(() => void touch(), milliseconds);
	timer.unref();
	return () => clearInterval(timer);
}

import { randomUUID } from "node:crypto";
import { chmod, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { isMissing } from "./read-bytes.ts";

/** Prefix of the short-lived files by which a file system's time is read. */
export const timePrefix = "~now-";

/**
 * Removes the files of `directory` that nobody has changed for `milliseconds`, and returns their names. `isOurs` limits
 * this to names that it accepts (default: all). Whoever works on a file touches it, and a killed process can't. The
 * file system's clock decides, so that a server with a wrong clock does no harm. Several calls at once are harmless. A
 * directory that doesn't exist has no files.
 *
 * @example
 * ```ts
 * import { mkdir, writeFile } from "node:fs/promises";
 * import { removeUntouched } from "@reelmill/storage-local";
 *
 * await mkdir("drafts");
 * await writeFile("drafts/a", "");
 * console.log(await removeUntouched("drafts", 60_000)); // => []
 * console.log(await removeUntouched("drafts", 0)); // => [ 'a' ]
 * ```
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

/** Returns the file system's time, in milliseconds: that of a file made now. */
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
 * Touches the file every `milliseconds`, until the returned function is called. The file system writes its own time
 * down with each change.
 */
export function keepTouched(path: string, milliseconds: number): () => void {
	const touch = () => chmod(path, 0o600).catch(() => undefined);
	const timer = setInterval(() => void touch(), milliseconds);
	timer.unref();
	return () => clearInterval(timer);
}

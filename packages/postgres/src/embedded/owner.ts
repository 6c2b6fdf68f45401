import { randomUUID } from "node:crypto";
import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { processIdentity } from "./process-identity.ts";

/**
 * Makes this process the one that uses `directory`, and answers how to give it up. A process that was killed is the owner no more.
 * Rejects with an error that names the process when another one, or this one already, uses it. Of several at once, one wins.
 */
export async function takeOwnership(directory: string): Promise<() => Promise<void>> {
	const path = join(directory, "owner");
	const mine = `${process.pid}\n${await processIdentity(process.pid)}\n${randomUUID()}\n`;
	const draft = join(directory, `owner.${randomUUID()}`);
	await writeFile(draft, mine, { flag: "wx", mode: 0o600 });
	try {
		for (;;) {
			if (await linked(draft, path)) return () => release(path, mine);
			const theirs = await readFile(path, "utf8").catch(() => null);
			if (theirs === null) continue;
			const [pid, identity] = theirs.split("\n");
			if (identity && (await processIdentity(Number(pid))) === identity) {
				throw new Error(
					`The embedded PostgreSQL in ${directory} is in use by process ${pid}${Number(pid) === process.pid ? " (this one)" : ""}: stop it, or choose another directory.`,
				);
			}
			await removeStale(directory, path, theirs);
		}
	} finally {
		await rm(draft, { force: true });
	}
}

async function linked(draft: string, path: string): Promise<boolean> {
	try {
		await link(draft, path);
		return true;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
		throw error;
	}
}

/** Takes the dead owner's file away; if it was another's by then, puts that one back. */
async function removeStale(directory: string, path: string, stale: string): Promise<void> {
	const aside = join(directory, `owner.${randomUUID()}`);
	try {
		await rename(path, aside);
		if ((await readFile(aside, "utf8")) !== stale) await linked(aside, path);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
	} finally {
		await rm(aside, { force: true });
	}
}

async function release(path: string, mine: string): Promise<void> {
	if ((await readFile(path, "utf8").catch(() => null)) === mine) await rm(path, { force: true });
}

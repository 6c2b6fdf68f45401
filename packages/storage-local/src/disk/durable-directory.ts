import { constants } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { isMissing } from "./read-bytes.ts";

/**
 * Makes the names in `directory` durable: a file that was made in it, renamed into it or removed from it stays so after
 * a power cut.
 */
export async function syncDirectory(directory: string): Promise<void> {
	const handle = await open(directory, constants.O_RDONLY | constants.O_DIRECTORY);
	try {
		await handle.sync();
	} finally {
		await handle.close();
	}
}

/** Syncs `directory` and every directory above it up to `root`. A directory that was removed meanwhile is left out. */
export async function syncUpTo(root: string, directory: string): Promise<void> {
	for (let at = directory; ; at = dirname(at)) {
		await syncDirectory(at).catch((error: unknown) => {
			if (!isMissing(error)) throw error;
		});
		if (at === root || at === dirname(at)) return;
	}
}

/**
 * Syncs `directory` or, if it was removed, the nearest directory above it, up to `root`. What is below that stays
 * removed.
 */
export async function syncNearest(root: string, directory: string): Promise<void> {
	for (let at = directory; ; at = dirname(at)) {
		try {
			return await syncDirectory(at);
		} catch (error) {
			if (!isMissing(error)) throw error;
		}
		if (at === root || at === dirname(at)) return;
	}
}

/** Makes `directory` and the missing directories above it, durably. */
export async function makeDurableDirectory(directory: string): Promise<void> {
	const first = await mkdir(directory, { recursive: true, mode: 0o700 });
	if (first !== undefined) await syncUpTo(dirname(first), directory);
}

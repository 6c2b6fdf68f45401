import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "@reelmill/engine/ports";
import { type FileLock, lockFile } from "./file-lock.ts";
import { openFlock } from "./flock.ts";

const pollMilliseconds = 20;
/** PostgreSQL ends within 5 s of the signal that it gets when its parent dies. */
const patienceMilliseconds = 10_000;

/**
 * Takes the lock that PostgreSQL and all of its processes inherit and hold. It is free when the last of them is gone,
 * in whatever container they run, so that nothing touches the data while a killed process's server still ends.
 *
 * @throws {Error} when they don't end within 10 s.
 */
export async function lockData(directory: string, logger: Logger | undefined): Promise<FileLock> {
	const flock = await openFlock();
	const end = performance.now() + patienceMilliseconds;
	for (let isTold = false; ; isTold = true) {
		const lock = await lockFile(join(directory, "postgres.lock"), "exclusive", flock);
		if (lock !== null) return lock;
		if (!isTold)
			logger?.info({ directory }, "PostgreSQL of a process that was killed still runs: waiting until it has ended");
		if (performance.now() > end) {
			throw new Error(
				`PostgreSQL of a process that was killed still runs on ${directory}, perhaps in another container: stop it, or choose another directory.`,
			);
		}
		await sleep(pollMilliseconds);
	}
}

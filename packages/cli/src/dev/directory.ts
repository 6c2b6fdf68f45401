import { mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

const prefix = "reelmill-dev-";

/**
 * Makes a directory for one run in the folder for temporary files. It also removes those that killed runs left: the
 * name of each has the id of its process.
 */
export async function temporaryDirectory(folder: string): Promise<string> {
	for (const name of await readdir(folder)) {
		const pid = new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1];
		if (pid !== undefined && !isRunning(Number(pid)))
			await rm(join(folder, name), { recursive: true, force: true }).catch(() => undefined);
	}
	return mkdtemp(join(folder, `${prefix}${process.pid}-`));
}

function isRunning(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		// Another user's process can't be signalled, but it is there.
		return (error as NodeJS.ErrnoException).code === "EPERM";
	}
}

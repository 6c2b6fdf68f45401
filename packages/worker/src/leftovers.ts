import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";

const isAlive = (pid: number): boolean => {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === "EPERM";
	}
};

/** Removes the folders of jobs whose worker was killed. Folders of running processes, this one included, and all other files stay. */
export async function removeLeftovers(workDirectory: string): Promise<void> {
	for (const name of await readdir(workDirectory)) {
		const pid = Number(/^job-(\d+)-/.exec(name)?.[1] ?? Number.NaN);
		if (Number.isInteger(pid) && !isAlive(pid)) await rm(join(workDirectory, name), { recursive: true, force: true });
	}
}

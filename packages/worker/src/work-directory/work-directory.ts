import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Job } from "@reelmill/contracts";
import { type FinishedOutputs, readFinished } from "./finished-outputs.ts";
import { createJobFolders } from "./job-folders.ts";
import { createKeptOutputs } from "./kept-outputs.ts";

/**
 * The folders of jobs: one for each job that runs, and one for each job whose finished outputs wait for another
 * attempt. Several processes may share a work directory. Files that workers didn't make stay untouched.
 */
export type WorkDirectory = {
	/**
	 * Keeps the finished outputs of killed processes and removes the rest of their folders; removes kept outputs that are
	 * too old or too large.
	 */
	tidy(): Promise<void>;
	/** Makes an empty folder, which `close` removes. */
	make(): Promise<string>;
	/**
	 * Makes a folder for the job, and moves the job's kept outputs into it. `finished` is what they are; null if there
	 * are none, or they don't pass the check. No other attempt gets the same outputs.
	 */
	open(job: Job): Promise<{ readonly folder: string; readonly finished: FinishedOutputs | null }>;
	/** Removes a job's folder; with `keepsOutputs`, finished outputs are kept for another attempt. */
	close(folder: string, keepsOutputs: boolean): Promise<void>;
};

export type WorkDirectoryOptions = {
	readonly directory: string;
	/** How many bytes of finished outputs are kept at most; 0 keeps none. */
	readonly keptBytes: number;
	/** A folder of another container's process is abandoned after so many milliseconds untouched (default: 300,000). */
	readonly untouchedMilliseconds?: number;
};

/** Creates the access to a work directory, which must exist when it is used. */
export function createWorkDirectory(options: WorkDirectoryOptions): WorkDirectory {
	const { directory, keptBytes, untouchedMilliseconds = 300_000 } = options;
	const folders = createJobFolders(directory, untouchedMilliseconds);
	const kept = createKeptOutputs(directory, keptBytes);
	const keepAbandoned = async (): Promise<void> => {
		for (const name of await readdir(directory))
			if (await folders.isAbandoned(name)) await kept.keep(join(directory, name));
	};
	return {
		async tidy() {
			await keepAbandoned();
			await kept.prune();
		},
		make: folders.make,
		async open(job) {
			await keepAbandoned();
			const folder = await folders.make();
			if (!(await kept.take(job.id, folder))) return { folder, finished: null };
			const finished = await readFinished(folder, job);
			if (finished === null) {
				await rm(folder, { recursive: true, force: true });
				await mkdir(folder);
			}
			return { folder, finished };
		},
		async close(folder, keepsOutputs) {
			folders.release(folder);
			if (!keepsOutputs) return rm(folder, { recursive: true, force: true });
			await kept.keep(folder);
			await kept.prune();
		},
	};
}

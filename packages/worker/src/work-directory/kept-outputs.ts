import { readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { finishedFile, finishedIn } from "./finished-outputs.ts";

/** The finished outputs of jobs that wait for another attempt. */
export type KeptOutputs = {
	/** Keeps the finished outputs of a job's folder in place of older ones; removes everything else of the folder. */
	keep(folder: string): Promise<void>;
	/** Moves a job's kept outputs into its folder; returns false if none are kept. */
	take(job: string, folder: string): Promise<boolean>;
	/** Removes outputs that are older than a day, and the oldest ones beyond the bound of bytes. */
	prune(): Promise<void>;
};

/** How long a job may wait for a worker. */
const keptMilliseconds = 86_400_000;
const jobPattern = /^[0-9a-f-]{36}$/;
const folderPattern = /^kept-[0-9a-f-]{36}$/;

export function createKeptOutputs(directory: string, keptBytes: number): KeptOutputs {
	const folderOf = (job: string): string => join(directory, `kept-${job}`);
	const remove = (path: string): Promise<void> => rm(path, { recursive: true, force: true });
	return {
		async keep(folder) {
			const finished = keptBytes > 0 ? await finishedIn(folder) : null;
			if (finished === null || finished.bytes > keptBytes || !jobPattern.test(finished.job)) return remove(folder);
			for (const name of await readdir(folder))
				if (name !== "outputs" && name !== finishedFile) await remove(join(folder, name));
			await remove(folderOf(finished.job));
			await rename(folder, folderOf(finished.job));
		},
		take: (job, folder) =>
			rename(folderOf(job), folder).then(
				() => true,
				() => false,
			),
		async prune() {
			const found: { folder: string; bytes: number; at: number }[] = [];
			for (const name of await readdir(directory)) {
				if (!folderPattern.test(name)) continue;
				const folder = join(directory, name);
				const at = (await stat(folder).catch(() => null))?.mtimeMs ?? 0;
				found.push({ folder, at, bytes: (await finishedIn(folder))?.bytes ?? Number.POSITIVE_INFINITY });
			}
			// The files bear the machine's time. If it was set since this process started, the smaller age counts.
			// biome-ignore lint/plugin: the times of files
			const now = Math.min(Date.now(), performance.timeOrigin + performance.now());
			let total = 0;
			for (const { folder, bytes, at } of found.sort((one, other) => other.at - one.at)) {
				total += bytes;
				if (total > keptBytes || now - at > keptMilliseconds) await remove(folder);
			}
		},
	};
}

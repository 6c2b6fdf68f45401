import { mkdir, mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Job } from "@reelmill/contracts";
import { type Finished, finishedIn, readFinished } from "./finished-work.ts";
import { isAlive, startOf } from "./process-life.ts";

/** The folders of jobs: one for each that runs, and those of finished outputs that were not delivered, for the next attempt. Processes may share it. */
export type WorkDirectory = {
	/** Takes up finished outputs of killed processes, and removes all else of theirs; removes what is kept for too long or is too much. Files of others stay. */
	tidy(): Promise<void>;
	/** A folder for the job, and what an attempt before this one finished, which lies in it then: taken by one attempt alone, and checked. */
	open(job: Job): Promise<{ readonly folder: string; readonly finished: Finished | null }>;
	/** Removes a job's folder; `keep` leaves finished outputs there for another attempt. */
	close(folder: string, keep: boolean): Promise<void>;
};

/** As long as a job may wait for a worker. */
const keptMilliseconds = 86_400_000;
const outputs = "outputs";

export function createWorkDirectory({ directory, keptBytes }: { readonly directory: string; readonly keptBytes: number }): WorkDirectory {
	const keptName = (job: string): string => join(directory, `kept-${job}`);
	/** Only what finished is kept, neither sources nor what ffmpeg was killed at. */
	const keep = async (folder: string): Promise<void> => {
		const finished = keptBytes > 0 ? await finishedIn(folder) : null;
		if (finished !== null && finished.bytes <= keptBytes && /^[0-9a-f-]{36}$/.test(finished.job)) {
			for (const name of await readdir(folder))
				if (name !== outputs && name !== "finished.json") await rm(join(folder, name), { recursive: true, force: true });
			await rm(keptName(finished.job), { recursive: true, force: true });
			await rename(folder, keptName(finished.job));
		} else await rm(folder, { recursive: true, force: true });
	};
	const adopt = async (names: readonly string[]): Promise<void> => {
		for (const name of names) {
			const [, pid, start] = /^job-(\d+)-(?:(\d+)-)?/.exec(name) ?? [];
			if (pid !== undefined && !(await isAlive(Number(pid), start ?? null))) await keep(join(directory, name));
		}
	};
	/** The newest stay. */
	const prune = async (): Promise<void> => {
		const found: { folder: string; bytes: number; at: number }[] = [];
		for (const name of await readdir(directory)) {
			if (!/^kept-[0-9a-f-]{36}$/.test(name)) continue;
			const folder = join(directory, name);
			const at = (await stat(folder).catch(() => null))?.mtimeMs ?? 0;
			found.push({ folder, at, bytes: (await finishedIn(folder))?.bytes ?? Number.POSITIVE_INFINITY });
		}
		let total = 0;
		for (const { folder, bytes, at } of found.sort((one, other) => other.at - one.at)) {
			total += bytes;
			if (total > keptBytes || Date.now() - at > keptMilliseconds) await rm(folder, { recursive: true, force: true });
		}
	};

	return {
		async tidy() {
			await adopt(await readdir(directory));
			await prune();
		},
		async open(job) {
			await adopt(await readdir(directory));
			const folder = await mkdtemp(join(directory, `job-${process.pid}-${(await startOf(process.pid)) ?? 0}-`));
			const isKept = await rename(keptName(job.id), folder).then(
				() => true,
				() => false,
			);
			const finished = isKept ? await readFinished(folder, job) : null;
			if (isKept && finished === null) {
				await rm(folder, { recursive: true, force: true });
				await mkdir(folder);
			}
			return { folder, finished };
		},
		async close(folder, keeps) {
			if (!keeps) return rm(folder, { recursive: true, force: true });
			await keep(folder);
			await prune();
		},
	};
}

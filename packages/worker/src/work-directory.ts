import { chmod, mkdir, mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Job } from "@reelmill/contracts";
import { type Finished, finishedIn, readFinished } from "./finished-work.ts";
import { isAlive, processSpace, startOf } from "./process-life.ts";

/**
 * The folders of jobs: one for each that runs, and those of finished outputs that were not delivered, for the next
 * attempt. Processes may share it.
 */
export type WorkDirectory = {
	/**
	 * Takes up finished outputs of killed processes, and removes all else of theirs; removes what is kept for too long or
	 * is too much. Files of others stay.
	 */
	tidy(): Promise<void>;
	/**
	 * A folder for the job, and what an attempt before this one finished, which lies in it then: taken by one attempt
	 * alone, and checked.
	 */
	open(job: Job): Promise<{ readonly folder: string; readonly finished: Finished | null }>;
	/** Removes a job's folder; `keep` leaves finished outputs there for another attempt. */
	close(folder: string, keep: boolean): Promise<void>;
};

/** How often a folder says that its process lives. */
const touchMilliseconds = 60_000;
/** As long as a job may wait for a worker. */
const keptMilliseconds = 86_400_000;
const outputs = "outputs";

export function createWorkDirectory({
	directory,
	keptBytes,
	untouchedMilliseconds = 300_000,
}: {
	readonly directory: string;
	readonly keptBytes: number;
	/**
	 * A folder of a process that can't be looked up from here, in another container for example, is one of a killed
	 * process once nothing touched it for so long.
	 */
	readonly untouchedMilliseconds?: number;
}): WorkDirectory {
	const keptName = (job: string): string => join(directory, `kept-${job}`);
	/** Only what finished is kept, neither sources nor what ffmpeg was killed at. */
	const keep = async (folder: string): Promise<void> => {
		const finished = keptBytes > 0 ? await finishedIn(folder) : null;
		if (finished !== null && finished.bytes <= keptBytes && /^[0-9a-f-]{36}$/.test(finished.job)) {
			for (const name of await readdir(folder))
				if (name !== outputs && name !== "finished.json")
					await rm(join(folder, name), { recursive: true, force: true });
			await rm(keptName(finished.job), { recursive: true, force: true });
			await rename(folder, keptName(finished.job));
		} else await rm(folder, { recursive: true, force: true });
	};
	const nameHere = async (): Promise<string> => {
		const space = await processSpace();
		return `job-${process.pid}-${(await startOf(process.pid)) ?? 0}-${space === null ? "" : `in${space}-`}`;
	};
	/** By the file system's clock and not by this machine's. */
	const untouchedSince = async (): Promise<number> => {
		const folder = await mkdtemp(join(directory, await nameHere()));
		try {
			return (await stat(folder)).ctimeMs - untouchedMilliseconds;
		} finally {
			await rm(folder, { recursive: true, force: true });
		}
	};
	const adopt = async (names: readonly string[]): Promise<void> => {
		for (const name of names) {
			const [, pid, start, space] = /^job-(\d+)-(?:(\d+)-)?(?:in([0-9a-f]{8})-)?/.exec(name) ?? [];
			if (pid === undefined) continue;
			const folder = join(directory, name);
			const isOver =
				space === undefined || space === (await processSpace())
					? !(await isAlive(Number(pid), start ?? null))
					: ((await stat(folder).catch(() => null))?.ctimeMs ?? Number.POSITIVE_INFINITY) < (await untouchedSince());
			if (isOver) await keep(folder);
		}
	};
	const held = new Map<string, NodeJS.Timeout>();
	const hold = (folder: string): void => {
		// Whatever changes of it, the file system writes its own time down.
		const touch = () => chmod(folder, 0o700).catch(() => undefined);
		const timer = setInterval(() => void touch(), touchMilliseconds);
		held.set(folder, timer.unref());
	};
	const letGo = (folder: string): void => {
		clearInterval(held.get(folder));
		held.delete(folder);
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
		// Files have the time of the machine, which may have been set since: count the age by the clock that gives less.
		// biome-ignore lint/plugin: the times of files
		const now = Math.min(Date.now(), performance.timeOrigin + performance.now());
		for (const { folder, bytes, at } of found.sort((one, other) => other.at - one.at)) {
			total += bytes;
			if (total > keptBytes || now - at > keptMilliseconds) await rm(folder, { recursive: true, force: true });
		}
	};

	return {
		async tidy() {
			await adopt(await readdir(directory));
			await prune();
		},
		async open(job) {
			await adopt(await readdir(directory));
			const folder = await mkdtemp(join(directory, await nameHere()));
			hold(folder);
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
			letGo(folder);
			if (!keeps) return rm(folder, { recursive: true, force: true });
			await keep(folder);
			await prune();
		},
	};
}

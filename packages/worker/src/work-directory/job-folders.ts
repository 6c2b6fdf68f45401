import { chmod, mkdtemp, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { isAlive, processNamespace, startOf } from "./process-identity.ts";

/** The folders of running jobs. A folder's name says which process made it. */
export type JobFolders = {
	/** Makes a folder for this process, and touches it now and then until `release`. */
	make(): Promise<string>;
	/** Ends the touching. */
	release(folder: string): void;
	/** Returns whether a name in the work directory is that of a job's folder whose process has ended. */
	isAbandoned(name: string): Promise<boolean>;
};

const touchMilliseconds = 60_000;
const namePattern = /^job-(\d+)-(?:(\d+)-)?(?:in([0-9a-f]{8})-)?/;

/**
 * Creates the access to the folders in `directory`. A process of another container can't be looked up from here: its
 * folder is abandoned once it was not touched for `untouchedMilliseconds`.
 */
export function createJobFolders(directory: string, untouchedMilliseconds: number): JobFolders {
	const touching = new Map<string, NodeJS.Timeout>();
	const makeFolder = async (): Promise<string> => {
		const start = (await startOf(process.pid)) ?? 0;
		const namespace = await processNamespace();
		return mkdtemp(join(directory, `job-${process.pid}-${start}-${namespace === null ? "" : `in${namespace}-`}`));
	};
	/** The moment is read from the file system's clock, which may differ from this machine's. */
	const untouchedSince = async (): Promise<number> => {
		const folder = await makeFolder();
		try {
			return (await stat(folder)).ctimeMs - untouchedMilliseconds;
		} finally {
			await rm(folder, { recursive: true, force: true });
		}
	};
	return {
		async make() {
			const folder = await makeFolder();
			// Any change makes the file system write down its own time.
			const touch = () => chmod(folder, 0o700).catch(() => undefined);
			touching.set(folder, setInterval(() => void touch(), touchMilliseconds).unref());
			return folder;
		},
		release(folder) {
			clearInterval(touching.get(folder));
			touching.delete(folder);
		},
		async isAbandoned(name) {
			const [, pid, start, namespace] = namePattern.exec(name) ?? [];
			if (pid === undefined) return false;
			if (namespace === undefined || namespace === (await processNamespace()))
				return !(await isAlive(Number(pid), start ?? null));
			const touched = (await stat(join(directory, name)).catch(() => null))?.ctimeMs ?? Number.POSITIVE_INFINITY;
			return touched < (await untouchedSince());
		},
	};
}

import { mkdir, statfs } from "node:fs/promises";
import { type Logger, MachineError, type Tools, type Transcriber, tryTools } from "@reelmill/media";
import { BucketUnreachableError } from "../service-client/bucket.ts";
import type { WorkDirectory } from "../work-directory/work-directory.ts";

/** What a worker looks at when it looks at itself. */
export type CheckOptions = {
	readonly tools: Tools;
	readonly transcriber: Transcriber | undefined;
	/** The path of the work directory, and the access to it. */
	readonly directory: string;
	readonly workDirectory: WorkDirectory;
	/** How many bytes the work directory must have free, or a tenth of its disk if that is less. */
	readonly leastFreeBytes: number;
	/** Reaches the buckets. */
	readonly fetch: typeof fetch;
	readonly logger: Logger;
};

/** How long a bucket may take to answer. */
const bucketMilliseconds = 15_000;

/**
 * Looks whether this worker can do its work: room in the work directory, a tiny encode there, what transcripts need,
 * and the buckets that could not be reached before. Rejects with the first thing that is wrong.
 */
export async function checkItself(
	{ tools, transcriber, directory, workDirectory, leastFreeBytes, fetch, logger }: CheckOptions,
	buckets: Iterable<string>,
	signal: AbortSignal,
): Promise<void> {
	await mkdir(directory, { recursive: true });
	const { bavail, bsize, blocks } = await statfs(directory);
	const least = Math.min(leastFreeBytes, (blocks * bsize) / 10);
	if (bavail * bsize < least)
		throw new MachineError(
			"disk_full",
			`The work directory has ${mebibytes(bavail * bsize)} MiB free, less than ${mebibytes(least)} MiB.`,
		);
	const folder = await workDirectory.make();
	try {
		await tryTools(tools, { directory: folder, logger, signal });
	} finally {
		await workDirectory.close(folder, false);
	}
	await transcriber?.check?.();
	for (const origin of buckets) await reachBucket(fetch, origin, signal);
}

const mebibytes = (bytes: number): number => Math.floor(bytes / 1024 ** 2);

/** Any answer will do: nobody asks for an object here. */
async function reachBucket(send: typeof fetch, origin: string, signal: AbortSignal): Promise<void> {
	const init: RequestInit = {
		method: "HEAD",
		redirect: "manual",
		signal: AbortSignal.any([signal, AbortSignal.timeout(bucketMilliseconds)]),
	};
	await send(origin, init).catch((cause: unknown) => {
		signal.throwIfAborted();
		throw new BucketUnreachableError(origin, { cause });
	});
}

import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { CompleteRequest, Job, OutputFile } from "@reelmill/contracts";
import type { Logger } from "@reelmill/media";
import { backoff, persist, type Sleep } from "../retry.ts";
import type { ServiceClient } from "../service-client/service-client.ts";
import { archive } from "./archive.ts";
import { putFiles } from "./put-files.ts";

/** What sending outputs needs of an attempt. */
export type Sender = {
	readonly service: Pick<ServiceClient, "outputTargets" | "putArchive">;
	readonly job: Job;
	/** The files' paths are below it. */
	readonly outputs: string;
	readonly signal: AbortSignal;
	readonly wait: Sleep;
	/** A put that moves no byte for so many milliseconds is given up. */
	readonly idleMilliseconds: number;
	readonly logger: Logger;
};

/** How many files one request asks targets for. */
const filesPerRequest = 500;
/** How many consecutive rounds may store no file before the archive is sent instead. */
const mostFailures = 4;

/**
 * Sends an attempt's outputs to where the video is stored, and returns them as `complete` declares them. If the server
 * offers a bucket, each file is put straight into it; a file that fails is put again, to a new address. If the server
 * offers none, or the bucket stops taking files, all files go to the server as one archive. Rejects with an error that
 * a repetition doesn't mend, and with the signal's reason when the signal aborts.
 */
export async function sendOutputs(
	files: readonly string[],
	sender: Sender,
): Promise<CompleteRequest["outputs"]["files"]> {
	const { service, job, outputs, signal, wait, logger } = sender;
	const sized = await Promise.all(files.map(async (path) => ({ path, size: (await stat(join(outputs, path))).size })));
	if (await putIntoBucket(sized, sender)) return sized;
	signal.throwIfAborted();
	await persist(() => service.putArchive(job, archive(outputs, files), signal), { signal, wait });
	logger.debug({}, "outputs sent as an archive");
	return [...files];
}

/** Returns whether the bucket has every file now. */
async function putIntoBucket(files: readonly OutputFile[], sender: Sender): Promise<boolean> {
	const { service, job, outputs: directory, signal, wait, idleMilliseconds, logger } = sender;
	let left = files;
	for (let failures = 0; left.length > 0; ) {
		const next = left.slice(0, filesPerRequest);
		const targets = await persist(() => service.outputTargets(job, next, signal), { signal, wait });
		if (targets === null) return false;
		const { done, failure } = await putFiles(targets, { directory, signal, idleMilliseconds });
		signal.throwIfAborted();
		// A file that failed comes last, so that it doesn't hold up the others.
		left = left
			.filter(({ path }) => !done.has(path))
			.sort((a, b) => Number(a.path === failure?.path) - Number(b.path === failure?.path));
		if (done.size > 0) failures = 0;
		if (failure === undefined && done.size > 0) continue;
		failures += 1;
		const details = { file: failure?.path, cause: String(failure?.error) };
		if (failures >= mostFailures) {
			logger.warn(details, "outputs can't be put into the bucket; sending them to the server");
			return false;
		}
		logger.debug(details, "an output could not be put into the bucket; trying again");
		await wait(backoff(failures), signal);
	}
	return true;
}

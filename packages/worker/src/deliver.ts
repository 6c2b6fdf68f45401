import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { CompleteRequest, Job, OutputFile } from "@reelmill/contracts";
import type { Logger } from "@reelmill/media";
import { archive } from "./archive.ts";
import { idleTimer } from "./idle-timer.ts";
import type { InternalPlane, OutputTarget } from "./internal-plane.ts";
import { backoff, persist, type Sleep } from "./retry.ts";

export type DeliverOptions = {
	readonly plane: Pick<InternalPlane, "outputTargets" | "putOutputs">;
	readonly job: Job;
	readonly directory: string;
	/** Paths below `directory`. */
	readonly files: readonly string[];
	readonly signal: AbortSignal;
	readonly wait: Sleep;
	/** A put that moves nothing for so many milliseconds is given up. */
	readonly idleMilliseconds: number;
	readonly logger: Logger;
};

/** Puts that run at once. Each reads its file as the bucket takes it. */
const putsAtOnce = 4;
/** Files of one request for targets. */
const filesAtOnce = 500;
/** Rounds without one file put, until the archive is sent instead. */
const mostFailures = 4;

/**
 * Brings an attempt's outputs to where the video is stored, and answers them as `complete` declares them. Where the
 * server offers it, each file is put straight into the bucket, whole or not at all; one that fails is put again, by a
 * fresh address. Where it doesn't, or the bucket takes no more of them, everything goes to the server as one archive.
 * Rejects with the signal's reason once that aborts, and with what the server refuses for good.
 */
export async function deliver(options: DeliverOptions): Promise<CompleteRequest["outputs"]["files"]> {
	const { plane, job, directory, files, signal, wait, logger } = options;
	const sized = await Promise.all(
		files.map(async (path) => ({ path, size: (await stat(join(directory, path))).size })),
	);
	if (await putStraight(sized, options)) return sized;
	signal.throwIfAborted();
	await persist(() => plane.putOutputs(job, archive(directory, files), signal), { signal, wait });
	logger.debug({ job: job.id }, "outputs delivered as an archive");
	return [...files];
}

/** Whether every file is in the bucket. */
async function putStraight(files: readonly OutputFile[], options: DeliverOptions): Promise<boolean> {
	const { plane, job, signal, wait, logger } = options;
	let left = files;
	for (let failures = 0; left.length > 0; ) {
		const targets = await persist(() => plane.outputTargets(job, left.slice(0, filesAtOnce), signal), { signal, wait });
		if (targets === null) return false;
		const { done, failure } = await putRound(targets, options);
		signal.throwIfAborted();
		// What failed comes last, so that it doesn't keep the others from being put.
		left = left
			.filter(({ path }) => !done.has(path))
			.sort((a, b) => Number(a.path === failure?.path) - Number(b.path === failure?.path));
		if (done.size > 0) failures = 0;
		if (failure === undefined && done.size > 0) continue;
		failures += 1;
		const details = { job: job.id, file: failure?.path, cause: String(failure?.error) };
		if (failures >= mostFailures) {
			logger.warn(details, "outputs can't be put into the bucket; sending them to the server");
			return false;
		}
		logger.debug(details, "an output could not be put into the bucket; trying again");
		await wait(backoff(failures), signal);
	}
	return true;
}

type Round = {
	readonly done: ReadonlySet<string>;
	readonly failure: { readonly path: string; readonly error: unknown } | undefined;
};

/** Puts the files until one fails; none is begun after that. */
async function putRound(
	targets: readonly OutputTarget[],
	{ directory, signal, idleMilliseconds }: DeliverOptions,
): Promise<Round> {
	const waiting = [...targets];
	const done = new Set<string>();
	const failures: NonNullable<Round["failure"]>[] = [];
	const run = async () => {
		for (let target = waiting.shift(); target && failures.length === 0; target = waiting.shift()) {
			const { path } = target;
			try {
				await putFile(join(directory, path), target, signal, idleMilliseconds);
				done.add(path);
			} catch (error) {
				failures.push({ path, error });
			}
		}
	};
	await Promise.all(Array.from({ length: putsAtOnce }, run));
	return { done, failure: failures[0] };
}

async function putFile(
	path: string,
	target: OutputTarget,
	signal: AbortSignal,
	idleMilliseconds: number,
): Promise<void> {
	const cut = new AbortController();
	const idle = idleTimer(idleMilliseconds, () => cut.abort(new Error("The bucket takes nothing more.")));
	const file = createReadStream(path);
	const bytes = async function* () {
		for await (const chunk of file) {
			idle.touch();
			yield chunk as Uint8Array;
		}
		idle.touch();
	};
	try {
		await target.put(streamOf(bytes()), AbortSignal.any([signal, cut.signal]));
	} finally {
		idle.stop();
		file.destroy();
	}
}

const streamOf = (bytes: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> =>
	Readable.toWeb(Readable.from(bytes, { objectMode: false })) as ReadableStream<Uint8Array>;

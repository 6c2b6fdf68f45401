import { createHash } from "node:crypto";
import { readFile, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Job } from "@reelmill/contracts";
import type { Processed } from "@reelmill/media";
import { sha256Of } from "../sha256-of.ts";

/** Whether web.mp4 has the outro, and why, for the job's report. */
export type OutroResult = {
	readonly hasOutro: boolean;
	readonly decision: { readonly decision: string; readonly because: string };
};

/** An output, with its size in bytes and its SHA-256 in hexadecimal. */
type SummedFile = { readonly path: string; readonly size: number; readonly sha256: string };

/**
 * What an attempt has finished. Its outputs are in the folder `outputs`; `files` has the sum of each of them. `outro` is
 * null until one is appended.
 */
export type FinishedOutputs = {
	readonly made: Processed;
	readonly outro: OutroResult | null;
	readonly files: readonly SummedFile[];
};

/** The record of finished outputs in a job's folder. */
type FinishedRecord = FinishedOutputs & {
	readonly job: string;
	/** A digest of what the job asked for. */
	readonly wanted: string;
};

/** The record's file name. */
export const finishedFile = "finished.json";
/** Raise it when a worker would make other outputs than the workers before it. */
const format = 1;

/**
 * A digest of all that the outputs depend on. The job's speed is left out: finished outputs are faster than any speed.
 */
function wantedOf({ id, kind, source, limits, plan, outro, clip }: Job): string {
	const wanted = { format, id, kind, source, limits, plan, outro, clip };
	return createHash("sha256").update(JSON.stringify(wanted)).digest("hex");
}

/**
 * Records in the job's folder that its outputs are finished, with a sum of each file, and returns the same. Files in
 * `summed` (default: none) are unchanged since they were summed up, and are not read again. A process that is killed
 * meanwhile leaves the earlier record, or none.
 */
export async function writeFinished(
	folder: string,
	job: Job,
	{ made, outro }: Omit<FinishedOutputs, "files">,
	summed: readonly SummedFile[] = [],
): Promise<FinishedOutputs> {
	const files: SummedFile[] = [];
	for (const path of made.files) {
		const output = join(folder, "outputs", path);
		files.push(
			summed.find((file) => file.path === path) ?? {
				path,
				size: (await stat(output)).size,
				sha256: await sha256Of(output),
			},
		);
	}
	const record: FinishedRecord = { made, outro, job: job.id, wanted: wantedOf(job), files };
	await writeFile(join(folder, `${finishedFile}.new`), JSON.stringify(record));
	await rename(join(folder, `${finishedFile}.new`), join(folder, finishedFile));
	return { made, outro, files };
}

/** Returns the job whose finished outputs the folder holds, and their size in bytes; null if it holds none. */
export async function finishedIn(folder: string): Promise<{ readonly job: string; readonly bytes: number } | null> {
	const record = await read(folder);
	return record && { job: record.job, bytes: record.files.reduce((sum, { size }) => sum + size, 0) };
}

/**
 * Returns what was finished in the folder for this job, after a check of every byte. Returns null if nothing was
 * finished, a file is missing or changed, or the job asks for something else now.
 */
export async function readFinished(folder: string, job: Job): Promise<FinishedOutputs | null> {
	const record = await read(folder);
	if (record?.wanted !== wantedOf(job)) return null;
	for (const { path, size, sha256 } of record.files) {
		const output = join(folder, "outputs", path);
		const found = await stat(output).catch(() => null);
		if (found?.size !== size || (await sha256Of(output)) !== sha256) return null;
	}
	return { made: record.made, outro: record.outro, files: record.files };
}

async function read(folder: string): Promise<FinishedRecord | null> {
	const text = await readFile(join(folder, finishedFile), "utf8").catch(() => null);
	if (text === null) return null;
	try {
		return JSON.parse(text) as FinishedRecord;
	} catch {
		return null;
	}
}

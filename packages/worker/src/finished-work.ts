import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Job } from "@reelmill/contracts";
import type { Processed } from "@reelmill/media";
import type { Appended } from "./outro.ts";

/** What an attempt has finished: its outputs lie in the folder `outputs`. `outro` is null while none was appended. */
export type Finished = { readonly made: Processed; readonly outro: Appended | null };

type Written = Finished & {
	readonly job: string;
	readonly wanted: string;
	readonly files: readonly { readonly path: string; readonly size: number; readonly sha256: string }[];
};

const name = "finished.json";
/** Raised when what workers before made isn't what this one would make. */
const format = 1;

/** All of a job that its outputs hang on. Not its speed: finished is faster than fast. */
function wantedOf({ id, kind, source, limits, plan, outro }: Job): string {
	return createHash("sha256").update(JSON.stringify({ format, id, kind, source, limits, plan, outro })).digest("hex");
}

/** The SHA-256 of a file, in hexadecimal. */
export async function sumOf(path: string): Promise<string> {
	const hash = createHash("sha256");
	await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), hash);
	return hash.digest("hex");
}

/**
 * Writes down, in the job's folder, that the outputs there are finished, with their sums. A process that is killed
 * within leaves what was written before, or nothing.
 */
export async function writeFinished(folder: string, job: Job, finished: Finished): Promise<void> {
	const files: Written["files"][number][] = [];
	for (const path of finished.made.files) {
		const whole = join(folder, "outputs", path);
		files.push({ path, size: (await stat(whole)).size, sha256: await sumOf(whole) });
	}
	const written: Written = { ...finished, job: job.id, wanted: wantedOf(job), files };
	await writeFile(join(folder, `${name}.new`), JSON.stringify(written));
	await rename(join(folder, `${name}.new`), join(folder, name));
}

/** The job that the folder has finished outputs of, and how many bytes these have; null where it has none. */
export async function finishedIn(folder: string): Promise<{ readonly job: string; readonly bytes: number } | null> {
	const written = await read(folder);
	return written && { job: written.job, bytes: written.files.reduce((sum, { size }) => sum + size, 0) };
}

/**
 * What was finished in the folder for just this job, every byte of it checked; null where nothing was, or not this, or
 * not whole.
 */
export async function readFinished(folder: string, job: Job): Promise<Finished | null> {
	const written = await read(folder);
	if (written?.wanted !== wantedOf(job)) return null;
	for (const { path, size, sha256 } of written.files) {
		const whole = join(folder, "outputs", path);
		const found = await stat(whole).catch(() => null);
		if (found?.size !== size || (await sumOf(whole)) !== sha256) return null;
	}
	return { made: written.made, outro: written.outro };
}

async function read(folder: string): Promise<Written | null> {
	const text = await readFile(join(folder, name), "utf8").catch(() => null);
	if (text === null) return null;
	try {
		return JSON.parse(text) as Written;
	} catch {
		return null;
	}
}

import { readFile, rename, rm, writeFile } from "node:fs/promises";
import {
	type CheckRequest,
	type CheckStep,
	ConnectionError,
	type Difference,
	type DifferenceKind,
	isReelmillError,
	type ReelmillAdmin,
} from "@reelmill/node";
import pRetry from "p-retry";
import { OutcomeError, UsageError } from "./failure.ts";

export type Told = Required<Pick<CheckRequest, "repair" | "adopt" | "remove_orphans" | "remove_unknown_domains">>;
export type CheckCounts = {
	found: number;
	left: number;
	rows: number;
	objects: number;
	/** How many bytes were read and compared with sums. */
	bytes: number;
	/** How many videos and outros have files that could not be compared, since no sum of them is kept. */
	withoutSums: number;
	/** How much was left alone because it is too young, and when to look again. */
	young: number;
	lookAgainAt: string | null;
};

/** How far a check has come, as a file keeps it. */
type Progress = CheckCounts & {
	told: Told & { young?: boolean; deep?: boolean };
	pass: "look" | "mend";
	losses: number;
	cursor: string | null;
};

type Options = {
	told: Told;
	/** Whether to look at what was written within the last hour as well (default: false). */
	young?: boolean;
	/** Whether to read every output, and to compare it with its sum (default: false). */
	deep?: boolean;
	/** If more videos and outros than this would fail, nothing is changed. */
	mostLosses: number;
	/** The file that keeps the progress; undefined for none. */
	file: string | undefined;
	signal: AbortSignal;
	onProgress(title: string, percent: number): void;
	onDifference(found: Difference): void;
	/** Called if the server does not answer, before the next attempt. */
	onOutage(message: string): void;
};

const nothing: Told = { repair: false, adopt: false, remove_orphans: false, remove_unknown_domains: false };
const losses: readonly DifferenceKind[] = ["video_unplayable", "outro_unplayable", "source_missing"];
const retries = 11;
const pauseMilliseconds = 5000;

/**
 * Runs a check from its first step, or from where the file says that it stopped, to its last. If it is to mend
 * something, it first only looks, and mends in a second pass: a wrong or a missing storage must not fail every video. A
 * step without an answer is repeated for a minute.
 */
export function createCheckRun(
	admin: ReelmillAdmin,
	{ told, young = false, deep = false, mostLosses, file, signal, onProgress, onDifference, onOutage }: Options,
): () => Promise<CheckCounts> {
	const step = (input: Partial<CheckRequest>): Promise<CheckStep> =>
		pRetry(() => admin.check.step(input, { signal }), {
			retries,
			minTimeout: pauseMilliseconds,
			factor: 1,
			signal,
			onFailedAttempt({ error, retriesLeft }) {
				const isOutage = error instanceof ConnectionError || (isReelmillError(error) && error.status >= 500);
				if (!isOutage) throw error;
				if (retriesLeft > 0) onOutage(`${error.message} Trying again.`);
			},
		});
	const mends = Object.values(told).some(Boolean);
	/** What is lost must have been counted by what is mended. */
	const how = { ...(young && { young }) };
	const asked = { ...told, ...how, ...(deep && { deep }) };
	const beginning = (pass: Progress["pass"]): Progress => ({
		told: asked,
		pass,
		losses: 0,
		cursor: null,
		found: 0,
		left: 0,
		rows: 0,
		objects: 0,
		bytes: 0,
		withoutSums: 0,
		young: 0,
		lookAgainAt: null,
	});

	const goThrough = async (from: Progress): Promise<Progress> => {
		let progress = from;
		const isOnlyLook = progress.pass === "look" && mends;
		do {
			const { cursor } = progress;
			const { differences, looked_at, passed_over, percent, ...next } = await step({
				...(progress.pass === "mend" ? told : nothing),
				...how,
				// Nothing that is lost shows in the bytes alone, so they are read once, in the pass that reports them.
				...(deep && !isOnlyLook && { deep }),
				...(cursor !== null && { cursor }),
			});
			onProgress(isOnlyLook ? "Looking" : progress.pass === "mend" ? "Mending" : "Checking", percent);
			if (!isOnlyLook) for (const found of differences) onDifference(found);
			progress = {
				...progress,
				cursor: next.cursor,
				found: progress.found + differences.length,
				left: progress.left + differences.filter(({ mended }) => !mended).length,
				losses: progress.losses + differences.filter(({ kind }) => losses.includes(kind)).length,
				rows: progress.rows + looked_at.rows,
				objects: progress.objects + looked_at.objects,
				// A server of an earlier version doesn't say.
				bytes: progress.bytes + (looked_at.bytes ?? 0),
				withoutSums: progress.withoutSums + (passed_over?.without_sums ?? 0),
				young: progress.young + (passed_over?.young ?? 0),
				lookAgainAt: later(progress.lookAgainAt, passed_over?.look_again_at ?? null),
			};
			if (progress.cursor !== null) await write(file, progress);
		} while (progress.cursor !== null);
		return progress;
	};

	return async () => {
		const noted = await read(file);
		if (noted !== null && JSON.stringify(noted.told) !== JSON.stringify(asked))
			throw new UsageError(`${file} is of a check with other options. Give the same ones, or remove it.`);
		let progress = noted ?? beginning("look");
		if (progress.pass === "look") {
			progress = await goThrough(progress);
			if (mends && told.repair && progress.losses > mostLosses) {
				throw new OutcomeError(
					"too_many_losses",
					`${progress.losses} videos and outros would fail, more than ${mostLosses}: nothing was changed. See that each storage is the right one and is there; if they are lost, say --most-losses ${progress.losses}.`,
				);
			}
			if (mends && (progress.found > 0 || deep)) progress = await goThrough(beginning("mend"));
		} else progress = await goThrough(progress);
		if (file !== undefined) await rm(file, { force: true });
		return progress;
	};
}

/** Both are RFC 3339 in UTC with milliseconds, so their order is that of their texts. */
const later = (one: string | null, other: string | null): string | null =>
	one === null || (other !== null && other > one) ? other : one;

async function read(file: string | undefined): Promise<Progress | null> {
	if (file === undefined) return null;
	const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
		if (error.code === "ENOENT") return null;
		throw new UsageError(`${file} can't be read: ${error.message}`);
	});
	if (text === null) return null;
	try {
		// An earlier version doesn't say what was passed over, nor what was read.
		const unsaid = { young: 0, lookAgainAt: null, bytes: 0, withoutSums: 0 };
		return { ...unsaid, ...(JSON.parse(text) as Omit<Progress, keyof typeof unsaid>) };
	} catch {
		throw new UsageError(`${file} is no note of a check.`);
	}
}

/** Writes the file as a whole. If the process is killed meanwhile, the check continues from the previous version. */
async function write(file: string | undefined, progress: Progress): Promise<void> {
	if (file === undefined) return;
	await writeFile(`${file}.new`, JSON.stringify(progress));
	await rename(`${file}.new`, file);
}

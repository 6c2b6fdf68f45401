import type { BucketOpener, Database, EngineOptions, ObjectStorage } from "@reelmill/engine";

const isStep = /(update|insert into|delete from) reelmill\.(publications|deletions|videos)/;

/**
 * The options of a server that can be killed: from then on whatever it asks of the database or of a bucket fails, and
 * nothing of it is done. What changes a video, or publishes or withdraws it, counts as a step. With `steps` it dies
 * before the step of this number, counted from 0, and with half a step more right after it was done.
 */
export function mortalOptions(
	options: EngineOptions,
	{ steps = Number.POSITIVE_INFINITY, onCopy = async () => {} }: { steps?: number; onCopy?: () => Promise<void> },
) {
	let isAlive = true;
	let begun = 0;
	const live = async <T>(isCounted: boolean, work: () => Promise<T>): Promise<T> => {
		const step = isCounted ? begun++ : null;
		if (step === steps) isAlive = false;
		if (!isAlive) throw new Error("killed");
		const answer = await work();
		if (step !== null && step + 0.5 === steps) isAlive = false;
		if (!isAlive) throw new Error("killed");
		return answer;
	};
	const database: Database = {
		...options.database,
		query: (statement) => live(isStep.test(statement.text), () => options.database.query(statement)),
	};
	const storage = (outputs: ObjectStorage): ObjectStorage => ({
		...outputs,
		copy: (from, to) =>
			live(true, async () => {
				await onCopy();
				return (await outputs.copy?.(from, to)) ?? null;
			}),
		deletePrefix: (prefix) => live(true, () => outputs.deletePrefix(prefix)),
	});
	const buckets: BucketOpener = {
		open(bucket) {
			const opened = (options.buckets as BucketOpener).open(bucket);
			return { ...opened, outputs: storage(opened.outputs) };
		},
	};
	return {
		options: { ...options, database, buckets },
		isAlive: () => isAlive,
		kill() {
			isAlive = false;
		},
	};
}

import { setTimeout as sleep } from "node:timers/promises";
import type { EngineOptions } from "@reelmill/engine";

type Change = (options: EngineOptions) => Partial<EngineOptions>;

/**
 * An engine whose statements say something else; those come so many milliseconds `late`, in which others decide on what
 * they read. Tells whether any statement did: if none, the defect isn't planted any more.
 */
function rewriting(pattern: RegExp, replacement: string, late = 0): { readonly change: Change; isPlanted(): boolean } {
	let isPlanted = false;
	const rewrite = (text: string): string => {
		const changed = text.replace(pattern, replacement);
		isPlanted ||= changed !== text;
		return changed;
	};
	return {
		change: ({ database }) => ({
			database: {
				...database,
				async query(statement) {
					const text = rewrite(statement.text);
					if (late > 0 && text !== statement.text) await sleep(late);
					return database.query({ text, values: statement.values });
				},
			},
		}),
		isPlanted: () => isPlanted,
	};
}

/** Each breaks one rule, and the model has to notice: one after the other, or only where several act at once. */
export const defects: readonly {
	readonly rule: string;
	readonly needsCrowd: boolean;
	readonly change: Change;
	isPlanted(): boolean;
}[] = [
	{
		rule: "an ended job frees its slot",
		needsCrowd: false,
		...rewriting(/processing_count - \(/, "processing_count - 0 * ("),
	},
	{
		rule: "a slot is taken only while one is free",
		needsCrowd: false,
		...rewriting(/d\.processing_count < d\.max/, "d.processing_count <= d.max"),
	},
	{
		rule: "a reservation is given back",
		needsCrowd: false,
		...rewriting(/reserved_bytes = reserved_bytes \+/, "reserved_bytes = reserved_bytes + 0 *"),
	},
	{
		rule: "the storage gauge follows",
		needsCrowd: false,
		...rewriting(/storage_bytes = storage_bytes \+/, "storage_bytes = storage_bytes + 0 *"),
	},
	{
		rule: "an end is told",
		needsCrowd: false,
		...rewriting(/where d\.id = (\$\d+) and d\.webhook_secret is not null/, "where d.id = $1 and false"),
	},
	{
		rule: "a job given back waits",
		needsCrowd: false,
		...rewriting(/j\.not_before <= (\$\d+)/, "(j.not_before <= $1 or true)"),
	},
	{
		rule: "a loss is no attempt",
		needsCrowd: false,
		...rewriting(/losses = losses \+ 1/, "losses = losses + 0"),
	},
	{
		rule: "workers that are lost in a row are counted",
		needsCrowd: false,
		...rewriting(/fruitless = fruitless \+ 1/, "fruitless = fruitless + 0"),
	},
	{
		rule: "a job that loses one worker after the other ends",
		needsCrowd: false,
		...rewriting(/to_jsonb\(j\) as job/, "to_jsonb(j) - 'fruitless' as job"),
	},
	{
		rule: "a loss takes no time of its job",
		needsCrowd: false,
		...rewriting(/started_at = started_at \+ \(/, "started_at = started_at + 0 * ("),
	},
	{
		rule: "the oldest job of a turn goes first",
		needsCrowd: false,
		...rewriting(/order by j\.rank, j\.turn, j\.queued_at/, "order by j.rank, j.turn desc, j.queued_at desc"),
	},
	{
		rule: "what was requeued leaves no outputs",
		needsCrowd: false,
		change: ({ outputs }) => ({ outputs: { ...outputs, deletePrefix: async () => undefined } }),
		isPlanted: () => true,
	},
	{
		rule: "an ended upload leaves no bytes",
		needsCrowd: false,
		change: ({ uploads }) => ({ uploads: { ...uploads, discard: async () => undefined } }),
		isPlanted: () => true,
	},
	{
		rule: "a change is saved only over what it was decided on",
		needsCrowd: true,
		...rewriting(/and version = (\$\d+) and deleted_at is null/, "and version >= $1 * 0 and deleted_at is null", 100),
	},
];

import type { EngineOptions } from "@reelmill/engine";

type Change = (options: EngineOptions) => Partial<EngineOptions>;

/**
 * An engine whose statements say something else. Throws where no statement did: then the defect isn't planted any more.
 */
function rewriting(pattern: RegExp, replacement: string): { readonly change: Change; isPlanted(): boolean } {
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
				query: (statement) => database.query({ text: rewrite(statement.text), values: statement.values }),
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
		...rewriting(/and version = (\$\d+) and deleted_at is null/, "and version >= $1 * 0 and deleted_at is null"),
	},
];

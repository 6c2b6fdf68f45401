import { type Database, DatabaseError, type Statement } from "@reelmill/engine";

/**
 * A statement that fails, once: the `nth` sending of its text, counted from 0. `before`: the connection breaks before
 * the statement is sent. `after`: it breaks when the statement is committed, before the answer. The caller can't tell
 * which.
 */
export type Fault = { readonly text: string; readonly nth: number; readonly when: "before" | "after" };

/** The database, but that one statement of all that are sent through it fails. */
export type FailingDatabase = Database & {
	/** How often each text was sent, and by which line of the sources, since `watch`. */
	readonly sent: Map<string, { times: number; readonly place: string }>;
	/** Begins to count anew, with this fault or without one. */
	watch(fault?: Fault): void;
	/** Whether the fault came. */
	hasFailed(): boolean;
};

/** Statements that differ in their values alone, or in how many there are of them, are one. */
const textOf = ({ text }: Statement): string =>
	text
		.replaceAll(/\s+/g, " ")
		.replaceAll(/\$\d+/g, "$")
		.replaceAll(/\b(discarded_)\d+/g, "$1")
		.replaceAll(/(\$(?:::\w+)?)(?:, ?\1)+/g, "$1…")
		.trim();

/** The line of the engine's sources that sends a statement, such as `uploads/leases.ts:105`. */
function placeOf(stack: string): string {
	const lines = [...stack.matchAll(/engine\/src\/([\w./-]+\.ts):(\d+)/g)];
	const [, file, line] = lines.find(([, path]) => path !== "system/traced-database.ts") ?? [];
	return `${file}:${line}`;
}

export function failingDatabase(database: Database): FailingDatabase {
	const sent: FailingDatabase["sent"] = new Map();
	let armed: Fault | undefined;
	let failed = false;
	return {
		...database,
		sent,
		watch(fault) {
			sent.clear();
			armed = fault;
			failed = false;
		},
		hasFailed: () => failed,
		async query(statement) {
			const text = textOf(statement);
			const known = sent.get(text) ?? { times: 0, place: placeOf(new Error().stack ?? "") };
			sent.set(text, known);
			const nth = known.times++;
			if (failed || armed?.text !== text || armed.nth !== nth) return database.query(statement);
			failed = true;
			if (armed.when === "after") await database.query(statement);
			throw new DatabaseError("a statement fails once", { outcomeUnknown: true, unavailable: true });
		},
	};
}

type Row = { sent: number; admitted: number; succeeded: number; slowest: number };
export type Counts = {
	/**
	 * Counts an answer to a request for an operation, or for none (null). Status 0 means that no answer came.
	 * `milliseconds` is how long it took.
	 */
	sent(operation: string | null, status: number, milliseconds: number): void;
	/** Counts a request that Node's client refused to write. */
	unsendable(): void;
	readonly requests: number;
	readonly notSent: number;
	readonly statuses: ReadonlyMap<number, number>;
	/**
	 * For each operation: all answers, those other than 401 and 429, the successful ones, and the milliseconds of the
	 * slowest.
	 */
	readonly operations: ReadonlyMap<string, Readonly<Row>>;
};

export function createCounts(operations: readonly string[]): Counts {
	const rows = new Map<string, Row>(
		operations.map((name) => [name, { sent: 0, admitted: 0, succeeded: 0, slowest: 0 }]),
	);
	const statuses = new Map<number, number>();
	let requests = 0;
	let notSent = 0;
	return {
		sent(operation, status, milliseconds) {
			requests++;
			statuses.set(status, (statuses.get(status) ?? 0) + 1);
			const row = operation === null ? undefined : rows.get(operation);
			if (row === undefined) return;
			row.sent++;
			row.slowest = Math.max(row.slowest, milliseconds);
			if (status !== 401 && status !== 429) row.admitted++;
			if (status >= 200 && status < 400) row.succeeded++;
		},
		unsendable() {
			notSent++;
		},
		get requests() {
			return requests;
		},
		get notSent() {
			return notSent;
		},
		statuses,
		operations: rows,
	};
}

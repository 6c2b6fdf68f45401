type Row = { sent: number; admitted: number; succeeded: number; slowest: number };
export type Counts = {
	/**
	 * Counts an answer, or with status 0 the lack of one, to a request for the operation; null for none. It took so many
	 * milliseconds.
	 */
	sent(operation: string | null, status: number, milliseconds: number): void;
	/** A request that Node's client would not write. */
	unsendable(): void;
	readonly requests: number;
	readonly notSent: number;
	readonly statuses: ReadonlyMap<number, number>;
	/**
	 * By operation: all, those that were neither 401 nor 429, those that succeeded, and the milliseconds of the slowest.
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

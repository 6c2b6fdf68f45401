import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseError, Row } from "@reelmill/engine/ports";
import type { PostgresDatabase } from "@reelmill/postgres";

/** Undoes steps after each test, the last one first. */
export class Undo {
	readonly #steps: (() => unknown)[] = [];
	add(step: () => unknown): void {
		this.#steps.unshift(step);
	}
	async run(): Promise<void> {
		for (const step of this.#steps.splice(0)) await step();
	}
	async directory(): Promise<string> {
		const directory = await mkdtemp(join(tmpdir(), "reelmill-postgres-"));
		this.add(() => rm(directory, { recursive: true, force: true }));
		return directory;
	}
}

export const run = (database: PostgresDatabase, text: string, ...values: unknown[]): Promise<Row[]> =>
	database.query({ text, values });

/** Returns how a statement ended: "done", or what its error says of the outcome. */
export const outcome = (promise: Promise<unknown>): Promise<string> =>
	promise.then(
		() => "done",
		(error: DatabaseError) => `${error.name} ${error.outcomeUnknown ? "unknown" : "no effect"}`,
	);

export const milliseconds = async (promise: Promise<unknown>): Promise<number> => {
	const start = performance.now();
	await promise.catch(() => {});
	return performance.now() - start;
};

import type { Database, Statement } from "@reelmill/engine";

/** The database, with what was asked of it, and how many answers are still to come. */
export type CountingDatabase = Database & { readonly sent: Statement[]; readonly running: () => number };

export function countingDatabase(database: Database): CountingDatabase {
	const sent: Statement[] = [];
	let running = 0;
	return {
		...database,
		sent,
		running: () => running,
		async query(statement) {
			sent.push(statement);
			running++;
			try {
				return await database.query(statement);
			} finally {
				running--;
			}
		},
	};
}

/** Resolves when nothing is asked any more. Answers may lead to further questions. */
export async function settled(...databases: readonly CountingDatabase[]): Promise<void> {
	for (let calm = 0; calm < 3; calm++) {
		while (databases.some(({ running }) => running() > 0)) await new Promise((resolve) => setImmediate(resolve));
		await new Promise((resolve) => setImmediate(resolve));
	}
}

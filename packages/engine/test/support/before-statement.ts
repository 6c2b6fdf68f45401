import type { Database } from "@reelmill/engine";

/**
 * The database, but that `hook` is run, once, before the first statement that matches: what it does comes between two
 * statements of the caller.
 */
export function beforeStatement(database: Database, pattern: RegExp, hook: () => Promise<unknown>): Database {
	let isDone = false;
	return {
		...database,
		async query(statement) {
			if (!isDone && pattern.test(statement.text)) {
				isDone = true;
				await hook();
			}
			return database.query(statement);
		},
	};
}

export const saving = /update reelmill\.videos set/;
export const reading = /left join reelmill\.jobs/;

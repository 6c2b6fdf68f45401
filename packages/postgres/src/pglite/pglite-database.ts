import type { Database, Row, Statement } from "@reelmill/engine/ports";
import { DatabaseError } from "@reelmill/engine/ports";
import { isVictim, toDatabaseError } from "../connections/errors.ts";
import { valueTypes } from "../connections/value-types.ts";
import { applyMigrations } from "../migrations/apply-migrations.ts";

type Options = {
	readonly parsers: Record<number, (text: string) => unknown>;
	readonly serializers: Record<number, (value: unknown) => string>;
};

/** What is used of a PGlite, the `PGlite` of `@electric-sql/pglite`. */
export type Pglite = {
	query(text: string, values?: unknown[], options?: Options): Promise<{ rows: unknown[] }>;
	exec(text: string): Promise<unknown>;
};

const attempts = 6;

/**
 * Makes the engine's Database port on PGlite: PostgreSQL inside this process, for tests and trials. Values and errors
 * are the same as those of {@link createPostgresDatabase}.
 *
 * PGlite has one session, so statements run one after the other and nobody waits for a lock. Any number of adapters may
 * share one PGlite. The adapter closes nothing: close the PGlite itself.
 *
 * @example
 * ```ts
 * import { PGlite } from "@electric-sql/pglite";
 * import { createPgliteDatabase } from "@reelmill/postgres/pglite";
 *
 * const pglite = await PGlite.create();
 * const database = createPgliteDatabase(pglite);
 * const rows = await database.query({ text: "select $1::int + 1 as sum", values: [2] });
 * await pglite.close();
 * console.log(rows); // => [ { sum: 3 } ]
 * ```
 */
export function createPgliteDatabase(pglite: Pglite): Database {
	async function run<Answer>(send: () => Promise<Answer>): Promise<Answer> {
		for (let attempt = 1; ; attempt++) {
			try {
				return await send();
			} catch (error) {
				if (attempt === attempts || !isVictim(error)) throw portError(error);
			}
		}
	}

	const query = async <R extends Row>({ text, values }: Statement): Promise<R[]> => {
		if (values.includes(undefined)) throw new DatabaseError("A statement's value is undefined: give null instead", {});
		const { rows } = await run(() => pglite.query(text, [...values], options));
		return rows as R[];
	};
	return {
		query,
		async migrate(migrations) {
			// Several statements in one message are one transaction.
			const script = (text: string) => run(async () => void (await pglite.exec(text)));
			await applyMigrations({ query, script, alone: script }, migrations);
		},
	};
}

const types = Object.values(valueTypes);
const options: Options = {
	parsers: Object.fromEntries(types.flatMap(({ from, parse }) => from.map((type) => [type, parse]))),
	serializers: Object.fromEntries(types.map(({ to, serialize }) => [to, (value: unknown) => String(serialize(value))])),
};

/** PGlite calls the constraint otherwise than postgres.js does. */
function portError(error: unknown): DatabaseError {
	const { constraint } = error as { readonly constraint?: string };
	return toDatabaseError(
		error instanceof Error && constraint !== undefined ? Object.assign(error, { constraint_name: constraint }) : error,
	);
}

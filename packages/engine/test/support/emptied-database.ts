import { type Database, DatabaseError } from "@reelmill/engine";
import { openTestDatabase, type TestDatabase } from "@reelmill/postgres/testing";

/** A copy of the template whose tables are as they were when it was made. */
type Copy = {
	readonly made: TestDatabase;
	readonly schema: string;
	/** The tables that the migrations leave rows in, which nothing else writes to. */
	readonly kept: readonly string[];
};

type Options = { readonly serverUrl: string | undefined; readonly template: string | undefined };

const name = Symbol.for("reelmill.spare-databases");
const shared = globalThis as { [name]?: Map<string, Copy[]> };
shared[name] ??= new Map();
/** The copies that nobody uses, of all test files of this process, by their server and template. */
const spare = shared[name];
/** None on a server that stays when the tests are over: nobody would drop them. */
const mostSpare = Number(process.env.REELMILL_TEST_DATABASE_SPARE ?? 0);

/**
 * Opens a database that has the engine's schema and no rows. It may be one that an earlier test has given back: its
 * rows are deleted then, and its connections know the engine's statements already. A new copy for each test took three
 * quarters of the processor time of most. What a test changes in the schema ends the copy. `close` gives it back;
 * statements of engines that the test left running reject from then on, as those of a closed database do.
 */
export async function openEmptiedDatabase(options: Options): Promise<TestDatabase> {
	const key = JSON.stringify(options);
	const copies = spare.get(key) ?? [];
	spare.set(key, copies);
	const copy = copies.pop() ?? (await makeCopy(options));
	const { made } = copy;
	let isClosed = false;
	const running = new Set<Promise<unknown>>();
	const database: TestDatabase["database"] = {
		...made.database,
		query<R extends Record<string, unknown>>(statement: Parameters<Database["query"]>[0]): Promise<R[]> {
			if (isClosed) return Promise.reject(new DatabaseError("The database is closed", { unavailable: true }));
			const sent = made.database.query<R>(statement);
			const settled = sent.then(
				() => undefined,
				() => undefined,
			);
			running.add(settled);
			void settled.then(() => running.delete(settled));
			return sent;
		},
		close: async () => {
			isClosed = true;
			await Promise.all(running);
		},
	};
	let closing: Promise<void> | undefined;
	return {
		database,
		url: made.url,
		close() {
			closing ??= (async () => {
				await database.close();
				if (copies.length < mostSpare && (await empty(copy))) copies.push(copy);
				else await made.close();
			})();
			return closing;
		},
	};
}

async function makeCopy(options: Options): Promise<Copy> {
	const made = await openTestDatabase(options);
	const kept = await made.database.query<{ name: string }>({
		text: `select relname::text as name from pg_class where relnamespace = 'reelmill'::regnamespace and relkind = 'r'
			and (xpath('//filled/text()', query_to_xml(format('select exists (select from %s) as filled', oid::regclass), false, true, '')))[1]::text = 'true'`,
		values: [],
	});
	return { made, schema: await schemaOf(made.database), kept: kept.map(({ name }) => name) };
}

/** A sum of all that a test could change in the schema. */
async function schemaOf(database: Database): Promise<string> {
	const [row] = await database.query<{ sum: string }>({
		text: `select md5(string_agg(part, ',' order by part)) as sum from (
			select format('class %s %s', oid, relkind) as part from pg_class where relnamespace = 'reelmill'::regnamespace
			union all
			select format('column %s %s %s %s', attrelid, attname, atttypid, attnotnull) from pg_attribute join pg_class on pg_class.oid = attrelid
				where relnamespace = 'reelmill'::regnamespace
			union all
			select format('trigger %s %s', pg_trigger.oid, tgenabled) from pg_trigger join pg_class on pg_class.oid = tgrelid
				where relnamespace = 'reelmill'::regnamespace
			union all
			select format('function %s %s', oid, xmin) from pg_proc where pronamespace = 'reelmill'::regnamespace
			union all
			select format('rule %s %s', oid, connamespace) from pg_constraint where connamespace = 'reelmill'::regnamespace
			union all
			select format('version %s', v) from reelmill.schema_versions v
		) all_parts`,
		values: [],
	});
	return row?.sum ?? "";
}

/** Deletes all rows. Answers whether the copy is as good as a new one. */
async function empty({ made: { database }, schema, kept }: Copy): Promise<boolean> {
	try {
		if ((await schemaOf(database)) !== schema) return false;
		await database.query({
			text: `do $$
				declare
					name regclass;
					has boolean;
				begin
					-- No trigger counts what is deleted here, and no key refers to anything.
					perform set_config('session_replication_role', 'replica', true), set_config('lock_timeout', '2s', true);
					for name in select oid from pg_class
						where relnamespace = 'reelmill'::regnamespace and relkind = 'r'
							and relname <> all ('{${kept.join(",")}}')
					loop
						execute format('select exists (select from %s)', name) into has;
						if has then
							execute format('delete from %s', name);
						end if;
					end loop;
					perform setval(seqrelid::regclass, seqstart, false) from pg_sequence join pg_class on pg_class.oid = seqrelid
						where relnamespace = 'reelmill'::regnamespace;
				end $$`,
			values: [],
		});
		return true;
	} catch {
		return false;
	}
}

import type { Database } from "@reelmill/engine";

/** Digests of all tables' rows, by the table's name: equal before and after means that nothing was changed. */
export type Contents = Readonly<Record<string, string>>;

/**
 * Makes a function that reads the {@link Contents} of a database whose tables stay the same. It digests the rows only
 * if any was written since the last time: each version of a row has the number of the transaction that wrote it.
 */
export async function createContents(database: Database): Promise<() => Promise<Contents>> {
	// That a server is alive is written every second while it has uploads, whatever is asked of it. Which workers wait is
	// written together with others, some time after one began or ended to wait.
	// When somebody was seen is written some seconds later, together with others.
	const tables = await database.query<{ name: string; row: string }>({
		text: `select c.relname as name, case when a.attname is null then 't::text' else '(to_jsonb(t) - ''seen_at'')::text' end as row
			from pg_class c left join pg_attribute a on a.attrelid = c.oid and a.attname = 'seen_at'
			where c.relnamespace = 'reelmill'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relname not in ('upload_servers', 'waiting_workers')`,
		values: [],
	});
	const ofAll = (value: (row: string) => string) => ({
		text: tables
			.map(({ name, row }) => `select '${name}' as name, ${value(row)} as value from reelmill.${name} t`)
			.join(" union all "),
		values: [],
	});
	const versions = ofAll(
		() =>
			"count(*) || ' ' || coalesce(sum(t.xmin::text::numeric), 0) || ' ' || coalesce(max(t.xmin::text::numeric), 0)",
	);
	const digests = ofAll((row) => `md5(coalesce(string_agg(${row}, '|' order by ${row}), ''))`);
	const read = async (statement: typeof versions): Promise<Contents> => {
		const rows = await database.query<{ name: string; value: string }>(statement);
		return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
	};
	let known: { readonly written: string; readonly contents: Contents } | undefined;
	return async () => {
		const written = JSON.stringify(await read(versions));
		if (known?.written !== written) known = { written, contents: await read(digests) };
		return known.contents;
	};
}

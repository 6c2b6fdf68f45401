import type { Database } from "@reelmill/engine";

/** Digests of all tables' rows, by the table's name: equal before and after means that nothing was changed. */
export type Contents = Readonly<Record<string, string>>;

/** What servers write of themselves, whatever is asked of them. */
const ofServers = ["duties", "servers_seen", "upload_servers"];

/**
 * Makes a function that reads the {@link Contents} of a database whose tables stay the same. It digests the rows only
 * if any was written since the last time: each version of a row has the number of the transaction that wrote it.
 */
export async function createContents(database: Database): Promise<() => Promise<Contents>> {
	const tables = await database.query<{ name: string }>({
		text: "select table_name as name from information_schema.tables where table_schema = 'reelmill' and table_type = 'BASE TABLE' and table_name <> all ($1::text[])",
		values: [ofServers],
	});
	const ofAll = (value: string) => ({
		text: tables
			.map(({ name }) => `select '${name}' as name, ${value} as value from reelmill.${name} t`)
			.join(" union all "),
		values: [],
	});
	const versions = ofAll(
		"count(*) || ' ' || coalesce(sum(t.xmin::text::numeric), 0) || ' ' || coalesce(max(t.xmin::text::numeric), 0)",
	);
	const digests = ofAll("md5(coalesce(string_agg(t::text, '|' order by t::text), ''))");
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

import type { Database } from "@reelmill/engine";

/** A digest of each table's rows, by the table's name: equal before and after means that nothing was changed. */
export async function contentsOf(database: Database): Promise<Record<string, string>> {
	const rows = await database.query<{ name: string; digest: string }>({
		text: `select table_name as name, (xpath('/row/d/text()', query_to_xml(format(
			'select md5(coalesce(string_agg(t::text, ''|'' order by t::text), '''')) as d from reelmill.%I t', table_name), false, true, '')))[1]::text as digest
			from information_schema.tables where table_schema = 'reelmill' order by table_name`,
		values: [],
	});
	return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}

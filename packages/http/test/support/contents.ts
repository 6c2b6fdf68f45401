import type { Database } from "@reelmill/engine";

/** Digests of all tables' rows, by the table's name: equal before and after means that nothing was changed. */
export type Contents = Readonly<Record<string, string>>;

/** Makes a function that reads the {@link Contents} of a database whose tables stay the same. */
export async function createContents(database: Database): Promise<() => Promise<Contents>> {
	const tables = await database.query<{ name: string }>({
		text: "select table_name as name from information_schema.tables where table_schema = 'reelmill' and table_type = 'BASE TABLE'",
		values: [],
	});
	const digests = tables.map(
		({ name }) =>
			`select '${name}' as name, md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as digest from reelmill.${name} t`,
	);
	const statement = { text: digests.join(" union all "), values: [] };
	return async () => {
		const rows = await database.query<{ name: string; digest: string }>(statement);
		return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
	};
}

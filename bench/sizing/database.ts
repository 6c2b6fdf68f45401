import type { Database } from "@reelmill/engine";

/** What is copied of each table beside its other columns as they are: ids that belong together stay together. */
const copied: Readonly<Record<string, Readonly<Record<string, string>>>> = {
	videos: {
		id: idOf("id"),
		external_ref: "t.external_ref || '-' || i",
		uploader_ref: "t.uploader_ref || '-' || i",
		created_at: "t.created_at - i * interval '1 second'",
	},
	webhook_deliveries: {
		id: idOf("id"),
		video_id: idOf("video_id"),
		created_at: "t.created_at - i * interval '1 second'",
	},
	webhook_exchanges: { delivery_id: idOf("delivery_id") },
	idempotency_keys: { key: "sha256(t.key || int4send(i))" },
};

/** An id that the API takes: a UUID of version 4. */
function idOf(column: string): string {
	return `overlay(overlay(md5(t.${column}::text || i) placing '4' from 13) placing '8' from 17)::uuid`;
}

/** Copies each row of the tables that grow with the videos so many times. */
export async function copyRows(database: Database, times: number): Promise<void> {
	const run = (text: string, ...values: unknown[]) => database.query<{ name: string }>({ text, values });
	for (const [table, changed] of Object.entries(copied)) {
		const columns = await run(
			`select column_name as name from information_schema.columns
				where table_schema = 'reelmill' and table_name = $1 and is_generated = 'NEVER'`,
			table,
		);
		const names = columns.map(({ name }) => name);
		const values = names.map((name) => changed[name] ?? `t.${name}`);
		await run(`alter table reelmill.${table} disable trigger user`);
		await run(
			`insert into reelmill.${table} (${names.join(", ")})
				select ${values.join(", ")} from (select * from reelmill.${table}) t, generate_series(1, $1::integer) i`,
			times - 1,
		);
		await run(`alter table reelmill.${table} enable trigger user`);
		await run(`vacuum analyze reelmill.${table}`);
	}
}

type Size = { readonly name: string; readonly count: number; readonly own: number; readonly indexes: number };

/** Prints the bytes a row of the tables that were copied, with what their indexes take. */
export async function printSizes(database: Database): Promise<void> {
	for (const table of Object.keys(copied)) {
		// A table by partitions has its bytes in them.
		const [size] = await database.query<Size>({
			text: `select (select count(*)::integer from reelmill.${table}) as count,
				sum(pg_table_size(part))::float8 as own, sum(pg_indexes_size(part))::float8 as indexes
				from (select 'reelmill.${table}'::regclass as part
					union select relid from pg_partition_tree('reelmill.${table}')) parts`,
			values: [],
		});
		if (size === undefined || size.count === 0) continue;
		const { count, own, indexes } = size;
		console.log(
			`sizing-service: ${table}: ${count} rows, ${Math.round((own + indexes) / count)} bytes each,`,
			`of them ${Math.round(indexes / count)} in indexes`,
		);
	}
}

import { setTimeout as sleep } from "node:timers/promises";
import { type Migration, readMigrations } from "@reelmill/engine";
import { createPostgresDatabase, type PostgresDatabase } from "@reelmill/postgres";
import { startTestServer } from "@reelmill/postgres/testing";
import { wanted } from "./wanted.ts";

const sampleMilliseconds = 20;

/** What holds up writes, and reads as well in the last one's case. */
const blocking = "'ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock'";
const locks = `select l.pid || ' ' || c.relname || ' ' || l.mode as lock from pg_locks l join pg_class c on c.oid = l.relation
	join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'reelmill' and c.relkind in ('r', 'p') and l.granted and l.mode in (${blocking})`;

/** As tenants and servers write to the tables that grow. */
const writes = [
	"update reelmill.videos set progress = progress + 1 where id = (select id from reelmill.videos limit 1)",
	"update reelmill.webhook_deliveries set attempts_left = attempts_left where id = (select id from reelmill.webhook_deliveries limit 1)",
	`insert into reelmill.webhook_deliveries (id, domain_id, video_id, type, body, url, status, attempts_left, next_attempt_at, created_at)
		select gen_random_uuid(), d.id, gen_random_uuid(), 'video.ready', '{}', 'https://example.com', 'delivered', 0, null, now() from reelmill.domains d`,
	"update reelmill.domains set reserved_bytes = reserved_bytes where slug = 'bench'",
];

/** What the contract allows on a large table, and beside it what it refuses. */
const samples: readonly { readonly title: string; readonly migration: Migration }[] = [
	{
		title: "as the contract asks",
		migration: {
			name: "9000-allowed",
			text: `create index concurrently bench_one on reelmill.videos (domain_id, updated_at, id);
				create index concurrently bench_two on reelmill.webhook_deliveries_default (domain_id, delivered_at, id);
				alter table reelmill.videos add column bench integer not null default 0;
				alter table reelmill.videos add constraint bench_positive check (bench >= 0) not valid;`,
		},
	},
	{
		title: "as it refuses, for comparison",
		migration: {
			name: "9001-refused",
			text: `create index bench_three on reelmill.webhook_deliveries_default (domain_id, delivered_at, id);
				alter table reelmill.videos add column bench_id uuid default gen_random_uuid();`,
		},
	},
];

/**
 * Measures how long migrations hold up writes, on tables of so many thousands of rows: the longest lock, as the server
 * shows it, and the slowest of the writes that go on meanwhile.
 */
export async function migrations(thousands = 4000): Promise<void> {
	const server = await startTestServer();
	const open = () => createPostgresDatabase({ url: server.url, statementTimeoutMilliseconds: 1_800_000 });
	const [database, watching, writing] = [open(), open(), open()];
	try {
		const all = await readMigrations();
		await database.migrate(all.slice(0, 1));
		await fill(database, thousands * 1000);
		console.log(`migrations: ${thousands} thousand videos, and as many webhook deliveries`);
		const measure = async (title: string, these: readonly Migration[]): Promise<void> => {
			let goesOn = true;
			const held = watchLocks(watching, () => goesOn);
			const slowest = writeOn(writing, () => goesOn);
			const began = performance.now();
			await database.migrate(these);
			const seconds = (performance.now() - began) / 1000;
			goesOn = false;
			const [lock, slow] = [await held, await slowest];
			console.log(
				`migrations: ${title}, ${seconds.toFixed(1)} s: longest lock ${lock.milliseconds.toFixed(0)} ms (${lock.name}),`,
				`slowest of ${slow.count} writes ${slow.milliseconds.toFixed(0)} ms`,
			);
		};
		for (const migration of all.slice(1)) await measure(migration.name, [migration]);
		for (const { title, migration } of samples) await measure(title, [migration]);
		console.log(`migrations: wanted: ${wanted.migrations}`);
	} finally {
		await Promise.all([database, watching, writing].map((each) => each.close()));
		await server.close();
	}
}

/** Rows are made without the indexes, which are built anew afterwards: that takes a tenth of the time. */
async function fill(database: PostgresDatabase, rows: number): Promise<void> {
	const run = (text: string, ...values: unknown[]) => database.query({ text, values });
	await run(
		`insert into reelmill.domains (id, slug, config, daily_upload_bytes, storage_bytes_limit, max_concurrent_processing, created_at)
			values (gen_random_uuid(), 'bench', '{}', 1, 1, 1, now())`,
	);
	const tables = ["videos", "webhook_deliveries"];
	const indexes = await database.query<{ name: string; definition: string }>({
		text: `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
			where indrelid = any(array['reelmill.videos', 'reelmill.webhook_deliveries_default']::regclass[]) and not indisprimary`,
		values: [],
	});
	for (const { name } of indexes) await run(`drop index ${name}`);
	for (const table of tables) await run(`alter table reelmill.${table} disable trigger user`);
	const step = 250_000;
	for (let at = 0; at < rows; at += step) {
		await run(
			`insert into reelmill.videos (id, domain_id, state, visibility, content_type, file_size, plan, max_duration_seconds,
				transcript_status, uploader_ref, external_ref, created_at, updated_at, expires_at)
				select gen_random_uuid(), d.id, 'available', 'private', 'video/mp4', 1, '{"renditions": [], "outputs": {}}', 180,
				'disabled', 'uploader-' || i, 'reference-' || i, now(), now(), now() from reelmill.domains d,
				generate_series(1, $1::integer) i where d.slug = 'bench'`,
			Math.min(step, rows - at),
		);
	}
	await run(
		`insert into reelmill.webhook_deliveries (id, domain_id, video_id, type, body, url, status, attempts_left, next_attempt_at, created_at)
			select gen_random_uuid(), v.domain_id, v.id, 'video.ready', '{}', 'https://example.com', 'delivered', 0, null, now() from reelmill.videos v`,
	);
	await run(
		`insert into reelmill.webhook_exchanges (delivery_id, created_at, attempt, url, request_headers, response_headers, response_body)
			select id, created_at, 1, url, '[["content-type", "application/json"]]', '[]', '' from reelmill.webhook_deliveries`,
	);
	await run("vacuum analyze reelmill.webhook_exchanges");
	for (const { definition } of indexes) await run(definition);
	for (const table of tables) {
		await run(`alter table reelmill.${table} enable trigger user`);
		await run(`vacuum analyze reelmill.${table}`);
	}
}

/** Returns the lock that was held longest by one statement or transaction. */
async function watchLocks(database: PostgresDatabase, goesOn: () => boolean) {
	const since = new Map<string, number>();
	const longest = { name: "none", milliseconds: 0 };
	while (goesOn()) {
		const rows = await database.query<{ lock: string }>({ text: locks, values: [] });
		const now = performance.now();
		const held = new Set(rows.map(({ lock }) => lock));
		for (const lock of since.keys()) if (!held.has(lock)) since.delete(lock);
		for (const lock of held) {
			since.set(lock, since.get(lock) ?? now - sampleMilliseconds);
			const milliseconds = now - (since.get(lock) ?? now);
			if (milliseconds > longest.milliseconds) Object.assign(longest, { name: lock, milliseconds });
		}
		await sleep(sampleMilliseconds);
	}
	return longest;
}

async function writeOn(database: PostgresDatabase, goesOn: () => boolean) {
	const slowest = { count: 0, milliseconds: 0 };
	while (goesOn())
		for (const text of writes) {
			const start = performance.now();
			await database.query({ text, values: [] });
			slowest.milliseconds = Math.max(slowest.milliseconds, performance.now() - start);
			slowest.count++;
			await sleep(5);
		}
	return slowest;
}

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createEngine, type Database, type Engine, readMigrations, type Statement } from "@reelmill/engine";
import { createPostgresDatabase, type PostgresDatabase } from "@reelmill/postgres";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "@reelmill/postgres/embedded";
import { engineOptions } from "./engine-options.ts";
import { median } from "./median.ts";
import { cpuSecondsOf } from "./server-process.ts";
import { wanted } from "./wanted.ts";

const worker = { accountId: "00000000-0000-4000-8000-000000000000", name: "bench" };

type World = { readonly engine: Engine; readonly database: PostgresDatabase; readonly postgres: EmbeddedPostgres };

async function inWorld(
	work: (
		world: World & { readonly statements: () => number; readonly last: () => Statement | undefined },
	) => Promise<void>,
): Promise<void> {
	const directory = await mkdtemp(join(tmpdir(), "reelmill-bench-"));
	const postgres = await startEmbeddedPostgres({ directory: join(directory, "postgres") });
	const database = createPostgresDatabase({ url: postgres.url, statementTimeoutMilliseconds: 600_000 });
	let sent = 0;
	let last: Statement | undefined;
	const counted: Database = {
		migrate: database.migrate,
		query(statement) {
			sent++;
			last = statement;
			return database.query(statement);
		},
	};
	try {
		await database.migrate(await readMigrations());
		const engine = createEngine(engineOptions(counted, directory));
		await work({ engine, database, postgres, statements: () => sent, last: () => last });
	} finally {
		await database.close();
		await postgres.stop();
		await rm(directory, { recursive: true, force: true });
	}
}

/** Measures a claim from a queue of a million jobs, and says what PostgreSQL itself took of that. */
export async function longQueue(rounds = 300): Promise<void> {
	await inWorld(async ({ engine, database, last }) => {
		const run = (text: string, ...values: unknown[]) => database.query<{ ms: number }>({ text, values });
		for (const jobs of [1000, 999_000]) {
			const { domain } = await engine.domains.create({
				slug: `with-${jobs}`,
				limits: { max_concurrent_processing: 1000 },
			});
			await run(
				`with made as (
					insert into reelmill.videos (id, domain_id, state, visibility, content_type, file_size, plan,
						max_duration_seconds, transcript_status, created_at, updated_at, uploaded_at, expires_at)
					select gen_random_uuid(), $1::uuid, 'queued', 'private', 'video/mp4', 10,
						'{"renditions": ["h264_720"], "outputs": {"hls": true}}', 180, 'disabled', now(), now(), now(), now()
					from generate_series(1, $2::integer) returning id)
				insert into reelmill.jobs (id, kind, domain_id, turn, waiting_since, queued_at, not_before)
				select id, 'video', $1, row_number() over (), now(), now(), now() - interval '1 minute' from made`,
				domain.id,
				jobs,
			);
			await run("vacuum analyze reelmill.jobs");
			await run("vacuum analyze reelmill.videos");
			await run("checkpoint");
			const times: number[] = [];
			for (let count = 0; count < rounds; count++) {
				const startedAt = performance.now();
				if ((await engine.jobs.claim(worker, { worker: "w", wait_seconds: 0 })) === null)
					throw new Error("no job came");
				times.push(performance.now() - startedAt);
			}
			const { text = "", values = [] } = last() ?? {};
			const execution: number[] = [];
			for (let count = 0; count < rounds; count++) {
				const [row] = await database.query({ text: `explain (analyze, timing off, format json) ${text}`, values });
				const [told] = Object.values(row ?? {})[0] as [{ "Execution Time": number }];
				execution.push(told["Execution Time"]);
			}
			const [{ count } = { count: 0 }] = await database.query<{ count: number }>({
				text: "select count(*)::integer as count from reelmill.jobs where lock is null",
				values: [],
			});
			console.log(
				`claim-queue: ${count} jobs wait, a claim takes PostgreSQL ${median(execution).toFixed(2)} ms (wanted: ${wanted["claim-queue"]}), and its caller ${median(times).toFixed(2)} ms, medians of ${rounds}`,
			);
		}
	});
}

/**
 * Measures pages of searches among so many thousand videos of one domain: of PostgreSQL, by how many videos are found. A
 * tenth have a title and two values.
 */
export async function videoSearch(thousands = 1000): Promise<void> {
	const rounds = 20;
	await inWorld(async ({ engine, database, last }) => {
		const run = (text: string, ...values: unknown[]) => database.query({ text, values });
		const { domain } = await engine.domains.create({ slug: "large" });
		// Small statements: a machine that does other work gives up none of them.
		for (let from = 1; from <= thousands * 1000; from += 10_000) {
			await run(
				`insert into reelmill.videos (id, domain_id, state, visibility, content_type, file_size, plan, max_duration_seconds,
					transcript_status, external_ref, uploader_ref, created_at, updated_at, expires_at)
				select gen_random_uuid(), $1::uuid, 'expired', 'private', 'video/mp4', 10, '{}', 180, 'disabled',
					case when n <= 6000 then 'Oldest ' || n when n % 2 = 0 then 'IMG_' || n else 'Lesson ' || n % 1000 || ' of ' || n end,
					'user-' || n % 50000, at, at, at
				from generate_series($2::integer, $2 + 9999) n, lateral (select now() - (1000001 - n) * interval '1 second') t (at)`,
				domain.id,
				from,
			);
		}
		const named =
			"from (select id, domain_id, created_at, row_number() over (order by created_at) as n from reelmill.videos) v where n % 10 = 0";
		await run(`insert into reelmill.video_titles select id, domain_id, 'Title ' || n ${named}`);
		await run(
			`insert into reelmill.video_values select id, key, value, domain_id, created_at
				${named.replace(" where", ", lateral (values ('course', 'course-' || n % 500), ('kind', case when n <= 6000 then 'old' else 'new' end)) m (key, value) where")}`,
		);
		for (const table of ["videos", "video_titles", "video_values"]) {
			await run(`vacuum analyze reelmill.${table}`);
			const [size] = await database.query<{ table_bytes: number; index_bytes: number; rows: number }>({
				text: `select pg_table_size('reelmill.${table}')::float8 as table_bytes, pg_indexes_size('reelmill.${table}')::float8 as index_bytes,
					(select count(*) from reelmill.${table})::integer as rows`,
				values: [],
			});
			const { table_bytes = 0, index_bytes = 0, rows = 1 } = size ?? {};
			console.log(
				`video-search: a row of ${table} takes ${(table_bytes / rows).toFixed(0)} bytes, and ${(index_bytes / rows).toFixed(0)} of indexes (${rows} rows)`,
			);
		}
		const tenant = { kind: "domain", domainId: domain.id, keyId: null, sessionId: null } as const;
		const searches = [
			"img_123456",
			"nothing",
			"user-777",
			"lesson 77 of",
			"title 4242",
			"lesson",
			"i",
			"oldest",
			"title",
		];
		const valued = (metadata_key: string, metadata_value: string) => ({ metadata_key, metadata_value });
		const all = [
			{},
			{ include: "metadata" as const },
			...searches.map((search) => ({ search })),
			{ search: "i", state: "failed" as const },
			valued("course", "course-70"),
			valued("kind", "new"),
			valued("kind", "old"),
			{ ...valued("kind", "new"), search: "lesson" },
		];
		for (const asked of all) {
			await engine.videos.list(tenant, { ...asked, limit: 20 });
			const { text = "", values = [] } = last() ?? {};
			const execution: number[] = [];
			for (let count = 0; count < rounds; count++) {
				const [row] = await run(`explain (analyze, timing off, format json) ${text}`, ...values);
				const [told] = Object.values(row ?? {})[0] as [{ "Execution Time": number; "Planning Time": number }];
				execution.push(told["Execution Time"] + told["Planning Time"]);
			}
			console.log(
				`video-search: ${JSON.stringify(asked)} takes ${median(execution).toFixed(1)} ms, median of ${rounds}, least ${Math.min(...execution).toFixed(1)}`,
			);
		}
	});
}

/** Measures what PostgreSQL takes while so many uploads hold their leases (Linux). */
export async function uploadLeases(seconds = 20, uploads = 10_000): Promise<void> {
	await inWorld(async ({ engine, postgres, statements }) => {
		const { signal } = new AbortController();
		const ids = Array.from({ length: uploads }, () => engine.random.uuid());
		const leases = await Promise.all(ids.map((id) => engine.uploads.lease(id, { onAsked: () => undefined, signal })));
		await sleep(2000);
		const [before, sent] = [cpuSecondsOf(postgres.pid), statements()];
		await sleep(seconds * 1000);
		const share = (cpuSecondsOf(postgres.pid) - before) / seconds;
		console.log(
			`upload-leases: ${uploads} leases, ${((statements() - sent) / seconds).toFixed(0)} statements/s, ${(share * 100).toFixed(1)} % of a core of PostgreSQL over ${seconds} s (wanted: ${wanted["upload-leases"]})`,
		);
		await Promise.all(leases.map((lease) => lease.release()));
	});
}

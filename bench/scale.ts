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

/** Measures a page of a search among a million videos of one domain: of PostgreSQL, by how many videos are found. */
export async function videoSearch(rounds = 20): Promise<void> {
	await inWorld(async ({ engine, database, last }) => {
		const run = (text: string, ...values: unknown[]) => database.query({ text, values });
		const { domain } = await engine.domains.create({ slug: "large" });
		await run(
			`insert into reelmill.videos (id, domain_id, state, visibility, content_type, file_size, plan, max_duration_seconds,
				transcript_status, external_ref, uploader_ref, created_at, updated_at, expires_at)
			select gen_random_uuid(), $1::uuid, 'expired', 'private', 'video/mp4', 10, '{}', 180, 'disabled',
				case when n <= 6000 then 'Oldest ' || n when n % 2 = 0 then 'IMG_' || n else 'Lesson ' || n % 1000 || ' of ' || n end,
				'user-' || n % 50000, at, at, at
			from generate_series(1, 1000000) n, lateral (select now() - (1000001 - n) * interval '1 second') t (at)`,
			domain.id,
		);
		await run("vacuum analyze reelmill.videos");
		const tenant = { kind: "domain", domainId: domain.id, keyId: null, sessionId: null } as const;
		const searches = ["img_123456", "nothing", "user-777", "lesson 77 of", "lesson", "i", "oldest"];
		for (const asked of [...searches.map((search) => ({ search })), { search: "i", state: "failed" as const }]) {
			await engine.videos.list(tenant, { ...asked, limit: 20 });
			const { text = "", values = [] } = last() ?? {};
			const execution: number[] = [];
			for (let count = 0; count < rounds; count++) {
				const [row] = await run(`explain (analyze, timing off, format json) ${text}`, ...values);
				const [told] = Object.values(row ?? {})[0] as [{ "Execution Time": number; "Planning Time": number }];
				execution.push(told["Execution Time"] + told["Planning Time"]);
			}
			console.log(
				`video-search: ${JSON.stringify(asked)} takes ${median(execution).toFixed(1)} ms, median of ${rounds}`,
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

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEngine, type Database, readMigrations } from "@reelmill/engine";
import { createPostgresDatabase } from "@reelmill/postgres";
import { openTestDatabase, startTestServer } from "@reelmill/postgres/testing";
import { seedVideos } from "../packages/engine/test/support/seed-videos.ts";
import { engineOptions } from "./engine-options.ts";
import { median } from "./median.ts";

/** How many videos, deliveries and jobs one statement makes. */
const batch = 1_000_000;
const scrapes = 50;
/** The days of the webhook log, each a partition. */
const days = 30;
const moves = 20_000;

const run = (database: Database, text: string, ...values: unknown[]) => database.query({ text, values });

/** Makes `count` videos, as many deliveries and a twentieth as many waiting jobs, and then counts them once. */
async function fill(database: Database, domainId: string, count: number): Promise<void> {
	const tables = ["videos", "webhook_deliveries", "jobs"];
	for (let day = 0; day < days; day++)
		await run(database, "select reelmill.make_webhook_day((now() at time zone 'UTC')::date - $1::integer)", day);
	for (const table of tables) await run(database, `alter table reelmill.${table} disable trigger user`);
	for (let made = 0; made < count; made += batch) {
		const some = Math.min(batch, count - made);
		await seedVideos(database, domainId, some);
		await run(
			database,
			`insert into reelmill.webhook_deliveries (id, domain_id, video_id, type, body, url, status, attempts_left, created_at)
			select gen_random_uuid(), $1::uuid, gen_random_uuid(), 'video.ready', '', 'https://tenant.example', 'delivered', 0, now() - i % $3::integer * interval '1 day' from generate_series(1, $2::integer) i`,
			domainId,
			some,
			days,
		);
		await run(
			database,
			`insert into reelmill.jobs (id, kind, domain_id, turn, waiting_since, queued_at, not_before)
			select gen_random_uuid(), 'video', $1::uuid, i, now(), now() - i * interval '1 second', now() from generate_series(1, $2::integer / 20) i`,
			domainId,
			some,
		);
	}
	for (const table of tables) await run(database, `alter table reelmill.${table} enable trigger user`);
	const started = performance.now();
	await run(database, "select * from reelmill.recount()");
	console.log(`scrape: a recount of all rows: ${seconds(started)} s`);
	await run(database, "analyze");
}
const seconds = (started: number): string => ((performance.now() - started) / 1000).toFixed(1);

/** The milliseconds of a move of one job each, by eight connections at once. */
async function move(database: Database): Promise<number> {
	const jobs = await run(database, "select id from reelmill.jobs where lock is null limit $1", moves);
	const started = performance.now();
	await Promise.all(
		Array.from({ length: 8 }, async () => {
			for (let job = jobs.pop(); job !== undefined; job = jobs.pop())
				await run(database, "update reelmill.jobs set lock = id where id = $1", job.id);
		}),
	);
	const taken = (performance.now() - started) / moves;
	await run(database, "update reelmill.jobs set lock = null where lock is not null");
	return taken;
}

/**
 * Measures what a scrape asks of the database over `videos` videos, as many deliveries and a twentieth as many waiting
 * jobs, and what counting adds to a move.
 */
export async function scrape(videos = 1_000_000): Promise<void> {
	const directory = await mkdtemp(join(tmpdir(), "reelmill-bench-"));
	const server = await startTestServer();
	try {
		const { database, url, close } = await openTestDatabase({ serverUrl: server.url });
		await database.migrate(await readMigrations());
		const engine = createEngine(engineOptions(database, directory));
		const { domain } = await engine.domains.create({ slug: "scrape" });
		const started = performance.now();
		const filling = createPostgresDatabase({ url, statementTimeoutMilliseconds: 7_200_000 });
		await fill(filling, domain.id, videos);
		await filling.close();
		console.log(`scrape: ${videos} videos and deliveries made in ${seconds(started)} s`);
		const taken: number[] = [];
		for (let asked = 0; asked <= scrapes; asked++) {
			// A new engine has no cached answer.
			const { metrics } = createEngine(engineOptions(database, directory));
			const at = performance.now();
			await metrics.installation();
			if (asked > 0) taken.push(performance.now() - at);
		}
		console.log(`scrape: ${median(taken).toFixed(1)} ms, at most ${Math.max(...taken).toFixed(1)} ms, of ${scrapes}`);
		const rounds: { counted: number; not: number }[] = [];
		for (let round = 0; round < 3; round++) {
			const counted = await move(database);
			await run(database, "alter table reelmill.jobs disable trigger user");
			rounds.push({ counted, not: await move(database) });
			await run(database, "alter table reelmill.jobs enable trigger user");
			await engine.sweep();
		}
		const of = (name: "counted" | "not") => median(rounds.map((round) => round[name]) as number[]).toFixed(3);
		console.log(`scrape: a move takes ${of("counted")} ms counted, ${of("not")} ms not, over 8 connections`);
		await close();
	} finally {
		await server.close();
		await rm(directory, { recursive: true, force: true });
	}
}

if (import.meta.main) await scrape();

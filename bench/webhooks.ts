import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEngine, type Engine, readMigrations } from "@reelmill/engine";
import { createPostgresDatabase, type PostgresDatabase } from "@reelmill/postgres";
import { startEmbeddedPostgres } from "@reelmill/postgres/embedded";
import { engineOptions } from "./engine-options.ts";
import { median } from "./median.ts";
import { cpuSecondsOf, startServer } from "./server-process.ts";

const domains = 20;
const deliveries = 20_000;
const events = 300;
const betweenEvents = 30;
const deadOnes = 10_000;

type Bench = {
	readonly database: PostgresDatabase;
	readonly databaseUrl: string;
	readonly databasePid: number;
	readonly engine: Engine;
	/** The receiver's address. */
	readonly url: string;
	receiverCpuSeconds(): number;
};

/**
 * Opens a durable database, as an installation has it, with an engine that never starts: it only makes what is
 * measured.
 */
async function withBench(run: (bench: Bench) => Promise<void>): Promise<void> {
	const directory = await mkdtemp(join(tmpdir(), "reelmill-bench-"));
	const postgres = await startEmbeddedPostgres({ directory: join(directory, "postgres") });
	const database = createPostgresDatabase({ url: postgres.url, statementTimeoutMilliseconds: 300_000 });
	const receiver = await startServer<{ url: string }>("webhook-receiver");
	const engine = createEngine(engineOptions(database, directory));
	try {
		await database.migrate(await readMigrations());
		const { url } = receiver.ready;
		await run({
			database,
			databaseUrl: postgres.url,
			databasePid: postgres.pid,
			engine,
			url,
			receiverCpuSeconds: receiver.cpuSeconds,
		});
	} finally {
		await receiver.stop();
		await database.close();
		await postgres.stop();
		await rm(directory, { recursive: true, force: true });
	}
}

async function listening({ engine }: Bench, slug: string, url: string) {
	const { domain, api_key } = await engine.domains.create({ slug });
	await engine.domains.updateConfig(domain.id, { webhook_url: url, webhook_secret: "whsec_of_the_benchmark" });
	return { id: domain.id, key: api_key, principal: await engine.keys.authenticate(`Bearer ${api_key}`) };
}

/** Makes copies of a real delivery for these domains in turn, due at `dueAt`. */
async function pile(
	{ database, engine }: Bench,
	of: Awaited<ReturnType<typeof listening>>,
	ids: readonly string[],
	count: number,
	dueAt: Date,
): Promise<void> {
	const { video } = await engine.videos.create(of.principal, { content_type: "video/mp4", file_size: 1 });
	await engine.videos.cancel(of.principal, video.id);
	await database.query({
		text: `with template as (delete from reelmill.webhook_deliveries where video_id = $1 returning *)
			insert into reelmill.webhook_deliveries (id, domain_id, video_id, type, body, url, status, attempts_left,
				next_attempt_at, created_at)
			select gen_random_uuid(), ($2::uuid[])[1 + i % array_length($2::uuid[], 1)], t.video_id, t.type, t.body, t.url,
				'pending', 6, $4::timestamptz, now()
			from template t, generate_series(1, $3::integer) i`,
		values: [video.id, ids, count, dueAt],
	});
	await database.query({ text: "vacuum analyze reelmill.webhook_deliveries", values: [] });
}

async function until(condition: () => Promise<boolean>): Promise<void> {
	while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20));
}

const inAnHour = () => new Date(Date.now() + 3_600_000);

/** Measures deliveries per second, and per second of the dispatching process's CPU. Each attempt is recorded. */
async function throughput(bench: Bench, rounds: number): Promise<void> {
	const { database } = bench;
	const all: Awaited<ReturnType<typeof listening>>[] = [];
	for (let index = 0; index < domains; index++)
		all.push(await listening(bench, `tenant-${index}`, `${bench.url}/hook`));
	const ids = all.map(({ id }) => id);
	const perCore: number[] = [];
	for (let round = 0; round <= rounds; round++) {
		await pile(bench, all[0] as (typeof all)[0], ids, deliveries, inAnHour());
		const dispatcher = await startServer("webhook-dispatcher", bench.databaseUrl, all[0]?.key ?? "");
		const used = () => ({
			ours: dispatcher.cpuSeconds(),
			postgres: cpuSecondsOf(bench.databasePid),
			receiver: bench.receiverCpuSeconds(),
		});
		// Code is compiled and connections are open before the measurement.
		await database.query({
			text: `update reelmill.webhook_deliveries set next_attempt_at = now()
				where id in (select id from reelmill.webhook_deliveries limit 2000)`,
			values: [],
		});
		const left = async (): Promise<number> => {
			const [row] = await database.query<{ count: number }>({
				text: "select count(*)::integer as count from reelmill.webhook_deliveries where status = 'pending'",
				values: [],
			});
			return row?.count ?? 0;
		};
		await until(async () => (await left()) === deliveries - 2000);
		await database.query({
			text: "update reelmill.webhook_deliveries set next_attempt_at = now() where status = 'pending'",
			values: [],
		});
		const [before, startedAt] = [used(), performance.now()];
		await until(async () => (await left()) === 0);
		const [after, seconds] = [used(), (performance.now() - startedAt) / 1000];
		await dispatcher.stop();
		const [row] = await database.query<{ count: number }>({
			text: `select count(*)::integer as count from reelmill.webhook_deliveries
				where status = 'delivered' and attempt_count = 1 and jsonb_array_length(attempts) = 1`,
			values: [],
		});
		if (row?.count !== deliveries)
			throw new Error(`${row?.count} of ${deliveries} deliveries have one attempt in the log`);
		await database.query({ text: "truncate reelmill.webhook_deliveries", values: [] });
		if (round === 0) continue;
		const sent = deliveries - 2000;
		perCore.push(sent / (after.ours - before.ours));
		const microseconds = (name: keyof typeof after) => ((after[name] - before[name]) / sent) * 1e6;
		console.log(
			`webhooks: ${(sent / seconds).toFixed(0)} /s, ${perCore.at(-1)?.toFixed(0)} /s and core of the dispatcher;`,
			`CPU a delivery: dispatcher ${microseconds("ours").toFixed(0)} µs,`,
			`PostgreSQL ${microseconds("postgres").toFixed(0)} µs, receiver ${microseconds("receiver").toFixed(0)} µs`,
		);
	}
	console.log(`webhooks: median ${median(perCore).toFixed(0)} /s and core of ${rounds} rounds (wanted: at least 3000)`);
}

/**
 * Measures the time from a change of state to the arrival of its first attempt: alone, and beside an endpoint that
 * never answers with 10,000 deliveries waiting.
 */
async function latency(bench: Bench, rounds: number): Promise<void> {
	const { database } = bench;
	const alive = await listening(bench, "alive", `${bench.url}/hook`);
	const dead = await listening(bench, "dead", `${bench.url}/dead`);
	await database.query({
		text: "update reelmill.domains set reserved_bytes = 1000000000 where id = $1",
		values: [alive.id],
	});
	await database.query({
		text: `insert into reelmill.videos (id, domain_id, state, visibility, content_type, file_size, plan,
				max_duration_seconds, transcript_status, created_at, updated_at, expires_at)
			select gen_random_uuid(), $1::uuid, 'pending_upload', 'private', 'video/mp4', 1,
				'{"renditions": [], "outputs": {}}', 180, 'disabled', now(), now(), now() + interval '1 day'
			from generate_series(1, $2::integer)`,
		values: [alive.id, 2 * (rounds + 1) * events],
	});
	const measure = async (signal: () => void): Promise<readonly number[]> => {
		await fetch(bench.url);
		signal();
		const came: Record<string, number> = {};
		await until(async () => Object.keys(Object.assign(came, await (await fetch(bench.url)).json())).length >= events);
		const rows = await database.query<{ id: string; created_at: Date }>({
			text: "select id, created_at from reelmill.webhook_deliveries where id = any($1::uuid[])",
			values: [Object.keys(came)],
		});
		return rows
			.map(({ id, created_at }) => (came[id] ?? Number.NaN) - created_at.getTime())
			.toSorted((one, other) => one - other);
	};
	const p = (sorted: readonly number[], share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
	const [alone, ratios]: [number[], number[]] = [[], []];
	for (let round = 0; round <= rounds; round++) {
		const p99s: number[] = [];
		for (const beside of [false, true]) {
			await database.query({ text: "truncate reelmill.webhook_deliveries", values: [] });
			if (beside) await pile(bench, dead, [dead.id], deadOnes, new Date(Date.now() - 3_600_000));
			const dispatcher = await startServer(
				"webhook-dispatcher",
				bench.databaseUrl,
				alive.key,
				String(events),
				String(betweenEvents),
			);
			await new Promise((resolve) => setTimeout(resolve, 1500));
			const sorted = await measure(() => dispatcher.signal("SIGUSR2"));
			await dispatcher.stop();
			p99s.push(p(sorted, 0.99));
			if (round > 0)
				console.log(
					`webhooks: first attempt after p50 ${p(sorted, 0.5)} ms, p99 ${p(sorted, 0.99)} ms${beside ? `, beside a dead endpoint with ${deadOnes} waiting` : ""}`,
				);
		}
		if (round === 0) continue;
		alone.push(p99s[0] ?? Number.NaN);
		ratios.push((p99s[1] ?? Number.NaN) / (p99s[0] ?? Number.NaN));
	}
	console.log(
		`webhooks: state change to first attempt, p99: median ${median(alone)} ms of ${rounds} rounds (wanted: at most 250)`,
	);
	console.log(
		`webhooks: p99 beside a dead endpoint against alone: median ratio ${median(ratios).toFixed(2)} (wanted: at most 2)`,
	);
}

export const webhooks = (rounds = 7): Promise<void> => withBench((bench) => throughput(bench, rounds));
export const webhookLatency = (rounds = 7): Promise<void> => withBench((bench) => latency(bench, rounds));

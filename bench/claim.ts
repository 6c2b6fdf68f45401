import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createEngine, type Database, type Engine, readMigrations, type Statement } from "@reelmill/engine";
import { createPostgresDatabase, type PostgresDatabase } from "@reelmill/postgres";
import { startEmbeddedPostgres } from "@reelmill/postgres/embedded";
import { engineOptions } from "./engine-options.ts";
import { median } from "./median.ts";

const jobs = 3000;
const claims = 1600;
const clients = 8;
const worker = { accountId: "00000000-0000-4000-8000-000000000000", name: "bench" };

/**
 * Measures the engine's claims per second against pgbench (Debian's postgresql-contrib or postgresql-15) with the same
 * statement. Both use one durable database, in turn.
 */
export async function claim(rounds = 7): Promise<void> {
	const directory = await mkdtemp(join(tmpdir(), "reelmill-bench-"));
	const postgres = await startEmbeddedPostgres({ directory: join(directory, "postgres") });
	const database = createPostgresDatabase({
		url: postgres.url,
		maxConnections: clients,
		statementTimeoutMilliseconds: 300_000,
	});
	try {
		const sent: Statement[] = [];
		const engine = openEngine(directory, database, sent);
		await database.migrate(await readMigrations());
		await fillQueue(engine, database);
		const statement = await claimStatement(engine, sent);
		const script = join(directory, "claim.sql");
		await writeFile(script, `${statement.text.replaceAll(/\$(\d+)/g, ":p$1")};\n`);
		const ratios: number[] = [];
		for (let round = 0; round <= rounds; round++) {
			await restoreQueue(database);
			const ours = await claimByEngine(engine);
			await restoreQueue(database);
			const theirs = await claimByPgbench(postgres.url, script, statement.values);
			if (round === 0) continue;
			ratios.push(ours / theirs);
			console.log(
				`claim: engine ${ours.toFixed(0)} /s  pgbench ${theirs.toFixed(0)} /s  ratio ${(ours / theirs).toFixed(2)}`,
			);
		}
		console.log(
			`claim: median ratio ${median(ratios).toFixed(2)} of ${rounds} rounds, ${clients} clients (wanted: at least 0.7)`,
		);
	} finally {
		await database.close();
		await postgres.stop();
		await rm(directory, { recursive: true, force: true });
	}
}

function openEngine(directory: string, database: PostgresDatabase, sent: Statement[]): Engine {
	const watched: Database = {
		migrate: database.migrate,
		query(statement) {
			if (sent.length < 10_000) sent.push(statement);
			return database.query(statement);
		},
	};
	return createEngine(engineOptions(watched, directory));
}

/** Makes uploaded videos of ten domains, which the engine itself admits, and a copy of the resulting rows. */
async function fillQueue(engine: Engine, database: PostgresDatabase): Promise<void> {
	const run = (text: string, ...values: unknown[]) => database.query({ text, values });
	for (let index = 0; index < 10; index++) {
		const { domain } = await engine.domains.create({
			slug: `domain-${index}`,
			limits: { max_concurrent_processing: jobs },
		});
		await run(
			`insert into reelmill.videos (id, domain_id, state, visibility, content_type, file_size, plan,
					max_duration_seconds, transcript_status, created_at, updated_at, uploaded_at, expires_at)
				select gen_random_uuid(), $1::uuid, 'uploaded', 'private', 'video/mp4', 10,
					'{"renditions": ["h264_720"], "outputs": {"hls": true}}', 180, 'disabled', now(), now(), now(), now()
				from generate_series(1, $2::integer)`,
			domain.id,
			jobs / 10,
		);
	}
	await engine.sweep();
	await run("create table saved_videos as table reelmill.videos");
	await run("create table saved_jobs as table reelmill.jobs");
	const [row] = await database.query<{ count: number }>({
		text: "select count(*)::integer as count from saved_jobs",
		values: [],
	});
	if (row?.count !== jobs) throw new Error(`${row?.count} jobs were queued, not ${jobs}`);
}

async function restoreQueue(database: PostgresDatabase): Promise<void> {
	for (const text of [
		"truncate reelmill.jobs, reelmill.videos cascade",
		"insert into reelmill.videos select * from saved_videos",
		"insert into reelmill.jobs select * from saved_jobs",
		"vacuum analyze reelmill.videos",
		"vacuum analyze reelmill.jobs",
		"checkpoint",
	]) {
		await database.query({ text, values: [] });
	}
}

/** Returns the statement that the engine sends for one claim. */
async function claimStatement(engine: Engine, sent: Statement[]): Promise<Statement> {
	sent.length = 0;
	const job = await engine.jobs.claim(worker, { worker: "w", wait_seconds: 0 });
	const [statement, ...others] = sent;
	if (job === null || statement === undefined || others.length > 0)
		throw new Error("a claim is no longer one statement");
	return statement;
}

async function claimByEngine(engine: Engine): Promise<number> {
	const startedAt = performance.now();
	const loop = async () => {
		for (let made = 0; made < claims / clients; made++) {
			if ((await engine.jobs.claim(worker, { worker: "w", wait_seconds: 0 })) === null)
				throw new Error("no job was left");
		}
	};
	await Promise.all(Array.from({ length: clients }, loop));
	return claims / ((performance.now() - startedAt) / 1000);
}

async function claimByPgbench(url: string, script: string, values: readonly unknown[]): Promise<number> {
	const { hostname, port, username, password, pathname } = new URL(url);
	const variables = values.flatMap((value, index) => ["-D", `p${index + 1}=${textOf(value)}`]);
	const connection = ["-h", hostname, "-p", port, "-U", username, pathname.slice(1)];
	const load = [
		"-n",
		"-M",
		"prepared",
		"-c",
		String(clients),
		"-j",
		"1",
		"-t",
		String(claims / clients),
		"-f",
		script,
		...variables,
	];
	const { stdout } = await promisify(execFile)("pgbench", [...load, ...connection], {
		env: { ...process.env, PGPASSWORD: decodeURIComponent(password) },
	});
	const found = /tps = ([\d.]+) \(without initial connection time\)/.exec(stdout)?.[1];
	if (found === undefined || /number of failed transactions: [1-9]/.test(stdout))
		throw new Error(`pgbench says: ${stdout}`);
	return Number(found);
}

function textOf(value: unknown): string {
	if (value === null || value === undefined) throw new Error("pgbench has no way to give null");
	return value instanceof Date ? value.toISOString() : String(value);
}

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEngine, type Database, readMigrations } from "@reelmill/engine";
import { openTestDatabase, startTestServer } from "@reelmill/postgres/testing";
import { engineOptions } from "./engine-options.ts";
import { median } from "./median.ts";

const tenants = 20;
const rounds = 30;
const dayMilliseconds = 86_400_000;

/**
 * Measures what the webhook log's days cost: what a tenant asks of it, and what sends deliveries, over `days`
 * partitions of `rowsADay` deliveries each; and how long it takes to drop a day.
 */
export async function webhookDays(days = 400, rowsADay = 1000): Promise<void> {
	const directory = await mkdtemp(join(tmpdir(), "reelmill-bench-"));
	const server = await startTestServer();
	try {
		const { database, close } = await openTestDatabase({ serverUrl: server.url });
		const run = <Row extends Record<string, unknown>>(text: string, ...values: unknown[]) =>
			database.query<Row>({ text, values });
		await database.migrate(await readMigrations());
		const spent = new Map<string, number[]>();
		const engine = createEngine({
			...engineOptions(timed(database, spent), directory),
			windows: { webhookLog: 10 * 365 * 86_400 },
		});
		const { domain, api_key } = await engine.domains.create({ slug: "days" });
		await engine.domains.updateConfig(domain.id, {
			webhook_url: "https://tenant.example",
			webhook_secret: "whsec_bench",
		});
		const principal = await engine.keys.authenticate(`Bearer ${api_key}`);
		for (let ago = -3; ago < days; ago++)
			await run("select reelmill.make_webhook_day((now() at time zone 'UTC')::date - $1::integer)", ago);
		await run("alter table reelmill.webhook_deliveries disable trigger user");
		for (let ago = 0; ago < days; ago++)
			await run(
				`insert into reelmill.webhook_deliveries (id, domain_id, video_id, type, body, url, status, attempts, attempts_left, created_at)
				select overlay(gen_random_uuid()::text placing lpad(to_hex((now() at time zone 'UTC')::date - $2::integer - '1970-01-01'::date), 4, '0') from 10)::uuid,
					case when i % $3::integer = 0 then $1::uuid else md5((i % $3::integer)::text)::uuid end, gen_random_uuid(), 'video.ready', '{}', 'https://tenant.example', 'delivered',
					jsonb_build_array(jsonb_build_object('attempted_at', to_char((now() - $2::integer * interval '1 day') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))), 0,
					date_trunc('milliseconds', now() - $2::integer * interval '1 day') from generate_series(1, $4::integer) i`,
				domain.id,
				ago,
				tenants,
				rowsADay,
			);
		await run("alter table reelmill.webhook_deliveries enable trigger user");
		await run("select * from reelmill.recount()");
		await run("vacuum analyze");
		console.log(`webhook-days: ${days} days of ${rowsADay} deliveries`);
		const idAgo = async (ago: number) =>
			(
				await run<{ id: string }>(
					"select id from reelmill.webhook_deliveries where domain_id = $1 and created_at <= $2 order by created_at desc limit 1",
					domain.id,
					new Date(Date.now() - ago * dayMilliseconds),
				)
			)[0]?.id ?? "";
		const [young, old, unknown] = [await idAgo(0), await idAgo(days - 1), crypto.randomUUID()];
		const measure = async (title: string, work: () => Promise<unknown>): Promise<void> => {
			const taken: number[] = [];
			for (let round = 0; round < rounds; round++) {
				spent.clear();
				await work();
				const all = [...spent].filter(([text]) => text.includes("webhook_")).flatMap(([, each]) => each);
				taken.push(all.reduce((sum, each) => sum + each, 0));
			}
			console.log(`webhook-days: ${title}: ${median(taken).toFixed(1)} ms of statements`);
		};
		const { webhooks } = engine;
		await measure("the first page of a list", () => webhooks.listDeliveries(principal, { limit: 20 }));
		await measure("the first page of those that failed, of which there are none", () =>
			webhooks.listDeliveries(principal, { limit: 20, status: "failed" }),
		);
		await measure("a delivery of today", () => webhooks.getDelivery(principal, young));
		await measure("a delivery of the first day", () => webhooks.getDelivery(principal, old));
		await measure("a delivery that isn't there", () => webhooks.getDelivery(principal, unknown).catch(() => undefined));
		await measure("a replay of one of the first day", () => webhooks.replay(principal, old));
		await measure("a sweep that sends replays, and looks at all days", () => engine.sweep());
		await measure("a test event, sent", async () => {
			await webhooks.sendTest(principal);
			await engine.sweep();
		});
		const first = await run<{ name: string; day: string }>(
			`select c.relname as name, to_date(right(c.relname, 8), 'YYYYMMDD')::text as day from pg_inherits i join pg_class c on c.oid = i.inhrelid
				where i.inhparent = 'reelmill.webhook_deliveries'::regclass and c.relname ~ '[0-9]{8}$' order by 1 limit 1`,
		);
		for (const step of ["detach_webhook_day($1::date, now())", "drop_webhook_day($1::date)"]) {
			const at = performance.now();
			await run(`select reelmill.${step}`, first[0]?.day);
			console.log(`webhook-days: ${step.replace(/\(.*/, "")}: ${(performance.now() - at).toFixed(1)} ms`);
		}
		await close();
	} finally {
		await server.close();
		await rm(directory, { recursive: true, force: true });
	}
}

/** Notes how long each statement takes, by its text. */
const timed = (database: Database, spent: Map<string, number[]>): Database => ({
	...database,
	async query(statement) {
		const at = performance.now();
		const rows = await database.query(statement);
		const all = spent.get(statement.text) ?? [];
		spent.set(statement.text, [...all, performance.now() - at]);
		return rows as never;
	},
});

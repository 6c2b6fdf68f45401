import { createEngine } from "@reelmill/engine";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { holdRow } from "../support/hold-row.ts";
import { clip, type OpenedEngine, openEngine } from "../support/open-engine.ts";

const day = 86_400_000;
let opened: OpenedEngine;
let tenant: Awaited<ReturnType<OpenedEngine["tenant"]>>;
const configuration = { webhook_url: "https://tenant.example/hook", webhook_secret: "whsec_test_secret" };
beforeEach(async () => {
	opened = await openEngine({ windows: { webhookSchedule: [0, 60] } });
	opened.receiver.answer = () => ({ status: 200, error: null });
	tenant = await opened.tenant();
	await opened.engine.domains.updateConfig(tenant.domain.id, configuration);
	await opened.engine.sweep();
});
afterEach(() => opened.close());

const query = <Row extends Record<string, unknown>>(text: string, ...values: unknown[]) =>
	opened.database.query<Row>({ text, values });
const list = async () => (await opened.engine.webhooks.listDeliveries(tenant.principal, { limit: 100 })).data;
/** An event of just now; its delivery's id. */
async function happen(): Promise<string> {
	const { video } = await opened.engine.videos.create(tenant.principal, clip);
	await opened.engine.videos.cancel(tenant.principal, video.id);
	return (await list()).find(({ video_id }) => video_id === video.id)?.id ?? "";
}
const dayName = (ahead = 0) =>
	new Date(opened.clock.now() + ahead * day).toISOString().slice(0, 10).replaceAll("-", "");
const placeOf = async (id: string) =>
	(
		await query<{ at: string }>(
			"select tableoid::regclass::text as at from reelmill.webhook_deliveries where id = $1",
			id,
		)
	)[0]?.at;
const partitions = async () =>
	(
		await query<{ name: string }>(
			`select inhrelid::regclass::text as name from pg_inherits where inhparent = 'reelmill.webhook_deliveries'::regclass order by 1`,
		)
	).map(({ name }) => name);
const kept = async () => {
	const [row] = await query<{ rows: number; counts: number; exchanges: number; wrong: number }>(
		`select (select count(*)::integer from reelmill.webhook_deliveries) as rows,
			(select coalesce(sum(change), 0)::integer from reelmill.counts where subject = 'delivery') as counts,
			(select count(*)::integer from reelmill.webhook_exchanges) as exchanges,
			(select count(*)::integer from reelmill.recount()) as wrong`,
	);
	return row;
};

describe("the webhook log by days", () => {
	it("has partitions of today and of three days ahead, and a delivery lies in that of its day", async () => {
		const names = [0, 1, 2, 3].map((ahead) => `webhook_deliveries_${dayName(ahead)}`);
		expect(await partitions()).toEqual([...names, "webhook_deliveries_default"]);
		expect(await placeOf(await happen())).toBe(names[0]);
		await opened.clock.advance(2 * day);
		await Promise.all([opened.engine.sweep(), opened.engine.sweep()]);
		expect(await partitions()).toHaveLength(7);
		expect(await placeOf(await happen())).toBe(names[2]);
	});

	it("takes a delivery of a day that has no partition, sends it, and finds it", async () => {
		await opened.clock.advance(40 * day);
		const id = await happen();
		expect(await placeOf(id)).toBe("webhook_deliveries_default");
		await opened.engine.sweep();
		expect(await list()).toMatchObject([{ id, status: "delivered" }]);
		expect((await opened.engine.webhooks.getDelivery(tenant.principal, id)).exchanges).toHaveLength(1);
		expect(await partitions()).not.toContain(`webhook_deliveries_${dayName()}`);
		expect(await partitions()).toContain(`webhook_deliveries_${dayName(1)}`);
		await opened.clock.advance(31 * day);
		await opened.engine.sweep();
		expect(await kept()).toEqual({ rows: 0, counts: 0, exchanges: 0, wrong: 0 });
	});

	it("drops a day with its exchanges 30 days after it, deletes none of its rows, and keeps the counts right", async () => {
		for (let count = 0; count < 5; count++) await happen();
		const name = `webhook_deliveries_${dayName()}`;
		await opened.engine.sweep();
		expect(await kept()).toEqual({ rows: 5, counts: 5, exchanges: 5, wrong: 0 });
		const texts: string[] = [];
		const { database } = opened;
		const engine = createEngine({
			...opened.options,
			database: {
				...database,
				query: (statement) => {
					texts.push(statement.text);
					return database.query(statement);
				},
			},
		});
		await opened.clock.advance(31 * day);
		await query(
			"create function reelmill.refuse() returns trigger language plpgsql as $$ begin raise exception 'a row is deleted'; end $$",
		);
		await query(`create trigger refused before delete on ${name} for each row execute function reelmill.refuse()`);
		await engine.sweep();
		expect(await partitions()).not.toContain(name);
		expect(await kept()).toEqual({ rows: 0, counts: 0, exchanges: 0, wrong: 0 });
		expect(texts.filter((text) => text.includes("drop_webhook_day("))).toHaveLength(1);
	});

	it("keeps a pending delivery and one that was replayed of late beyond their day, with their exchanges, until their own time is over", async () => {
		const [ended, replayed, waiting] = [await happen(), await happen(), await happen()];
		const name = `webhook_deliveries_${dayName()}`;
		await opened.engine.sweep();
		await opened.clock.advance(20 * day);
		await opened.engine.webhooks.replay(tenant.principal, replayed);
		await opened.engine.sweep();
		await query(
			"update reelmill.webhook_deliveries set status = 'pending', next_attempt_at = '2100-01-01' where id = $1",
			waiting,
		);
		await opened.clock.advance(11 * day);
		await opened.engine.sweep();
		expect(await partitions()).not.toContain(name);
		expect((await list()).map(({ id }) => id).sort()).toEqual([replayed, waiting].sort());
		expect(await kept()).toEqual({ rows: 2, counts: 2, exchanges: 3, wrong: 0 });
		expect(await placeOf(replayed)).toBe("webhook_deliveries_default");
		await expect(opened.engine.webhooks.getDelivery(tenant.principal, ended)).rejects.toMatchObject({
			code: "delivery_not_found",
		});
		expect((await opened.engine.webhooks.getDelivery(tenant.principal, replayed)).exchanges).toHaveLength(2);
		await opened.engine.webhooks.replay(tenant.principal, waiting);
		await opened.engine.sweep();
		expect((await list()).find(({ id }) => id === waiting)?.status).toBe("delivered");
		await opened.clock.advance(31 * day);
		await opened.engine.sweep();
		expect(await kept()).toEqual({ rows: 0, counts: 0, exchanges: 0, wrong: 0 });
	});

	it("goes on after a server died between taking a day out and dropping it", async () => {
		await happen();
		await opened.engine.sweep();
		const [before, name] = [new Date(opened.clock.now() + day), dayName()];
		await query(
			"select reelmill.detach_webhook_day($1::date, $2)",
			new Date(opened.clock.now()).toISOString().slice(0, 10),
			before,
		);
		expect(await list()).toEqual([]);
		await opened.clock.advance(31 * day);
		await opened.engine.sweep();
		expect(
			(await query("select to_regclass($1) as there", `reelmill.webhook_deliveries_${name}`))[0]?.there,
		).toBeNull();
		expect(await kept()).toMatchObject({ rows: 0, counts: 0, wrong: 0 });
	});

	it("gives up a day for now while a statement holds it, and waits less than a second", async () => {
		await happen();
		await opened.engine.sweep();
		await opened.clock.advance(31 * day);
		const name = (await partitions())[0];
		const held = await holdRow(opened.database, `select count(*) from ${name}`);
		const [row] = await query<{ done: boolean }>(
			"select reelmill.detach_webhook_day(to_date(right($1, 8), 'YYYYMMDD'), $2) as done",
			name,
			new Date(opened.clock.now()),
		);
		expect(row?.done).toBe(false);
		await held.letGo();
		await opened.engine.sweep();
		expect(await partitions()).not.toContain(name);
	});

	it("refuses a deletion by ctid, because partitions share ctids", async () => {
		await happen();
		await expect(
			query(
				"delete from reelmill.webhook_deliveries where ctid = any(array(select ctid from reelmill.webhook_deliveries where domain_id = $1 limit 500 for update skip locked))",
				tenant.domain.id,
			),
		).rejects.toThrow("partitions share it");
		expect(await list()).toHaveLength(1);
	});

	it("reads of 60 days only that of a delivery whose id is known, and those of the last days to send what is due", async () => {
		const id = await happen();
		for (let ahead = 4; ahead < 60; ahead++)
			await query(
				"select reelmill.make_webhook_day(((to_timestamp($1::float8 / 1000) at time zone 'UTC')::date + $2::integer))",
				opened.clock.now(),
				ahead,
			);
		expect(await partitions()).toHaveLength(61);
		const [plans, texts]: [string[], string[]] = [[], []];
		const { database } = opened;
		const engine = createEngine({
			...opened.options,
			database: {
				...database,
				query: async (statement) => {
					if (/webhook_deliveries/.test(statement.text) && /^\s*(?:with|select|update)/.test(statement.text)) {
						const plan = await database.query<{ "QUERY PLAN": string }>({
							text: `explain (costs off) ${statement.text}`,
							values: [...statement.values],
						});
						texts.push(statement.text);
						plans.push(plan.map((line) => line["QUERY PLAN"]).join("\n"));
					}
					return database.query(statement);
				},
			},
		});
		const partitionsOf = (plan = "") => new Set(plan.match(/webhook_(?:deliveries|exchanges)_\d{8}\b/g) ?? []).size;
		await engine.webhooks.getDelivery(tenant.principal, id);
		// One of deliveries, and one of exchanges.
		expect(plans.splice(0).map(partitionsOf)).toEqual([2]);
		await engine.webhooks.replay(tenant.principal, id);
		expect(plans.splice(0).map(partitionsOf)).toEqual([1]);
		texts.length = 0;
		await engine.sweep();
		const [lease, outcome] = [/with recursive/, /with written/].map((text) =>
			plans.find((_, at) => text.test(texts[at] ?? "")),
		);
		// Today and tomorrow; of the two days before there are none.
		expect(partitionsOf(lease)).toBe(2);
		expect(partitionsOf(outcome)).toBe(1);
	});
});

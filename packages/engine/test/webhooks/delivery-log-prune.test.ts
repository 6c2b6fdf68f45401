import { afterEach, beforeEach, expect, it } from "vitest";
import { clip, type OpenedEngine, openEngine } from "../support/open-engine.ts";

const day = 86_400_000;
let opened: OpenedEngine;
let tenant: Awaited<ReturnType<OpenedEngine["tenant"]>>;
beforeEach(async () => {
	opened = await openEngine({ windows: { webhookSchedule: [0, 60] } });
	opened.receiver.answer = () => ({ status: 200, error: null });
	tenant = await opened.tenant();
	await opened.engine.domains.updateConfig(tenant.domain.id, {
		webhook_url: "https://tenant.example/hook",
		webhook_secret: "whsec_test_secret",
	});
});
afterEach(() => opened.close());

const list = (request = {}) => opened.engine.webhooks.listDeliveries(tenant.principal, { limit: 100, ...request });
/** An event of just now; its delivery's id. */
async function happen(): Promise<string> {
	const { video } = await opened.engine.videos.create(tenant.principal, clip);
	await opened.engine.videos.cancel(tenant.principal, video.id);
	const { data } = await list();
	return data.find(({ video_id }) => video_id === video.id)?.id ?? "";
}
const ids = async () => (await list()).data.map(({ id }) => id);
async function passDays(days: number): Promise<void> {
	await opened.engine.sweep();
	await opened.clock.advance(days * day);
	await opened.engine.sweep();
}

it("keeps what was delivered, and what failed for good, for 30 days after the last attempt; replaying it afterwards is delivery_not_found", async () => {
	const delivered = await happen();
	await opened.engine.sweep();
	opened.receiver.answer = () => ({ status: 500, error: "status_500" });
	await opened.clock.advance(1000);
	const failed = await happen();
	await opened.engine.sweep();
	await opened.clock.advance(day);
	await opened.engine.sweep();
	expect((await list()).data.map(({ status }) => status)).toEqual(["failed", "delivered"]);
	await passDays(28);
	expect(await ids()).toEqual([failed, delivered]);
	await passDays(1);
	expect(await ids()).toEqual([failed]);
	await passDays(1);
	expect(await ids()).toEqual([]);
	await expect(opened.engine.webhooks.replay(tenant.principal, delivered)).rejects.toMatchObject({
		code: "delivery_not_found",
	});
});

it("never forgets one that is pending, nor one that was replayed of late", async () => {
	const [replayed, waiting] = [await happen(), await happen()];
	await opened.engine.sweep();
	await opened.clock.advance(29 * day);
	await opened.engine.webhooks.replay(tenant.principal, replayed);
	await opened.engine.sweep();
	await opened.clock.advance(29 * day);
	await opened.database.query({
		text: "update reelmill.webhook_deliveries set status = 'pending', next_attempt_at = '2100-01-01' where id = $1",
		values: [waiting],
	});
	await opened.engine.sweep();
	expect((await ids()).sort()).toEqual([replayed, waiting].sort());
	await passDays(2);
	expect(await ids()).toEqual([waiting]);
});

it("lets a listing go on from a cursor whose place is gone, and gives every one that is left once", async () => {
	const old = await happen();
	await opened.engine.sweep();
	await opened.clock.advance(20 * day);
	const younger = [await happen(), await happen()];
	await opened.engine.sweep();
	const first = await list({ limit: 2 });
	expect(first.data.map(({ id }) => id).sort()).toEqual(younger.sort());
	await passDays(10);
	expect(await list({ limit: 2, cursor: first.next_cursor ?? "" })).toEqual({ data: [], next_cursor: null });
	const one = await list({ limit: 1 });
	await passDays(20);
	expect(await list({ limit: 1, cursor: one.next_cursor ?? "" })).toEqual({ data: [], next_cursor: null });
	expect(await ids()).not.toContain(old);
});

it("goes in batches, the oldest first, where it has no day of its own, whatever number of servers sweep at once", async () => {
	const first = await happen();
	await opened.engine.sweep();
	await opened.database.query({
		text: `insert into reelmill.webhook_deliveries select (json_populate_record(w, json_build_object('id', gen_random_uuid(), 'created_at', w.created_at - interval '20 days' + n * interval '1 ms'))).*
			from reelmill.webhook_deliveries w, generate_series(1, 2500) n where w.id = $1`,
		values: [first],
	});
	const left = async () =>
		(
			await opened.database.query<{ n: number }>({
				text: "select count(*)::integer as n from reelmill.webhook_deliveries_default",
				values: [],
			})
		)[0]?.n;
	const before = (await left()) ?? 0;
	expect(before).toBeGreaterThanOrEqual(2500);
	await opened.clock.advance(31 * day);
	await opened.engine.sweep();
	expect(await left()).toBe(before - 1000);
	await Promise.all([opened.engine.sweep(), opened.engine.sweep()]);
	await opened.engine.sweep();
	expect(await left()).toBe(0);
});

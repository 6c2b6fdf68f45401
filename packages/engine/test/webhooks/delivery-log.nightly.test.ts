import { randomUUID } from "node:crypto";
import { WebhookDelivery } from "@reelmill/contracts";
import { type Clock, createEngine, type WebhookResult } from "@reelmill/engine";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { clip, type OpenedEngine, openEngine } from "../support/open-engine.ts";

let opened: OpenedEngine;
const works: WebhookResult = { status: 200, error: null };
const fails: WebhookResult = { status: 500, error: "status_500" };
beforeEach(async () => {
	opened = await openEngine({ windows: { webhookSchedule: [0, 60, 600] } });
});
afterEach(() => opened.close());

type Tenant = Awaited<ReturnType<typeof listening>>;
async function listening() {
	const tenant = await opened.tenant();
	await opened.engine.domains.updateConfig(tenant.domain.id, {
		webhook_url: "https://tenant.example/hook",
		webhook_secret: "whsec_test_secret",
	});
	return tenant;
}
/** Makes something happen that is told, and answers the delivery's id. */
async function happen({ principal }: Tenant): Promise<string> {
	const { video } = await opened.engine.videos.create(principal, clip);
	await opened.engine.videos.cancel(principal, video.id);
	const { data } = await opened.engine.webhooks.listDeliveries(principal, { limit: 100 });
	return data.find(({ video_id }) => video_id === video.id)?.id ?? "";
}
async function read({ principal }: Tenant, id: string): Promise<WebhookDelivery | undefined> {
	return (await opened.engine.webhooks.listDeliveries(principal, { limit: 100 })).data.find(
		(delivery) => delivery.id === id,
	);
}
/** Lets all the attempts of the schedule be made, and fail. */
async function deadLetter(tenant: Tenant): Promise<string> {
	opened.receiver.answer = () => fails;
	const id = await happen(tenant);
	await makeAttempts();
	expect(await read(tenant, id)).toMatchObject({ status: "failed", attempt_count: 3 });
	opened.receiver.requests.length = 0;
	return id;
}
/** Lets each attempt of a schedule become due, and be made. */
async function makeAttempts(): Promise<void> {
	for (let attempt = 0; attempt < 3; attempt++) {
		await opened.engine.sweep();
		await opened.clock.advance(3_600_000);
	}
}
/** The receiver holds its answers back; `arrived` resolves when an attempt is under way. */
function holdAnswers(result: WebhookResult): { arrived: Promise<void>; release(): void } {
	const arrived = Promise.withResolvers<void>();
	const released = Promise.withResolvers<void>();
	const send = opened.receiver.send;
	opened.receiver.send = async (request) => {
		opened.receiver.send = send;
		opened.receiver.requests.push(request);
		arrived.resolve();
		await released.promise;
		return result;
	};
	return { arrived: arrived.promise, release: released.resolve };
}

describe("the delivery log", () => {
	it("shows a delivery as the contract says, with its attempts", async () => {
		const tenant = await listening();
		const at = new Date(opened.clock.now()).toISOString();
		opened.receiver.answer = () => fails;
		const id = await happen(tenant);
		await opened.engine.sweep();
		const first = { attempted_at: at, response_status: 500, duration_ms: 0, error: "status_500" };
		const delivery = WebhookDelivery.parse(await read(tenant, id));
		expect(await read(tenant, id)).toStrictEqual(delivery);
		expect(delivery).toMatchObject({
			type: "video.cancelled",
			status: "pending",
			url: "https://tenant.example/hook",
			attempts: [first],
			attempt_count: 1,
		});
		expect(delivery).toMatchObject({ created_at: at, delivered_at: null });
		expect(Date.parse(delivery.next_attempt_at ?? "") - Date.parse(at)).toBeCloseTo(60_000, -4.1);
		opened.receiver.answer = () => works;
		await opened.clock.advance(66_000);
		await opened.engine.sweep();
		const later = new Date(opened.clock.now()).toISOString();
		const second = { attempted_at: later, response_status: 200, duration_ms: 0, error: null };
		expect(await read(tenant, id)).toMatchObject({
			status: "delivered",
			attempts: [first, second],
			attempt_count: 2,
			next_attempt_at: null,
			delivered_at: later,
		});
	});

	it("is paged newest first and filtered by status, for its own domain alone", async () => {
		const tenant = await listening();
		const stranger = await listening();
		await happen(stranger);
		const failed = [await deadLetter(tenant), await deadLetter(tenant)];
		const delivered: string[] = [];
		opened.receiver.answer = () => works;
		for (let index = 0; index < 4; index++) delivered.push(await happen(tenant));
		await opened.engine.sweep();
		const pending = [await happen(tenant)];
		const walk = async (status?: WebhookDelivery["status"]): Promise<WebhookDelivery[]> => {
			const seen: WebhookDelivery[] = [];
			let cursor: string | undefined;
			do {
				const page = await opened.engine.webhooks.listDeliveries(tenant.principal, { status, cursor, limit: 2 });
				seen.push(...page.data);
				cursor = page.next_cursor ?? undefined;
			} while (cursor !== undefined);
			return seen;
		};
		const idsOf = (deliveries: WebhookDelivery[]): string[] => deliveries.map(({ id }) => id);
		const all = await walk();
		expect(idsOf(all).toSorted()).toEqual([...failed, ...delivered, ...pending].sort());
		expect(all.map(({ created_at }) => created_at)).toEqual(
			all
				.map(({ created_at }) => created_at)
				.toSorted()
				.reverse(),
		);
		expect(idsOf(await walk("failed"))).toEqual(failed.toReversed());
		expect(idsOf(await walk("delivered")).toSorted()).toEqual(delivered.toSorted());
		expect(idsOf(await walk("pending"))).toEqual(pending);
	});

	it("refuses a cursor that isn't its own", async () => {
		const tenant = await listening();
		const stranger = await listening();
		for (let index = 0; index < 2; index++) await happen(tenant);
		const { listDeliveries } = opened.engine.webhooks;
		const cursor = (await listDeliveries(tenant.principal, { limit: 1 })).next_cursor as string;
		const refuse = (asked: Promise<unknown>) => expect(asked).rejects.toMatchObject({ code: "invalid_cursor" });
		await refuse(listDeliveries(stranger.principal, { limit: 1, cursor }));
		await refuse(listDeliveries(tenant.principal, { limit: 1, status: "pending", cursor }));
		await refuse(opened.engine.videos.list(tenant.principal, { limit: 1, cursor }));
		for (const text of ["", "x", `${cursor}x`, "x".repeat(10_000)])
			await refuse(listDeliveries(tenant.principal, { limit: 1, cursor: text }));
		expect((await listDeliveries(tenant.principal, { limit: 1, cursor })).next_cursor).toBeNull();
	});
});

describe("a replay", () => {
	it("delivers a dead letter with the same id and bytes", async () => {
		const tenant = await listening();
		opened.receiver.answer = () => fails;
		const id = await happen(tenant);
		await makeAttempts();
		opened.receiver.answer = () => works;
		const replayed = await opened.engine.webhooks.replay(tenant.principal, id);
		expect(replayed).toMatchObject({
			id,
			status: "pending",
			attempt_count: 3,
			next_attempt_at: new Date(opened.clock.now()).toISOString(),
		});
		expect(replayed).toStrictEqual(await read(tenant, id));
		await opened.engine.sweep();
		expect(await read(tenant, id)).toMatchObject({ status: "delivered", attempt_count: 4, next_attempt_at: null });
		const { requests } = opened.receiver;
		expect(requests).toHaveLength(4);
		expect(new Set(requests.map(({ headers }) => headers["service-delivery-id"]))).toEqual(new Set([id]));
		expect(new Set(requests.map(({ body }) => Buffer.from(body).toString())).size).toBe(1);
		await makeAttempts();
		expect(requests).toHaveLength(4);
	});

	it("of a dead letter that fails again is one attempt, whatever the schedule", async () => {
		const tenant = await listening();
		const id = await deadLetter(tenant);
		await opened.engine.webhooks.replay(tenant.principal, id);
		await makeAttempts();
		expect(opened.receiver.requests).toHaveLength(1);
		expect(await read(tenant, id)).toMatchObject({ status: "failed", attempt_count: 4, next_attempt_at: null });
	});

	it("of a delivered one is one attempt more, and leaves it delivered also where it fails", async () => {
		const tenant = await listening();
		const id = await happen(tenant);
		await opened.engine.sweep();
		const before = await read(tenant, id);
		for (const result of [fails, works, fails]) {
			opened.receiver.requests.length = 0;
			opened.receiver.answer = () => result;
			expect(await opened.engine.webhooks.replay(tenant.principal, id)).toMatchObject({ status: "pending" });
			await makeAttempts();
			expect(opened.receiver.requests).toHaveLength(1);
			expect(await read(tenant, id)).toMatchObject({ status: "delivered", next_attempt_at: null });
		}
		const after = await read(tenant, id);
		expect(after?.attempts.map(({ error }) => error)).toEqual([null, fails.error, null, fails.error]);
		expect(Date.parse(after?.delivered_at ?? "")).toBeGreaterThan(Date.parse(before?.delivered_at ?? ""));
	});

	it("of a pending one comes at once, and leaves it the attempts that it had", async () => {
		const tenant = await listening();
		opened.receiver.answer = () => fails;
		const id = await happen(tenant);
		await opened.engine.sweep();
		await opened.engine.webhooks.replay(tenant.principal, id);
		await opened.engine.sweep();
		expect(await read(tenant, id)).toMatchObject({ status: "pending", attempt_count: 2 });
		await makeAttempts();
		expect(opened.receiver.requests).toHaveLength(4);
		expect(await read(tenant, id)).toMatchObject({ status: "failed", attempt_count: 4 });
	});

	it.each([
		["failed", works],
		["failed", fails],
		["delivered", works],
		["delivered", fails],
	] as const)("is counted for each of many at once on a %s one (%o)", async (status, result) => {
		const tenant = await listening();
		const id = status === "failed" ? await deadLetter(tenant) : await happen(tenant);
		await opened.engine.sweep();
		opened.receiver.requests.length = 0;
		opened.receiver.answer = () => result;
		const others = Array.from({ length: 2 }, () => createEngine(opened.options));
		await Promise.all(
			[opened.engine, ...others].flatMap((engine) => [
				...Array.from({ length: 4 }, () => engine.webhooks.replay(tenant.principal, id)),
				engine.sweep(),
			]),
		);
		await makeAttempts();
		expect(opened.receiver.requests).toHaveLength(12);
		expect(await read(tenant, id)).toMatchObject({
			status: result === works ? "delivered" : status,
			next_attempt_at: null,
		});
	});

	it.each([
		["the first attempt succeeds", works, 2],
		["the first attempt fails", fails, 4],
	])("asked for while an attempt is under way is not lost when %s", async (_, result, total) => {
		const tenant = await listening();
		const id = await happen(tenant);
		const held = holdAnswers(result);
		opened.receiver.answer = () => result;
		const sweeping = opened.engine.sweep();
		await held.arrived;
		expect(await opened.engine.webhooks.replay(tenant.principal, id)).toMatchObject({
			status: "pending",
			attempt_count: 0,
		});
		await createEngine(opened.options).sweep();
		expect(opened.receiver.requests).toHaveLength(1);
		held.release();
		await sweeping;
		expect(opened.receiver.requests).toHaveLength(2);
		await makeAttempts();
		expect(opened.receiver.requests).toHaveLength(total);
		expect(await read(tenant, id)).toMatchObject({
			status: result === works ? "delivered" : "failed",
			attempt_count: total,
		});
	});

	it("asked for while another replay is under way gets an attempt of its own", async () => {
		const tenant = await listening();
		const id = await deadLetter(tenant);
		await opened.engine.webhooks.replay(tenant.principal, id);
		const held = holdAnswers(works);
		opened.receiver.answer = () => works;
		const sweeping = opened.engine.sweep();
		await held.arrived;
		await opened.engine.webhooks.replay(tenant.principal, id);
		held.release();
		await sweeping;
		await makeAttempts();
		expect(opened.receiver.requests).toHaveLength(2);
		expect(await read(tenant, id)).toMatchObject({ status: "delivered", attempt_count: 5 });
	});

	it("is owed still when the server that sent it dies before it wrote the outcome", async () => {
		const tenant = await listening();
		const id = await deadLetter(tenant);
		await opened.engine.webhooks.replay(tenant.principal, id);
		const database = {
			...opened.database,
			query: (statement: Parameters<typeof opened.database.query>[0]) =>
				statement.text.includes("jsonb_build_array")
					? Promise.reject(new Error("this server is dead"))
					: opened.database.query(statement),
		} as typeof opened.database;
		await createEngine({ ...opened.options, database }).sweep();
		expect(await read(tenant, id)).toMatchObject({ status: "pending", attempt_count: 3 });
		opened.receiver.answer = () => works;
		await makeAttempts();
		expect(opened.receiver.requests).toHaveLength(2);
		expect(await read(tenant, id)).toMatchObject({ status: "delivered", attempt_count: 4 });
	});

	it("of an unknown delivery, another tenant's, or what is no id at all, is delivery_not_found", async () => {
		const tenant = await listening();
		const stranger = await listening();
		const id = await happen(tenant);
		for (const asked of [
			[stranger, id],
			[tenant, randomUUID()],
			[tenant, "nonsense"],
			[tenant, `${id}0`],
		] as const) {
			await expect(opened.engine.webhooks.replay(asked[0].principal, asked[1])).rejects.toMatchObject({
				code: "delivery_not_found",
			});
		}
		await makeAttempts();
		expect(opened.receiver.requests).toHaveLength(1);
	});

	it("wakes a started engine, which would look again only later", async () => {
		const tenant = await listening();
		const id = await deadLetter(tenant);
		const idle = Promise.withResolvers<void>();
		const clock: Clock = {
			now: opened.clock.now,
			elapsed: opened.clock.elapsed,
			sleep(milliseconds, signal) {
				if (milliseconds === 1000) idle.resolve();
				return opened.clock.sleep(milliseconds, signal);
			},
		};
		const engine = createEngine({ ...opened.options, clock });
		await engine.start();
		try {
			await idle.promise;
			const held = holdAnswers(works);
			await engine.webhooks.replay(tenant.principal, id);
			await held.arrived;
			held.release();
		} finally {
			await engine.stop();
		}
		expect(await read(tenant, id)).toMatchObject({ status: "delivered", attempt_count: 4 });
	});
});

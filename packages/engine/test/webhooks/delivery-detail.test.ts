import { randomUUID } from "node:crypto";
import { WebhookDeliveryDetail, WebhookEvent } from "@reelmill/contracts";
import type { WebhookAnswer, WebhookResult } from "@reelmill/engine";
import { verifySignature } from "@reelmill/webhooks";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { clip, type OpenedEngine, openEngine } from "../support/open-engine.ts";

let opened: OpenedEngine;
let answer: WebhookAnswer | null;
const secret = "whsec_test_secret";
const works: WebhookResult = { status: 200, error: null };
const fails: WebhookResult = { status: 500, error: "status_500" };
beforeAll(async () => {
	opened = await openEngine({ windows: { webhookSchedule: [0, 60] } });
});
beforeEach(async () => {
	await passDays();
	opened.receiver.requests.length = 0;
	answer = null;
	answersWith(works);
});
afterAll(() => opened.close());

function answersWith(result: WebhookResult): void {
	opened.receiver.answer = (request) => {
		if (answer !== null) request.onAnswer?.(answer);
		return result;
	};
}
async function passDays(): Promise<void> {
	for (let day = 0; day < 2; day++) {
		await opened.engine.sweep();
		await opened.clock.advance(86_400_000);
	}
}
type Tenant = Awaited<ReturnType<typeof listening>>;
async function listening() {
	const tenant = await opened.tenant();
	await opened.engine.domains.updateConfig(tenant.domain.id, {
		webhook_url: "https://tenant.example/hook",
		webhook_secret: secret,
	});
	return tenant;
}
async function happen({ principal }: Tenant): Promise<{ id: string; videoId: string }> {
	const { video } = await opened.engine.videos.create(principal, clip);
	await opened.engine.videos.cancel(principal, video.id);
	const { data } = await opened.engine.webhooks.listDeliveries(principal, { limit: 1, video_id: video.id });
	return { id: data[0]?.id ?? "", videoId: video.id };
}
const detail = ({ principal }: Tenant, id: string) => opened.engine.webhooks.getDelivery(principal, id);
const exchangesKept = () =>
	opened.database.query<{ count: number }>({
		text: "select count(*)::integer as count from reelmill.webhook_exchanges",
		values: [],
	});

describe("a delivery's page", () => {
	it("shows what each attempt sent, with its signature cut, and what came back", async () => {
		const tenant = await listening();
		const { id } = await happen(tenant);
		answer = {
			headers: [
				["content-type", "text/html"],
				["set-cookie", "a=1"],
				["set-cookie", "b=2"],
			],
			body: Buffer.from("<script>alert(1)</script> é\0"),
			isTruncated: false,
		};
		answersWith(fails);
		await opened.engine.sweep();
		const [sent] = opened.receiver.requests;
		answer = null;
		answersWith({ status: null, error: "timeout" });
		await passDays();
		const shown = await detail(tenant, id);
		expect(WebhookDeliveryDetail.parse(shown)).toStrictEqual(shown);
		expect(shown.body).toBe(Buffer.from(sent?.body ?? []).toString());
		const signature = sent?.headers["service-signature"] ?? "";
		const kept = shown.exchanges[0]?.request?.headers.find(({ name }) => name === "service-signature")?.value;
		expect(kept).toMatch(/^t=\d+,v1=[0-9a-f]{8}…$/);
		expect(signature.startsWith(kept?.slice(0, -1) ?? "none")).toBe(true);
		expect(JSON.stringify(shown)).not.toContain(signature.slice(-20));
		expect(shown.exchanges).toMatchObject([
			{
				attempt: 1,
				response_status: 500,
				error: "status_500",
				request: { url: "https://tenant.example/hook" },
				response: {
					headers: [
						{ name: "content-type", value: "text/html" },
						{ name: "set-cookie", value: "a=1" },
						{ name: "set-cookie", value: "b=2" },
					],
					body: { text: "<script>alert(1)</script> é\0", encoding: "utf-8", truncated: false },
				},
			},
			{ attempt: 2, response_status: null, error: "timeout", response: null },
		]);
		expect(shown.exchanges.map(({ request, response, attempt, ...rest }) => rest)).toEqual(shown.attempts);
	});

	it("keeps 2 kB of a body and 8 kB of headers, and shows bytes that are no text as base64", async () => {
		const tenant = await listening();
		const { id } = await happen(tenant);
		const all: [string, string][] = Array.from({ length: 9 }, (_, index) => [`h${index}`, "x\0\ud800".repeat(1000)]);
		answer = { headers: all, body: Buffer.from(`a${"é".repeat(2000)}`), isTruncated: true };
		await opened.engine.sweep();
		const [long] = (await detail(tenant, id)).exchanges;
		expect(long?.response?.body).toEqual({ text: `a${"é".repeat(1023)}`, encoding: "utf-8", truncated: true });
		expect(JSON.stringify(long?.response?.headers).length).toBeLessThan(9000);
		answer = { headers: [], body: Buffer.from([0xff, 0xfe, 0]), isTruncated: false };
		await opened.engine.webhooks.replay(tenant.principal, id);
		await opened.engine.sweep();
		expect((await detail(tenant, id)).exchanges[1]?.response).toEqual({
			headers: [],
			body: { text: Buffer.from([0xff, 0xfe, 0]).toString("base64"), encoding: "base64", truncated: false },
		});
	});

	it("keeps the last 20 attempts' exchanges, and none when the log forgets the delivery", async () => {
		const tenant = await listening();
		const { id } = await happen(tenant);
		for (let attempt = 0; attempt < 23; attempt++) {
			await opened.engine.webhooks.replay(tenant.principal, id);
			await opened.engine.sweep();
		}
		const { exchanges, attempt_count } = await detail(tenant, id);
		expect(exchanges).toHaveLength(attempt_count);
		expect(exchanges.filter(({ request }) => request !== null).map(({ attempt }) => attempt)).toEqual(
			Array.from({ length: 20 }, (_, index) => attempt_count - 19 + index),
		);
		await opened.clock.advance(31 * 86_400_000);
		await opened.engine.sweep();
		await expect(detail(tenant, id)).rejects.toMatchObject({ code: "delivery_not_found" });
		expect(await exchangesKept()).toEqual([{ count: 0 }]);
	});

	it("is nobody else's, and that of no other id", async () => {
		const tenant = await listening();
		const { id } = await happen(tenant);
		for (const [asking, asked] of [
			[await listening(), id],
			[tenant, randomUUID()],
			[tenant, "nonsense"],
		] as const)
			await expect(detail(asking, asked)).rejects.toMatchObject({ code: "delivery_not_found" });
	});
});

describe("the log's filters", () => {
	it("take a video and a type, alone and together, and bind the cursor", async () => {
		const tenant = await listening();
		const [one, other] = [await happen(tenant), await happen(tenant)];
		const test = await opened.engine.webhooks.sendTest(tenant.principal);
		const list = async (filter: object) =>
			(await opened.engine.webhooks.listDeliveries(tenant.principal, { limit: 100, ...filter })).data.map(
				({ id }) => id,
			);
		expect(await list({ video_id: one.videoId })).toEqual([one.id]);
		expect(await list({ video_id: "x".repeat(36) })).toEqual([]);
		expect(await list({ type: "webhook.test" })).toEqual([test.id]);
		expect((await list({ type: "video.cancelled" })).toSorted()).toEqual([one.id, other.id].toSorted());
		expect(await list({ type: "video.ready", video_id: one.videoId })).toEqual([]);
		const { next_cursor } = await opened.engine.webhooks.listDeliveries(tenant.principal, {
			limit: 1,
			type: "video.cancelled",
		});
		await expect(
			opened.engine.webhooks.listDeliveries(tenant.principal, { limit: 1, cursor: next_cursor ?? "" }),
		).rejects.toMatchObject({ code: "invalid_cursor" });
	});
});

describe("a replay of all that failed", () => {
	it("grants each one attempt, however often it is asked for meanwhile, and passes over others", async () => {
		const [tenant, stranger] = [await listening(), await listening()];
		answersWith(fails);
		const before = await happen(tenant);
		const foreign = await happen(stranger);
		await opened.clock.advance(60_000);
		const since = new Date(opened.clock.now()).toISOString();
		const failed = [await happen(tenant), await happen(tenant), await happen(tenant)];
		await passDays();
		answersWith(works);
		const delivered = await happen(tenant);
		await opened.engine.sweep();
		opened.receiver.requests.length = 0;
		const ask = (dry_run: boolean) =>
			opened.engine.webhooks.replayFailed(tenant.principal, { since, status: "failed", dry_run });
		expect(await ask(true)).toEqual({ replayed: 3, more: false });
		const asked = await Promise.all([ask(false), ask(false), ask(false)]);
		expect(asked.reduce((sum, { replayed }) => sum + replayed, 0)).toBe(3);
		expect(await ask(false)).toEqual({ replayed: 0, more: false });
		await opened.engine.sweep();
		const sent = opened.receiver.requests.map(({ headers }) => headers["service-delivery-id"]);
		expect(sent.toSorted()).toEqual(failed.map(({ id }) => id).toSorted());
		expect((await detail(tenant, failed[0]?.id ?? "")).status).toBe("delivered");
		expect((await detail(tenant, before.id)).status).toBe("failed");
		expect((await detail(stranger, foreign.id)).status).toBe("failed");
		expect((await detail(tenant, delivered.id)).attempt_count).toBe(1);
		const everything = { since: "0000-01-01T00:00:00.000Z", status: "failed", dry_run: true } as const;
		expect(await opened.engine.webhooks.replayFailed(tenant.principal, everything)).toEqual({
			replayed: 1,
			more: false,
		});
	});
});

describe("a test event", () => {
	it("is signed and logged as any, carries nobody's video, and is tried once", async () => {
		const tenant = await listening();
		answersWith(fails);
		const delivery = await opened.engine.webhooks.sendTest(tenant.principal);
		expect(delivery).toMatchObject({ type: "webhook.test", status: "pending", attempts: [] });
		await passDays();
		const [request, ...others] = opened.receiver.requests;
		expect(others).toEqual([]);
		await verifySignature({
			payload: request?.body ?? "",
			header: request?.headers["service-signature"] ?? "",
			secret,
			now: () => opened.clock.now() - 2 * 86_400_000,
		});
		const event = WebhookEvent.parse(JSON.parse(Buffer.from(request?.body ?? []).toString()));
		expect(event).toMatchObject({ type: "webhook.test", data: { video: { state: "pending_upload" } } });
		expect(event).toMatchObject({ id: delivery.id, domain_id: tenant.domain.id });
		await expect(opened.engine.videos.get(tenant.principal, event.data.video.id)).rejects.toMatchObject({
			code: "video_not_found",
		});
		expect((await detail(tenant, delivery.id)).status).toBe("failed");
	});

	it("is invalid_state until both URL and secret are set", async () => {
		const tenant = await opened.tenant();
		const refused = () =>
			expect(opened.engine.webhooks.sendTest(tenant.principal)).rejects.toMatchObject({ code: "invalid_state" });
		await refused();
		await opened.engine.domains.updateConfig(tenant.domain.id, { webhook_url: "https://tenant.example/hook" });
		await refused();
		await opened.engine.domains.updateConfig(tenant.domain.id, { webhook_secret: secret });
		await opened.engine.webhooks.sendTest(tenant.principal);
		await opened.engine.domains.updateConfig(tenant.domain.id, { webhook_url: null });
		await refused();
	});
});

describe("a rotation of the secret", () => {
	it("shows until when the secret before signs as well, and nothing when that is over", async () => {
		const { domain } = await listening();
		const ends = async () => (await opened.engine.domains.get(domain.id)).previous_webhook_secret_expires_at;
		expect(await ends()).toBeNull();
		const { previous_secret_expires_at } = await opened.engine.domains.rotateWebhookSecret(domain.id);
		expect(await ends()).toBe(previous_secret_expires_at);
		await opened.clock.advance(3_600_000);
		expect(await ends()).toBeNull();
	});
});

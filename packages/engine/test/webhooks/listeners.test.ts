import { randomUUID } from "node:crypto";
import { DeliveryType, HeardEvents, testVideoId, WebhookEvent } from "@reelmill/contracts";
import { verifySignature } from "@reelmill/webhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clip, type OpenedEngine, openEngine } from "../support/open-engine.ts";

let opened: OpenedEngine;
beforeAll(async () => {
	opened = await openEngine();
});
afterAll(() => opened.close());

type Tenant = Awaited<ReturnType<OpenedEngine["tenant"]>>;
const listen = async ({ principal }: Tenant, id: string, received: string[] = [], ends = false) => {
	const answer = await opened.engine.webhooks.listen(principal, id, { received, ends });
	expect(HeardEvents.parse(answer)).toStrictEqual(answer);
	return answer;
};
async function cancelled({ principal }: Tenant): Promise<string> {
	const { video } = await opened.engine.videos.create(principal, clip);
	await opened.engine.videos.cancel(principal, video.id);
	return video.id;
}
const rows = async () =>
	(
		await opened.database.query<{ listeners: number; heard: number }>({
			text: "select (select count(*) from reelmill.webhook_listeners)::integer as listeners, (select count(*) from reelmill.webhook_heard)::integer as heard",
			values: [],
		})
	)[0];
const verified = ({ headers, body }: HeardEvents["data"][number], secret: string) =>
	verifySignature({
		payload: body,
		header: headers.find(({ name }) => name === "service-signature")?.value,
		secret,
		now: () => opened.clock.now(),
	});

describe("listeners", () => {
	it("hear on a domain without a webhook, with the bytes and headers of a delivery, until they confirm", async () => {
		const tenant = await opened.tenant();
		const [one, other] = [randomUUID(), randomUUID()];
		await cancelled(tenant);
		expect(await listen(tenant, one)).toMatchObject({ is_new: true, data: [] });
		await listen(tenant, other);
		const videos = [await cancelled(tenant), await cancelled(tenant)];
		const { data, secret, is_new } = await listen(tenant, one);
		expect(is_new).toBe(false);
		expect(data.map(({ video_id }) => video_id)).toEqual(videos);
		const [first] = data as [HeardEvents["data"][number], HeardEvents["data"][number]];
		const event = WebhookEvent.parse(JSON.parse(first.body));
		expect(event).toMatchObject({ id: first.id, type: "video.cancelled", data: { video: { id: videos[0] } } });
		expect(first.body).toBe(JSON.stringify(event));
		expect(Object.fromEntries(first.headers.map(({ name, value }) => [name, value]))).toMatchObject({
			"content-type": "application/json",
			"user-agent": "Reelmill-Webhooks/1.2.3",
			"service-delivery-id": first.id,
		});
		await verified(first, secret);
		await expect(verified(first, "whsec_other")).rejects.toThrow();

		expect((await listen(tenant, one)).data.map(({ id }) => id)).toEqual(data.map(({ id }) => id));
		expect((await listen(tenant, one, [first.id])).data.map(({ video_id }) => video_id)).toEqual([videos[1]]);
		expect((await listen(tenant, other)).data).toHaveLength(2);
		expect((await opened.engine.webhooks.listDeliveries(tenant.principal, { limit: 10 })).data).toEqual([]);
	});

	it("hear what is delivered too, signed with the domain's secret as well; the listeners' stays", async () => {
		const tenant = await opened.tenant();
		const id = randomUUID();
		const { secret } = await listen(tenant, id);
		await opened.engine.domains.updateConfig(tenant.domain.id, {
			webhook_url: "https://tenant.example/hook",
			webhook_secret: "whsec_of-the-domain",
		});
		opened.receiver.requests.length = 0;
		await cancelled(tenant);
		const heard = (await listen(tenant, id)).data[0] as HeardEvents["data"][number];
		await opened.engine.sweep();
		const [sent] = opened.receiver.requests;
		expect(Buffer.from(sent?.body ?? []).toString()).toBe(heard.body);
		expect(sent?.headers["service-delivery-id"]).toBe(heard.id);
		await verified(heard, "whsec_of-the-domain");
		await verified(heard, secret);
		expect((await listen(tenant, randomUUID())).secret).toBe(secret);
		expect((await listen(await opened.tenant(), randomUUID())).secret).not.toBe(secret);
	});

	it("end two minutes after they asked last, and their rows with them", async () => {
		const tenant = await opened.tenant();
		const id = randomUUID();
		await listen(tenant, id);
		await opened.clock.advance(119_000);
		expect((await listen(tenant, id)).is_new).toBe(false);
		await cancelled(tenant);
		await opened.clock.advance(121_000);
		await cancelled(tenant);
		const { is_new, data } = await listen(tenant, id);
		expect([is_new, data.length]).toEqual([true, 1]);
		await opened.clock.advance(800_000);
		await opened.engine.sweep();
		expect(await rows()).toEqual({ listeners: 0, heard: 0 });
	});

	it("are ten at most, and each of one domain", async () => {
		const tenant = await opened.tenant();
		const ids = Array.from({ length: 10 }, () => randomUUID());
		for (const id of ids) await listen(tenant, id);
		await expect(listen(tenant, randomUUID())).rejects.toMatchObject({ code: "invalid_state" });
		expect((await listen(tenant, ids[0] ?? "")).is_new).toBe(false);
		const stranger = await opened.tenant();
		expect((await listen(stranger, ids[0] ?? "")).is_new).toBe(true);
		await cancelled(tenant);
		expect((await listen(stranger, ids[0] ?? "")).data).toEqual([]);
	});

	it("end at once when they say so, and leave their place to another", async () => {
		const tenant = await opened.tenant();
		const ids = Array.from({ length: 10 }, () => randomUUID());
		const [first = "", second = ""] = ids;
		for (const id of ids) await listen(tenant, id);
		const video = await cancelled(tenant);
		const [event] = (await listen(tenant, first)).data;
		expect((await listen(tenant, first, [event?.id ?? ""], true)).data).toEqual([]);
		await expect(listen(tenant, second, [], true)).resolves.toMatchObject({ data: [{ video_id: video }] });
		expect(await opened.engine.webhooks.trigger(tenant.principal, "video.ready")).toMatchObject({ listeners: 8 });
		expect((await listen(tenant, randomUUID())).is_new).toBe(true);
		expect((await listen(tenant, randomUUID())).is_new).toBe(true);
		await expect(listen(tenant, first)).rejects.toMatchObject({ code: "invalid_state" });
		expect((await listen(tenant, first, [], true)).data).toEqual([]);
	});

	it("are refused an id that is no random UUID", async () => {
		const tenant = await opened.tenant();
		for (const id of ["", "x", "../../etc/passwd", "00000000-0000-0000-0000-000000000000"])
			await expect(listen(tenant, id)).rejects.toMatchObject({ code: "validation_error" });
	});

	it("get made-up events of every type, and nobody else does", async () => {
		const tenant = await opened.tenant();
		await opened.engine.domains.updateConfig(tenant.domain.id, {
			webhook_url: "https://tenant.example/hook",
			webhook_secret: "whsec_of-the-domain",
		});
		const { trigger } = opened.engine.webhooks;
		await expect(trigger(tenant.principal, "video.ready")).rejects.toMatchObject({ code: "invalid_state" });
		const id = randomUUID();
		const { secret } = await listen(tenant, id);
		const types = DeliveryType.options;
		for (const type of types) expect(await trigger(tenant.principal, type)).toMatchObject({ type, listeners: 1 });
		opened.receiver.requests.length = 0;
		await opened.engine.sweep();
		expect(opened.receiver.requests).toEqual([]);
		const { data } = await listen(tenant, id);
		expect(data.map(({ type }) => type)).toEqual(types);
		for (const event of data) {
			await verified(event, secret);
			const body = JSON.parse(event.body);
			WebhookEvent.parse(body);
			expect(body).toMatchObject({ id: event.id, domain_id: tenant.domain.id, data: { video: { id: testVideoId } } });
		}
		expect(JSON.parse(data[0]?.body ?? "").data.video.outputs.mp4_url).toMatch(/^https:\/\/video\.example\/videos\//);
	});
});

import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { type Video, verifyWebhook, type WebhookDelivery } from "@reelmill/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { initiate, listen, openService, type Service } from "../../../http/test/support/open-service.ts";
import { documents, inProcess, reelmill, reelmillJson, started } from "../support/reelmill.ts";

const secret = "whsec_of-the-listener";

let service: Service;
beforeAll(async () => {
	service = await openService();
});
afterAll(() => service.close());

async function tenant(
	config: object = { webhook_url: "https://hooks.example.com/", webhook_secret: "whsec_of-the-domain" },
) {
	const { apiKey, auth, domain } = await service.tenant(config);
	const cancelledVideo = async (): Promise<string> => {
		const { id } = (await initiate(service, auth)).video;
		await service.send({ method: "POST", path: `/v1/videos/${id}/cancel`, headers: auth });
		return id;
	};
	return { auth, domain, cancelledVideo, environment: { REELMILL_URL: service.url, REELMILL_API_KEY: apiKey } };
}

/** Creates a receiver that keeps each request and gives the answers of the test. */
async function receiver(status = 204) {
	const got: { headers: Record<string, string | string[] | undefined>; body: string }[] = [];
	const server = createServer(async (request, response) => {
		got.push({ headers: request.headers, body: await text(request) });
		response.writeHead(status).end();
	});
	const url = `${await listen(server)}/hooks`;
	return {
		url,
		got,
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			server.close();
			await once(server, "close");
		},
	};
}

describe("the log", () => {
	it("is listed, and a delivery is sent once more", async () => {
		const { cancelledVideo, environment } = await tenant();
		const video = await cancelledVideo();
		await service.engine.sweep();
		const [delivery, ...more] = documents<WebhookDelivery>(
			(await reelmill(environment, "webhooks", "list", "--status", "delivered", "--json")).stdout,
		);
		expect(more).toEqual([]);
		expect(delivery).toMatchObject({ type: "video.cancelled", video_id: video, attempt_count: 1 });
		expect((await reelmill(environment, "webhooks", "list")).stdout).toMatch(
			/video\.cancelled +[0-9a-f-]{36} +delivered +1 +200/,
		);
		const id = delivery?.id ?? "";
		expect(await reelmillJson(environment, "webhooks", "replay", id)).toMatchObject({ id, status: "pending" });
		expect((await inProcess(environment, "webhooks", "replay-failed", "--since", "2h", "--dry-run")).stdout).toBe(
			"0 deliveries would be sent again.\n",
		);
		expect(await reelmillJson(environment, "webhooks", "test")).toMatchObject({ type: "webhook.test" });
		expect(await reelmill(environment, "webhooks", "replay", video)).toMatchObject({
			code: 1,
			stderr: expect.stringContaining("(delivery_not_found)"),
		});
	});

	it("signs with a new secret after rotate-secret", async () => {
		const { environment } = await tenant();
		expect(await reelmillJson(environment, "webhooks", "rotate-secret")).toMatchObject({
			webhook_secret: expect.stringMatching(/^whsec_/),
		});
	});
});

describe("listen", () => {
	it("forwards what happens from now on, each event once, as it was signed, on a domain without a webhook", async () => {
		const { auth, cancelledVideo, domain, environment } = await tenant({});
		await using local = await receiver();
		await cancelledVideo();
		const args = ["webhooks", "listen", "--forward", local.url, "--interval", "1", "--json"];
		const listening = started(environment, ...args);
		const [, shown = ""] =
			/^Forwarding events to (?:.*), signed with (whsec_[0-9a-f]{64})$/.exec(
				(await listening.notes.next()).value ?? "",
			) ?? [];

		const videos = [await cancelledVideo(), await cancelledVideo()];
		const told = [await listening.lines.next(), await listening.lines.next()].map(({ value }) =>
			JSON.parse(value ?? "null"),
		);
		const { id: last } = (await initiate(service, auth)).video;
		const cancelled = (await service.send({ method: "POST", path: `/v1/videos/${last}/cancel`, headers: auth })).json;
		told.push(JSON.parse((await listening.lines.next()).value ?? "null"));
		expect(told.slice(0, 2).map(({ video_id }) => video_id)).toEqual(videos);
		expect(told[2]).toEqual({
			delivery_id: expect.any(String),
			type: "video.cancelled",
			video_id: last,
			forwarded: true,
			status: 204,
			error: null,
		});

		expect(local.got).toHaveLength(3);
		const [{ headers, body } = { headers: {}, body: "" }] = local.got.slice(-1);
		const event = await verifyWebhook({ payload: body, headers, secret: shown, now: () => service.clock.now() });
		expect(event).toEqual({
			id: told[2].delivery_id,
			type: "video.cancelled",
			created_at: expect.any(String),
			domain_id: domain.id,
			data: { video: cancelled as Video },
		});
		expect(headers).toMatchObject({ "service-delivery-id": event.id, "content-type": "application/json" });
		expect(headers["user-agent"]).toMatch(/^Reelmill-Webhooks\//);
		expect(headers).not.toHaveProperty("service-rebuilt");

		// Under npx one Ctrl-C arrives as two signals at the same time.
		for (const signal of ["SIGSTOP", "SIGINT", "SIGTERM", "SIGCONT"] as const) listening.stop(signal);
		expect(await listening.ended).toBe(0);
		expect((await reelmill(environment, "webhooks", "list", "--json")).stdout).toBe("");
	});

	it("forwards the bytes of the delivery, of a deleted video too, signed with the secret that it is given", async () => {
		const { auth, environment } = await tenant();
		await using local = await receiver(500);
		const args = ["webhooks", "listen", "--forward", local.url, "--secret", secret, "--interval", "1"];
		const listening = started(environment, ...args);
		expect((await listening.notes.next()).value).toBe(`Forwarding events to ${local.url}, signed with ${secret}`);
		const { id } = (await initiate(service, auth)).video;
		await service.send({ method: "DELETE", path: `/v1/videos/${id}`, headers: auth });
		expect((await listening.lines.next()).value).toBe(`video.cancelled  ${id}  answered 500`);
		const [{ headers, body } = { headers: {}, body: "" }] = local.got;
		expect(await verifyWebhook({ payload: body, headers, secret })).toMatchObject({ data: { video: { id } } });
		const [delivery] = documents<WebhookDelivery>(
			(await reelmill(environment, "webhooks", "list", "--type", "video.cancelled", "--video", id, "--json")).stdout,
		);
		expect(delivery?.id).toBe(headers["service-delivery-id"]);
		const shown = await reelmillJson<{ body: string }>(environment, "webhooks", "show", delivery?.id ?? "");
		expect(shown.body).toBe(body);
		listening.stop("SIGTERM");
		expect(await listening.ended).toBe(0);
	});

	it("ends with 1 where the key is refused", async () => {
		const refused = await reelmill(
			{ REELMILL_URL: service.url, REELMILL_API_KEY: "ek_wrong" },
			"webhooks",
			"listen",
			"--forward",
			"http://127.0.0.1:1",
		);
		expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("(unauthorized)") });
	});
});

describe("trigger", () => {
	it("makes up an event of every type for who listens", async () => {
		const { environment } = await tenant({});
		await using local = await receiver();
		expect(await inProcess(environment, "webhooks", "trigger", "video.ready")).toMatchObject({
			code: 1,
			stderr: expect.stringContaining("Nobody listens"),
		});
		const listening = started(environment, "webhooks", "listen", "--forward", local.url, "--secret", secret);
		await listening.notes.next();
		const types = ["video.ready", "video.failed", "video.expired", "video.cancelled", "webhook.test"];
		for (const type of types)
			expect((await inProcess(environment, "webhooks", "trigger", type)).stdout).toMatch(/ to 1 listener\n$/);
		for (const type of types) expect((await listening.lines.next()).value).toContain(`${type.padEnd(15)}  `);
		const events = await Promise.all(
			local.got.map(({ headers, body: payload }) => verifyWebhook({ payload, headers, secret })),
		);
		expect(events.map(({ type }) => type)).toEqual(types);
		expect(events[0]).toMatchObject({
			data: { video: { outputs: { mp4_url: expect.stringContaining(service.url) } } },
		});
		listening.stop("SIGINT");
		expect(await listening.ended).toBe(0);
		// The goodbye waits 2 s for an answer at most: on a busy machine it may still be under way.
		await expect
			.poll(async () => (await inProcess(environment, "webhooks", "trigger", "video.ready")).stderr)
			.toContain("Nobody listens");
	});

	it("sends it by itself with --forward, and says whether it was accepted", async () => {
		const { environment } = await tenant({});
		await using accepts = await receiver();
		await using refuses = await receiver(400);
		const trigger = (url: string) =>
			inProcess(environment, "webhooks", "trigger", "video.failed", "--forward", url, "--secret", secret);
		expect(await trigger(accepts.url)).toMatchObject({ code: 0, stdout: expect.stringContaining("answered 204") });
		const [{ headers, body: payload } = { headers: {}, body: "" }] = accepts.got;
		expect(await verifyWebhook({ payload, headers, secret })).toMatchObject({
			data: { video: { failure_reason: "invalid_media" } },
		});
		expect(await trigger(refuses.url)).toMatchObject({ code: 1, stderr: expect.stringContaining("(not_accepted)") });
		for (let more = 0; more < 9; more++) expect((await trigger(accepts.url)).code).toBe(0);
	});
});

import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { type Video, verifyWebhook, type WebhookDelivery } from "@reelmill/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { initiate, listen, openService, type Service } from "../../../http/test/support/open-service.ts";
import { documents, reelmill, reelmillJson, started } from "../support/reelmill.ts";

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
	it("forwards what happens from now on, each event once, rebuilt, signed and marked", async () => {
		const { auth, cancelledVideo, domain, environment } = await tenant();
		await using local = await receiver();
		await cancelledVideo();
		const listening = started(
			environment,
			"webhooks",
			"listen",
			"--forward",
			local.url,
			"--secret",
			secret,
			"--interval",
			"1",
			"--json",
		);
		expect((await listening.notes.next()).value).toBe(
			`Forwarding new events to ${local.url}, rebuilt from the delivery log and signed with ${secret}`,
		);

		const videos = [await cancelledVideo(), await cancelledVideo()];
		const told = [await listening.lines.next(), await listening.lines.next()].map(({ value }) =>
			JSON.parse(value ?? "null"),
		);
		const last = await cancelledVideo();
		told.push(JSON.parse((await listening.lines.next()).value ?? "null"));
		expect(new Set(told.slice(0, 2).map(({ video_id }) => video_id))).toEqual(new Set(videos));
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
		const event = await verifyWebhook({ payload: body, headers, secret });
		const video = (await service.send({ path: `/v1/videos/${last}`, headers: auth })).json as Video;
		expect(event).toEqual({
			id: told[2].delivery_id,
			type: "video.cancelled",
			created_at: expect.any(String),
			domain_id: domain.id,
			data: { video },
		});
		expect(headers).toMatchObject({
			"service-rebuilt": "true",
			"service-delivery-id": event.id,
			"content-type": "application/json",
		});

		// Under npx one Ctrl-C arrives as two signals at the same time.
		for (const signal of ["SIGSTOP", "SIGINT", "SIGTERM", "SIGCONT"] as const) listening.stop(signal);
		expect(await listening.ended).toBe(0);
	});

	it("makes a secret and shows it, and tells what could not be forwarded", async () => {
		const { auth, cancelledVideo, environment } = await tenant();
		await using local = await receiver(500);
		const listening = started(environment, "webhooks", "listen", "--forward", local.url, "--interval", "1");
		const shown = /signed with (whsec_[0-9a-f]{48})$/.exec((await listening.notes.next()).value ?? "")?.[1] ?? "";
		const video = await cancelledVideo();
		expect((await listening.lines.next()).value).toBe(`video.cancelled  ${video}  answered 500`);
		const [{ headers, body } = { headers: {}, body: "" }] = local.got;
		const event = await verifyWebhook({ payload: body, headers, secret: shown });
		expect(event).toMatchObject({ data: { video: { id: video } } });

		const { id } = (await initiate(service, auth)).video;
		await service.send({ method: "DELETE", path: `/v1/videos/${id}`, headers: auth });
		expect((await listening.lines.next()).value).toBe(`video.cancelled  ${id}  not sent: its video was deleted`);
		listening.stop("SIGTERM");
		expect(await listening.ended).toBe(0);
	});

	it("says that nothing enters the log of a domain without a webhook", async () => {
		const { environment } = await tenant({});
		const listening = started(environment, "webhooks", "listen", "--forward", "http://127.0.0.1:1");
		expect((await listening.notes.next()).value).toContain("no webhook_url or no webhook_secret");
		await listening.notes.next();
		listening.stop("SIGINT");
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

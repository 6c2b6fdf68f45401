import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { signWebhook } from "@reelmill/webhooks";
import express from "express";
import fastify from "fastify";
import { Hono } from "hono";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ReceivedEvent, VideoReadyEvent, VideoUpdatedEvent } from "../../src/index.ts";
import { webhookHandler as expressHandler } from "../../src/webhooks/express.ts";
import { webhookPlugin } from "../../src/webhooks/fastify.ts";
import { webhookHandler as honoHandler } from "../../src/webhooks/hono.ts";
import { webhookHandler as nextHandler } from "../../src/webhooks/next.ts";
import type { WebhookHandlerOptions } from "../../src/webhooks/receive.ts";
import { readyVideo } from "../support/video.ts";

const secret = "whsec_of-the-tests";
const event: VideoReadyEvent = {
	id: "7b0e1c1e-6f0a-4c55-9d8e-2f8f3f1f6a10",
	type: "video.ready",
	created_at: "2026-11-01T00:00:00.000Z",
	domain_id: "9b0e1c1e-6f0a-4c55-9d8e-2f8f3f1f6a10",
	data: { video: readyVideo({ external_ref: "Grüße 🎬" }) },
};
// JSON.stringify writes it differently: only the raw bytes can be verified.
const payload = `${JSON.stringify(event, null, 1)}\n`;

type Served = { url: string; close(): Promise<unknown> };
const local = (port: number) => `http://127.0.0.1:${port}/hooks`;

const servers: Record<string, (options: WebhookHandlerOptions) => Promise<Served>> = {
	async hono(options) {
		const app = new Hono()
			.post("/hooks", honoHandler(options))
			.onError((error, context) => context.text(error.message, 500));
		const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" });
		await once(server, "listening");
		return {
			url: local((server.address() as AddressInfo).port),
			close: () => new Promise((resolve) => server.close(resolve)),
		};
	},
	async express(options) {
		const app = express();
		app.post("/hooks", expressHandler(options));
		app.use(express.json());
		return expressServed(app);
	},
	async "express after express.raw()"(options) {
		const app = express();
		app.use(express.raw({ type: "application/json", limit: "2mb" }));
		app.post("/hooks", expressHandler(options));
		return expressServed(app);
	},
	async fastify(options) {
		const app = fastify({ forceCloseConnections: true });
		app.register(webhookPlugin, { path: "/hooks", ...options });
		app.post("/other", async (request) => request.body);
		await app.listen({ port: 0, host: "127.0.0.1" });
		const other = await app.inject({ method: "POST", url: "/other", payload: { parsed: true } });
		expect(other.json()).toEqual({ parsed: true });
		return { url: local((app.server.address() as AddressInfo).port), close: () => app.close() };
	},
	async next(options) {
		const handler = nextHandler(options);
		const server = serve({
			fetch: (request) => handler(request).catch((error: Error) => new Response(error.message, { status: 500 })),
			port: 0,
			hostname: "127.0.0.1",
		});
		await once(server, "listening");
		return {
			url: local((server.address() as AddressInfo).port),
			close: () => new Promise((resolve) => server.close(resolve)),
		};
	},
};

async function expressServed(app: express.Express): Promise<Served> {
	app.use(
		(error: Error, _request: express.Request, response: express.Response, _next: express.NextFunction) =>
			void response.status(500).send(error.message),
	);
	const server = createServer(app).listen(0, "127.0.0.1");
	await once(server, "listening");
	return {
		url: local((server.address() as AddressInfo).port),
		close: () => new Promise((resolve) => server.close(resolve)),
	};
}

const post = async (url: string, body: string, headers: Record<string, string> = {}) => {
	const response = await fetch(url, {
		method: "POST",
		body,
		headers: { "content-type": "application/json", connection: "close", ...headers },
	});
	return { status: response.status, text: await response.text(), asks: response.headers.get("service-events") };
};
const signed = async (body = payload) => ({
	"service-signature": await signWebhook({
		payload: body,
		secrets: [secret],
		timestamp: Math.floor(Date.now() / 1000),
	}),
});

describe.each(Object.entries(servers))("the webhook handler on %s", (_name, open) => {
	const seen: ReceivedEvent[] = [];
	const refused: string[] = [];
	let failing = false;
	let served: Served;
	beforeEach(async () => {
		seen.length = refused.length = 0;
		failing = false;
		served = await open({
			secret: async () => secret,
			onEvent: async (told) => {
				if (failing) throw new Error("the database is away");
				seen.push(told);
			},
			onRefused: ({ reason }) => refused.push(reason),
		});
	});
	afterEach(() => served.close());

	it("gives the event of the raw body and answers 204", async () => {
		expect(await post(served.url, payload, await signed())).toEqual({ status: 204, text: "", asks: null });
		expect(seen).toEqual([event]);
	});

	it("asks for updates if something is done with them, and gives them to that alone", async () => {
		const update = JSON.stringify({ ...event, type: "video.updated", data: { ...event.data, changed: ["poster"] } });
		expect((await post(served.url, update, await signed(update))).asks).toBe(null);
		expect(seen.map(({ type }) => type)).toEqual(["video.updated"]);
		await served.close();
		const updates: VideoUpdatedEvent[] = [];
		const onVideoUpdated = (told: VideoUpdatedEvent) => updates.push(told);
		served = await open({ secret, onEvent: (told) => seen.push(told), onVideoUpdated });
		expect(await post(served.url, payload, await signed())).toEqual({ status: 204, text: "", asks: "video.updated" });
		expect((await post(served.url, update, await signed(update))).asks).toBe("video.updated");
		expect((await post(served.url, update)).asks).toBe(null);
		expect(seen.map(({ type }) => type)).toEqual(["video.updated", "video.ready"]);
		expect(updates.map(({ data }) => data.changed)).toEqual([["poster"]]);
	});

	it("refuses what is not signed with a 400, and tells why to its owner", async () => {
		expect((await post(served.url, payload)).status).toBe(400);
		expect((await post(served.url, `${payload} `, await signed())).status).toBe(400);
		expect(refused).toEqual(["missing_header", "signature_mismatch"]);
		expect(seen).toEqual([]);
	});

	it("leaves it to the framework when the event can't be taken, so that it comes again", async () => {
		failing = true;
		const answer = await post(served.url, payload, await signed());
		expect(answer).toMatchObject({ status: 500, text: expect.stringContaining("the database is away") });
	});

	it("refuses a body over 1 MiB before it looks at the signature", async () => {
		const large = " ".repeat(1024 * 1024 + 1);
		// The server may close the connection before the whole body is sent.
		const answer = await post(served.url, large, await signed(large)).catch(() => ({ status: 413 }));
		expect(answer.status).toBe(413);
		expect(seen).toEqual([]);
	});
});

it("says on Express that a JSON parser came first, rather than to blame the signature", async () => {
	const app = express();
	app.use(express.json());
	app.post("/hooks", expressHandler({ secret, onEvent: () => {} }));
	const served = await expressServed(app);
	const answer = await post(served.url, payload, await signed());
	await served.close();
	expect(answer).toMatchObject({ status: 500, text: expect.stringContaining("express.raw") });
});

import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { http } from "@google-cloud/functions-framework";
import { getTestServer } from "@google-cloud/functions-framework/testing";
import { Module } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { signWebhook } from "@reelmill/node";
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { handler } from "../src/lambda.ts";
import { ReelmillController } from "../src/nest.ts";
import { takeWebhook } from "../src/take-webhook.ts";

const secret = "whsec_of-the-tests";
// JSON.stringify writes it differently: only the raw bytes can be verified.
const body = '{ "type": "video.ready", "data": { "video": { "id": "video-1", "title": "Grüße" } } }\n';
const signed = async () => ({
	"content-type": "application/json",
	"service-signature": await signWebhook({
		payload: body,
		secrets: [secret],
		timestamp: Math.floor(Date.now() / 1000),
	}),
});
const said: unknown[] = [];
beforeEach(() => {
	said.length = 0;
	vi.stubEnv("REELMILL_WEBHOOK_SECRET", secret);
	for (const name of ["log", "error"] as const)
		vi.spyOn(console, name).mockImplementation((text) => said.push(`${text}`));
});
afterEach(() => {
	vi.unstubAllEnvs();
	vi.restoreAllMocks();
});

/** Posts a signed body, one that nobody signed, and a signed one to a receiver without its secret. */
async function post(url: string) {
	const send = async (headers: Record<string, string>) => {
		const answer = await fetch(url, { method: "POST", headers: { connection: "close", ...headers }, body });
		return { status: answer.status, text: await answer.text() };
	};
	const answers = [await send(await signed()), await send({ "content-type": "application/json" })];
	expect(answers).toEqual([
		{ status: 204, text: "" },
		{ status: 400, text: expect.stringContaining("service-signature") },
	]);
	expect(said).toEqual(["Video video-1 is ready."]);
}

it("verifies the event of Lambda, as text and as base64, and says what is missing", async () => {
	const event = async (): Promise<APIGatewayProxyEventV2> => ({
		version: "2.0",
		routeKey: "$default",
		rawPath: "/hooks/reelmill",
		rawQueryString: "",
		headers: await signed(),
		requestContext: {} as APIGatewayProxyEventV2["requestContext"],
		body,
		isBase64Encoded: false,
	});
	expect(await handler(await event())).toEqual({ statusCode: 204 });
	const encoded = { ...(await event()), body: Buffer.from(body).toString("base64") };
	expect(await handler({ ...encoded, isBase64Encoded: true })).toEqual({ statusCode: 204 });
	expect(said).toEqual(["Video video-1 is ready.", "Video video-1 is ready."]);
	expect(await handler(encoded)).toEqual({ statusCode: 400, body: expect.stringContaining("looks like base64") });
	vi.stubEnv("REELMILL_WEBHOOK_SECRET", undefined);
	expect(await handler(await event())).toEqual({
		statusCode: 400,
		body: expect.stringContaining("REELMILL_WEBHOOK_SECRET"),
	});
});

it.each([true, false])(
	"verifies the rawBody of a Nest that keeps it (%s), and says how to keep it",
	async (rawBody) => {
		class AppModule {}
		Module({ controllers: [ReelmillController] })(AppModule);
		const app = await NestFactory.create(AppModule, { rawBody, logger: false });
		try {
			await app.listen(0, "127.0.0.1");
			const url = `${await app.getUrl()}/hooks/reelmill`;
			if (rawBody) return await post(url);
			const answer = await fetch(url, { method: "POST", headers: await signed(), body });
			expect(await answer.text()).toContain("rawBody: true");
		} finally {
			await app.close();
		}
	},
);

it("verifies the rawBody of a function of Google Cloud, which is what Firebase's are", async () => {
	http("reelmill", takeWebhook);
	const server = getTestServer("reelmill").listen(0, "127.0.0.1");
	try {
		await once(server, "listening");
		const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
		await post(url);
		vi.stubEnv("REELMILL_WEBHOOK_SECRET", undefined);
		const answer = await fetch(url, { method: "POST", headers: await signed(), body });
		expect([answer.status, await answer.text()]).toEqual([500, "Internal Server Error"]);
		expect(said.at(-1)).toContain("REELMILL_WEBHOOK_SECRET");
	} finally {
		server.close();
	}
});

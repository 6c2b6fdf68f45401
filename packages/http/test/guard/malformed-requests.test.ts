import { createServer, type Server } from "node:http";
import { guardServer } from "@reelmill/http";
import express from "express";
import Fastify from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { initiate, listen, openService, type Service } from "../support/open-service.ts";
import { exchangeRaw, openRaw, type RawAnswer } from "../support/raw.ts";

let service: Service;
const servers: { close(): unknown }[] = [];
const urls: Record<string, string> = {};
beforeAll(async () => {
	service = await openService();
	const { listener, logger } = service;
	const app = express().use(listener);
	const fastify = Fastify({ clientErrorHandler: () => undefined });
	guardServer(fastify.server, { logger });
	fastify.register(async (scope) => {
		scope.removeAllContentTypeParsers();
		scope.addContentTypeParser("*", (_request, _payload, done) => done(null));
		scope.all("/*", (request, reply) => {
			reply.hijack();
			listener(request.raw, reply.raw);
		});
	});
	const plain: Server[] = [guardServer(createServer(listener), { logger }), guardServer(createServer(app), { logger })];
	servers.push(...plain, fastify);
	Object.assign(urls, {
		"http.createServer": await listen(plain[0] as Server),
		Express: await listen(plain[1] as Server),
		Fastify: await fastify.listen({ port: 0, host: "127.0.0.1" }),
	});
});
afterAll(async () => {
	for (const server of servers) await server.close();
	await service.close();
});

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const host = "Host: a\r\n";

/** Fails unless the answer is the contract's, of this status, and ends the connection. */
function expectRefusal({ status, headers, body }: RawAnswer, expected: number): void {
	expect({ status, body: body === "" ? "" : JSON.parse(body) }).toEqual({
		status: expected,
		body: { error: "bad_request", message: expect.any(String) },
	});
	expect(headers).toMatchObject({
		"content-type": "application/json; charset=utf-8",
		"content-length": String(Buffer.byteLength(body)),
		"cache-control": "no-store",
		"x-content-type-options": "nosniff",
		"x-request-id": expect.stringMatching(uuid),
		connection: "close",
		date: expect.any(String),
	});
}

const malformed: readonly (readonly [what: string, status: number, text: string])[] = [
	["no HTTP at all", 400, "hello, is anyone there?\r\n\r\n"],
	["TLS", 400, "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n"],
	["an unknown method", 400, `BREW / HTTP/1.1\r\n${host}\r\n`],
	["a version that isn't there", 400, `GET / HTTP/9.9\r\n${host}\r\n`],
	["a header without a name", 400, `GET / HTTP/1.1\r\n${host}: x\r\n\r\n`],
	["a header with a NUL", 400, `GET / HTTP/1.1\r\n${host}a: \0\r\n\r\n`],
	["a space in the target", 400, `GET /a b HTTP/1.1\r\n${host}\r\n`],
	["two lengths", 400, `POST /v1/videos HTTP/1.1\r\n${host}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`],
	[
		"a length beside chunks",
		400,
		`POST /v1/videos HTTP/1.1\r\n${host}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`,
	],
	["a head of 20,000 bytes", 431, `GET / HTTP/1.1\r\n${host}a: ${"x".repeat(20_000)}\r\n\r\n`],
	["a head of a megabyte", 431, `GET / HTTP/1.1\r\n${host}${`a: ${"x".repeat(1000)}\r\n`.repeat(1000)}\r\n`],
	["a target of 20,000 bytes", 431, `GET /${"x".repeat(20_000)} HTTP/1.1\r\n${host}\r\n`],
	["a tunnel", 400, `CONNECT a:443 HTTP/1.1\r\n${host}\r\n`],
];

describe.each(["http.createServer", "Express", "Fastify"])("a request that can't be parsed, inside %s,", (name) => {
	it.each(malformed)("is refused as the contract says: %s", async (_, status, text) => {
		const answer = await exchangeRaw(urls[name] as string, text);
		expectRefusal(answer, status);
		expect(answer.headers).toMatchObject({
			"access-control-allow-origin": "*",
			"access-control-expose-headers": expect.stringContaining("X-Request-Id"),
		});
	});

	it.each([
		["a target without a path", 400, "?", ""],
		["a head of 20,000 bytes", 431, "/", `a: ${"x".repeat(20_000)}\r\n`],
	])("is answered without a body where it is HEAD: %s", async (_, status, target, lines) => {
		const answer = await exchangeRaw(urls[name] as string, `HEAD ${target} HTTP/1.1\r\n${host}${lines}\r\n`);
		expect(answer).toMatchObject({
			status,
			body: "",
			headers: { "x-request-id": expect.stringMatching(uuid), connection: "close" },
		});
	});

	it("is refused where its target holds a name and a password", async () => {
		for (const method of ["GET", "HEAD"]) {
			const answer = await exchangeRaw(
				urls[name] as string,
				`${method} http://user:secret@a/v1/domain HTTP/1.1\r\n${host}Connection: close\r\n\r\n`,
			);
			expect([answer.status, answer.body.includes("bad_request")]).toEqual([400, method === "GET"]);
		}
	});

	it("keeps its id, without the blanks around it", async () => {
		const answer = await exchangeRaw(
			urls[name] as string,
			`GET /v1/health HTTP/1.1\r\n${host}X-Request-Id:  mine \t\r\nConnection: close\r\n\r\n`,
		);
		expect(answer.headers["x-request-id"]).toBe("mine");
	});

	it.each([
		["/v1/health", undefined],
		["/uploads/x", "*"],
		["/videos/00000000-0000-4000-8000-000000000000/web.mp4", "*"],
		["/internal/v1/jobs/x/source", undefined],
	])("is refused on %s where it expects what nobody gives, or names no host", async (path, origin) => {
		for (const [status, lines] of [
			[417, `${host}Expect: the-unexpected\r\n`],
			[400, ""],
		] as const) {
			const answer = await exchangeRaw(
				urls[name] as string,
				`GET ${path} HTTP/1.1\r\n${lines}Connection: close\r\n\r\n`,
			);
			expectRefusal(answer, status);
			expect(answer.headers["access-control-allow-origin"]).toBe(origin);
		}
	});

	it("doesn't keep others from being served, by HTTP/1.0 and with 100-continue too", async () => {
		const old = await exchangeRaw(urls[name] as string, "GET /v1/health HTTP/1.0\r\n\r\n");
		expect(old).toMatchObject({ status: 200 });
		const patient = await openRaw(urls[name] as string);
		patient.write(
			`POST /internal/v1/token HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: 2\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n`,
		);
		patient.write("{}");
		expect(await patient.answer()).toMatchObject({ status: 100, body: expect.stringContaining("HTTP/1.1 400") });
	});
});

describe("a body that can't be parsed", () => {
	it("is refused by the request's id, and with the headers of its plane", async () => {
		const url = urls["http.createServer"] as string;
		const { video, upload } = await initiate(service, (await service.tenant()).auth);
		const line = (name: string, value: string) => `${name}: ${value}\r\n`;
		const common = `${host}X-Request-Id: mine\r\nTransfer-Encoding: chunked\r\n`;
		const tus = line("Authorization", `Bearer ${upload.token}`) + line("Tus-Resumable", "1.0.0");
		const json = await exchangeRaw(
			url,
			`POST /internal/v1/token HTTP/1.1\r\n${common}Content-Type: application/json\r\n\r\n5\r\n{"nam\r\nzz\r\n`,
		);
		expect(json).toMatchObject({ status: 400, headers: { "x-request-id": "mine" } });
		expect(json.headers).not.toHaveProperty("access-control-allow-origin");
		const creation =
			line("Upload-Length", "10") + line("Upload-Metadata", `video_id ${Buffer.from(video.id).toString("base64")}`);
		const bytes = await exchangeRaw(
			url,
			`POST /uploads HTTP/1.1\r\n${common}${tus}${creation}Content-Type: application/offset+octet-stream\r\n\r\n5\r\n01234\r\nzz\r\n`,
		);
		expect(bytes).toMatchObject({
			status: 400,
			headers: { "x-request-id": "mine", "access-control-allow-origin": "*" },
		});
		expect(JSON.parse(bytes.body)).toMatchObject({ error: "bad_request" });
	});

	it("doesn't spoil an answer that is on its way", async () => {
		const pipelined = await exchangeRaw(
			urls["http.createServer"] as string,
			`GET /v1/health HTTP/1.1\r\n${host}\r\nnonsense\r\n\r\n`,
		);
		expect([200, 400]).toContain(pipelined.status);
		expect(pipelined.body.split("HTTP/1.1").length).toBeLessThanOrEqual(2);
	});
});

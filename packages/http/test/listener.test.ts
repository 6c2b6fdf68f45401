import { execFile } from "node:child_process";
import { createServer, type Server } from "node:http";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { createHonoApp, guardServer } from "@reelmill/http";
import express from "express";
import Fastify, { type FastifyInstance } from "fastify";
import { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { adminKey, initiate, listen, openService, type Service } from "./support/open-service.ts";
import { bearer, send } from "./support/send.ts";
import { offsetType, tusFor } from "./support/tus.ts";

const run = promisify(execFile);
const headers = bearer(adminKey);
let service: Service;
beforeAll(async () => {
	service = await openService();
});
afterAll(() => service.close());

/** Health, an upload in two pieces, a JSON body and an unknown route, all through a stranger's server. */
async function proves(url: string) {
	expect((await send(url, { path: "/v1/health" })).json).toEqual({ status: "ok", version: "1.2.3" });
	const { auth } = await service.tenant();
	const tus = tusFor(url, await initiate({ ...service, send: (request) => send(url, request) }, auth));
	expect((await tus.create({ headers: offsetType, body: "0123" })).headers).toMatchObject({
		location: `${service.url}/uploads/${tus.id}`,
		"upload-offset": "4",
	});
	expect(await tus.head()).toMatchObject({ status: 200, headers: { "upload-offset": "4" } });
	expect(await tus.patch(4, "456789")).toMatchObject({ status: 204, headers: { "upload-offset": "10" } });
	expect((await send(url, { path: `/v1/videos/${tus.id}`, headers: auth })).json).toMatchObject({ state: "queued" });
	expect(
		await send(url, { method: "OPTIONS", path: "/uploads", headers: { origin: "https://a.example" } }),
	).toMatchObject({ status: 204 });
	expect(await send(url, { path: `/videos/${tus.id}/web.mp4` })).toMatchObject({
		status: 401,
		json: { error: "playback_key_required" },
	});
	expect(await send(url, { path: "/unknown" })).toMatchObject({ status: 404, json: { error: "not_found" } });
	expect(await send(url, { path: "/hello" })).toMatchObject({ status: 200, text: "the stranger's own" });
}

describe("the listener works inside", () => {
	it("a stranger's http.createServer", async () => {
		const server = createServer((request, response) => {
			if (request.url === "/hello") response.end("the stranger's own");
			else service.listener(request, response);
		});
		await proves(await listen(guardServer(server, { logger: service.logger })));
		server.close();
	});

	it("Express", async () => {
		const app = express();
		app.get("/hello", (_request, response) => void response.send("the stranger's own"));
		app.use(service.listener);
		app.use(express.json());
		const server: Server = guardServer(createServer(app), { logger: service.logger });
		await proves(await listen(server));
		server.close();
	});

	it("Fastify", async () => {
		const app = Fastify({ clientErrorHandler: () => undefined });
		guardServer(app.server, { logger: service.logger });
		app.get("/hello", async () => "the stranger's own");
		app.register(async (scope: FastifyInstance) => {
			scope.removeAllContentTypeParsers();
			scope.addContentTypeParser("*", (_request, _payload, done) => done(null));
			scope.all("/*", (request, reply) => {
				reply.hijack();
				service.listener(request.raw, reply.raw);
			});
		});
		await proves(await app.listen({ port: 0, host: "127.0.0.1" }));
		await app.close();
	});

	it("a Hono application, below a path and behind middleware", async () => {
		const seen: string[] = [];
		const complaint = vi.spyOn(console, "error");
		const media = createHonoApp(service.engine, service.options);
		const app = new Hono<{ Bindings: HttpBindings }>()
			.use(async (context, next) => {
				if (context.req.header("x-refused")) return context.text("not today", 403);
				context.header("x-own", "yes");
				await next();
				seen.push(`${context.req.method} ${context.req.path} ${context.res.status}`);
			})
			.get("/media/hello", (context) => context.text("the stranger's own"))
			.route("/media", media);
		const server = guardServer(createServer(getRequestListener(app.fetch)), { logger: service.logger });
		const url = await listen(server);
		await proves(`${url}/media`);
		expect(seen).toContain("GET /media/v1/health 200");
		expect(seen).toContain("GET /media/unknown 404");
		expect((await send(url, { path: "/media/v1/health" })).headers["x-own"]).toBe("yes");
		expect(await send(url, { path: "/media/v1/health", headers: { "x-refused": "1" } })).toMatchObject({ status: 403 });
		expect((await send(url, { path: "/elsewhere" })).status).toBe(404);
		expect((await send(url, { path: "/media/admin/v1/stats", headers })).status).toBe(200);
		const hidden = ["/%6dedia/admin/v1/stats", "/x/../media/admin/v1/stats", "/./admin/v1/../../media/v1/health"];
		for (const path of [...hidden, "/media/%61dmin/v1/stats", "/media/x/../admin/v1/stats", "/media//admin/v1/stats"])
			expect([path, (await send(url, { path, headers })).status]).toEqual([path, 404]);
		expect(complaint).not.toHaveBeenCalled();
		complaint.mockRestore();
		server.close();
		await media.settled();
	});

	it("any of them without changing the global Request and Response", async () => {
		const script = fileURLToPath(new URL("./support/global-request.ts", import.meta.url));
		const { stdout } = await run(process.execPath, [script]);
		expect(stdout).toBe("Request\n");
	});
});

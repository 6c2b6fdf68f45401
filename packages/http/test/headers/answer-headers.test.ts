import { createServer } from "node:http";
import { ReelmillError } from "@reelmill/contracts";
import { createNodeListener } from "@reelmill/http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { playbackAuth } from "../support/credentials.ts";
import { finished } from "../support/finished.ts";
import { adminKey, listen, openService, type Service } from "../support/open-service.ts";
import { bearer, type Sent, send } from "../support/send.ts";

let service: Service;
let auth: Record<string, string>;
beforeAll(async () => {
	service = await openService();
	await service.engine.start();
	await service.engine.stop();
	({ auth } = await service.tenant());
});
afterAll(() => service.close());

/** The status and those headers of the answer that are given; undefined for one that it doesn't have. */
async function headersOf(request: Sent, ...names: string[]) {
	const { status, headers } = await service.send(request);
	return [status, ...names.map((name) => headers[name])];
}
const kept = ["cache-control", "x-content-type-options"];
const post = (path: string, json: unknown, headers: Record<string, string> = {}): Sent => ({
	method: "POST",
	path,
	headers,
	json,
});

describe("JSON with a secret or a tenant's data", () => {
	it("is neither cached nor sniffed, on every plane, with a credential or without", async () => {
		const { secret } = await service.engine.accounts.ensure({ name: "headers" });
		const requests: Sent[] = [
			{ path: "/v1/domain", headers: auth },
			{ path: "/v1/videos", headers: auth },
			post("/v1/domain/rotate-webhook-secret", undefined, auth),
			post("/v1/playback-keys", { viewer_ref: "v" }, auth),
			post("/v1/sandbox/session", undefined),
			post("/internal/v1/token", { name: "headers", secret }),
			{ path: "/admin/v1/domains", headers: bearer(adminKey) },
			post("/admin/v1/service-accounts", { name: "another" }, bearer(adminKey)),
		];
		for (const request of requests) {
			const [status, ...found] = await headersOf(request, ...kept);
			expect({ request, status: Number(status) < 300, found }).toEqual({
				request,
				status: true,
				found: ["no-store", "nosniff"],
			});
		}
	});

	it("may be kept where it is everybody's", async () => {
		expect(await headersOf({ path: "/v1/health" }, "cache-control")).toEqual([200, undefined]);
	});
});

describe("a refusal for want of a credential", () => {
	it.each([
		"/v1/domain",
		"/uploads/x",
		"/videos/00000000-0000-4000-8000-000000000000/web.mp4",
		"/internal/v1/jobs/x/source",
		"/admin/v1/stats",
	])("says at %s which kind is wanted", async (path) => {
		expect(await headersOf({ path }, "www-authenticate", ...kept)).toEqual([401, "Bearer", "no-store", "nosniff"]);
		expect(await headersOf({ path, headers: bearer("garbage") }, "www-authenticate")).toEqual([401, "Bearer"]);
		expect(await headersOf({ path, method: "HEAD" }, "www-authenticate")).toEqual([401, "Bearer"]);
	});

	it("lets scripts of other origins read it where they may read the rest", async () => {
		for (const path of ["/uploads/x", "/videos/00000000-0000-4000-8000-000000000000/web.mp4"]) {
			const [, exposed] = await headersOf(
				{ path, headers: { origin: "https://a.example" } },
				"access-control-expose-headers",
			);
			expect(exposed).toContain("WWW-Authenticate");
		}
	});
});

describe("the delivery plane", () => {
	it("lets no answer of its run or load anything as a page", async () => {
		const id = await finished(service, auth);
		const key = await playbackAuth(service, auth);
		const file = `/videos/${id}/web.mp4`;
		const { headers: whole } = await service.send({ path: file, headers: key });
		const requests: [number, Sent][] = [
			[200, { path: file, headers: key }],
			[200, { path: `/videos/${id}/transcript.vtt`, headers: key }],
			[200, { path: file, method: "HEAD", headers: key }],
			[206, { path: file, headers: { ...key, range: "bytes=0-1" } }],
			[304, { path: file, headers: { ...key, "if-none-match": String(whole.etag) } }],
			[204, { path: file, method: "OPTIONS" }],
			[400, { path: "/videos/x/web.mp4" }],
			[401, { path: file }],
			[404, { path: `/videos/${id}/none.mp4`, headers: key }],
			[404, { path: file, method: "POST" }],
			[416, { path: file, headers: { ...key, range: "bytes=99-" } }],
		];
		for (const [status, request] of requests) {
			const found = await headersOf(request, "content-security-policy", "x-content-type-options");
			expect({ request, found }).toEqual({ request, found: [status, "default-src 'none'; sandbox", "nosniff"] });
		}
	});

	it.each([
		["fails", 500, new Error("no")],
		["has no storage to read from", 503, new ReelmillError("storage_unavailable")],
		["is one too many", 429, new ReelmillError("rate_limited", { extras: { retryAfter: "2026-01-31T12:00:00.000Z" } })],
	])("nor one that %s", async (_, status, error) => {
		const open = () => Promise.reject(error);
		const server = createServer(
			createNodeListener({ ...service.engine, serving: { ...service.engine.serving, openNow: open } }, service.options),
		);
		const answer = await send(await listen(server), { path: "/videos/00000000-0000-4000-8000-000000000000/web.mp4" });
		expect(answer).toMatchObject({
			status,
			headers: { "content-security-policy": "default-src 'none'; sandbox", "x-content-type-options": "nosniff" },
		});
		server.close();
	});
});

describe("the date of an answer", () => {
	it("is the engine's time where the machine's clock shows another, on every plane", async () => {
		for (const path of [
			"/v1/health",
			"/v1/domain",
			"/uploads",
			"/videos/x/web.mp4",
			"/internal/v1/jobs/claim",
			"/nowhere",
		]) {
			expect(await headersOf({ path }, "date")).toEqual([
				expect.any(Number),
				new Date(service.clock.now()).toUTCString(),
			]);
		}
	});
});

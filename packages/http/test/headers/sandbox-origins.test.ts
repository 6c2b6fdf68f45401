import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openService, type Service } from "../support/open-service.ts";
import { bearer, type Sent } from "../support/send.ts";

let service: Service;
let key: Record<string, string>;
const origin = { origin: "https://docs.example" };
const unknown = "00000000-0000-4000-8000-000000000000";

beforeAll(async () => {
	service = await openService();
	await service.engine.start();
	const session = await service.send({ method: "POST", path: "/v1/sandbox/session", headers: origin });
	expect(session.headers["access-control-allow-origin"]).toBe("*");
	key = bearer((session.json as { api_key: string }).api_key);
});
afterAll(() => service.close());

/** The status, and the origin whose pages may read the answer. */
async function readers(sent: Sent): Promise<readonly unknown[]> {
	const { status, headers } = await service.send({ ...sent, headers: { ...origin, ...sent.headers } });
	return [status, headers["access-control-allow-origin"]];
}
const preflight = (path: string, method: string): Sent => ({
	method: "OPTIONS",
	path,
	headers: { ...origin, "access-control-request-method": method, "access-control-request-headers": "authorization" },
});

describe("a page of another origin", () => {
	it("reads what a sandbox session is answered, errors included", async () => {
		const headers = key;
		const json = { content_type: "video/mp4", file_size: 1000 };
		expect(await readers({ method: "POST", path: "/v1/videos", headers, json })).toEqual([201, "*"]);
		expect(await readers({ path: "/v1/videos", headers })).toEqual([200, "*"]);
		expect(await readers({ path: `/v1/videos/${unknown}`, headers })).toEqual([404, "*"]);
		expect(await readers({ method: "POST", path: "/v1/videos", headers, json: {} })).toEqual([400, "*"]);
		expect(await readers({ path: "/v1/domain", headers })).toEqual([403, "*"]);
	});

	it("reads that a key is wrong, and what needs no key", async () => {
		expect(await readers({ path: "/v1/videos" })).toEqual([401, "*"]);
		expect(await readers({ path: "/v1/videos", headers: bearer("ek_wrong") })).toEqual([401, "*"]);
		expect(await readers({ path: "/v1/health" })).toEqual([200, "*"]);
	});

	it("reads nothing that a domain's key is answered, and nothing of another plane", async () => {
		const { auth: headers } = await service.tenant();
		expect(await readers({ path: "/v1/domain", headers })).toEqual([200, undefined]);
		expect(await readers({ path: `/v1/videos/${unknown}`, headers })).toEqual([404, undefined]);
		expect(await readers({ path: "/admin/v1/domains", headers: key })).toEqual([404, undefined]);
		expect(await readers({ path: "/admin/v1/domains" })).toEqual([401, undefined]);
	});

	it("may send a key and JSON under /v1, but neither cookies nor a session's headers, and nothing elsewhere", async () => {
		const { status, headers } = await service.send(preflight("/v1/videos", "POST"));
		expect([status, headers["access-control-allow-origin"]]).toEqual([204, "*"]);
		expect(headers["access-control-allow-headers"]).toContain("Authorization");
		expect(headers["access-control-allow-headers"]).not.toMatch(/x-service|\*/i);
		expect(headers["access-control-allow-credentials"]).toBeUndefined();
		expect(await readers(preflight("/admin/v1/domains", "GET"))).toEqual([404, undefined]);
	});

	it("learns as little as ever where the sandbox is off", async () => {
		const closed = await openService({}, () => ({ sandbox: false }));
		const open = service;
		service = closed;
		try {
			expect(await readers(preflight("/v1/videos", "GET"))).toEqual([404, undefined]);
			expect(await readers({ path: "/v1/videos" })).toEqual([401, undefined]);
			expect(await readers({ path: "/v1/health" })).toEqual([200, undefined]);
		} finally {
			service = open;
			await closed.close();
		}
	});
});

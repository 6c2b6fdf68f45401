import { ReelmillError } from "@reelmill/contracts";
import { createHandler } from "@reelmill/http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { initiate, openService, type Service } from "./support/open-service.ts";
import { bearer, type Sent } from "./support/send.ts";

let service: Service;
let auth: Record<string, string>;
beforeAll(async () => {
	service = await openService();
	({ auth } = await service.tenant());
});
afterAll(() => service.close());

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const unknown = "00000000-0000-4000-8000-000000000000";
async function refused(request: Sent, status: number, error: string, message?: RegExp) {
	const answer = await service.send(request);
	expect({ status: answer.status, json: answer.json }).toEqual({
		status,
		json: { error, message: message ? expect.stringMatching(message) : expect.any(String) },
	});
	expect(answer.headers).toMatchObject({
		"content-type": expect.stringContaining("application/json"),
		"x-request-id": expect.any(String),
	});
	return answer;
}

describe("the tenant plane", () => {
	it("serves health, the OpenAPI document and its reference to anyone", async () => {
		expect((await service.send({ path: "/v1/health" })).json).toEqual({ status: "ok", version: "1.2.3" });
		const document = (await service.send({ path: "/v1/openapi.json" })).json as { openapi: string; servers: unknown };
		expect(document).toMatchObject({ openapi: expect.stringMatching(/^3\.1/), servers: [{ url: service.url }] });
		const page = await service.send({ path: "/docs" });
		expect(page).toMatchObject({
			status: 200,
			headers: {
				"content-type": expect.stringContaining("text/html"),
				"content-security-policy": expect.stringContaining("default-src 'none'"),
			},
		});
	});

	it("answers HEAD as GET without the body", async () => {
		expect(await service.send({ method: "HEAD", path: "/v1/health" })).toMatchObject({ status: 200, text: "" });
		expect(await service.send({ method: "HEAD", path: "/v1/domain" })).toMatchObject({ status: 401, text: "" });
	});

	it("runs a video through its calls", async () => {
		const { video, upload } = await initiate(service, auth, { external_ref: "e" });
		expect(upload).toMatchObject({ endpoint: `${service.url}/uploads`, metadata: { video_id: video.id } });
		const path = `/v1/videos/${video.id}`;
		expect((await service.send({ path, headers: auth })).json).toEqual(video);
		expect(
			(
				await service.send({
					method: "PATCH",
					path: `${path}/visibility`,
					headers: auth,
					json: { visibility: "public" },
				})
			).json,
		).toMatchObject({
			visibility: "public",
		});
		expect((await service.send({ method: "POST", path: `${path}/cancel`, headers: auth })).json).toMatchObject({
			state: "cancelled",
		});
		await refused({ method: "POST", path: `${path}/cancel`, headers: auth }, 409, "invalid_state");
		await refused({ method: "DELETE", path, headers: auth }, 422, "video_not_deletable");
		const other = await initiate(service, auth);
		expect(await service.send({ method: "DELETE", path: `/v1/videos/${other.video.id}`, headers: auth })).toMatchObject(
			{ status: 204, text: "" },
		);
		await refused({ path: `/v1/videos/${other.video.id}`, headers: auth }, 404, "video_not_found");
	});

	it("reads and changes the domain, and mints playback keys with their defaults", async () => {
		const tenant = await service.tenant();
		expect((await service.send({ path: "/v1/domain", headers: tenant.auth })).json).toEqual(tenant.domain);
		const changed = await service.send({
			method: "PATCH",
			path: "/v1/domain/config",
			headers: tenant.auth,
			json: { outputs: { dash: true } },
		});
		expect(changed).toMatchObject({ status: 200, json: { config: { outputs: { hls: true, dash: true } } } });
		const minted = await service.send({
			method: "POST",
			path: "/v1/playback-keys",
			headers: tenant.auth,
			json: { viewer_ref: "v" },
		});
		expect(minted).toMatchObject({
			status: 201,
			json: {
				token_type: "Bearer",
				video_ids: null,
				expires_at: new Date(service.clock.now() + 3_600_000).toISOString(),
			},
		});
	});

	it("looks at the credential before anything else", async () => {
		for (const headers of [
			{},
			bearer("nonsense"),
			{ authorization: "Basic abc" },
			bearer(`ek_${"0".repeat(43)}`),
		] as Record<string, string>[]) {
			await refused({ path: "/v1/videos/not-a-uuid?x=1", headers }, 401, "unauthorized");
			await refused({ method: "POST", path: "/v1/videos", headers, body: "{" }, 401, "unauthorized");
			await refused(
				{ method: "PATCH", path: "/v1/domain/config", headers, body: "x".repeat(70_000) },
				401,
				"unauthorized",
			);
		}
	});

	it("refuses ids that are no UUIDv4, then unknown ones and those of another tenant alike", async () => {
		for (const id of ["x", "2b6f0c7e-1111-1222-8333-444455556666", unknown.toUpperCase().replace("8000", "7000")]) {
			await refused({ path: `/v1/videos/${id}?x=1`, headers: auth }, 400, "invalid_video_id");
		}
		const { video } = await initiate(service, (await service.tenant()).auth);
		await refused({ path: `/v1/videos/${video.id}`, headers: auth }, 404, "video_not_found");
		await refused({ path: `/v1/videos/${unknown}`, headers: auth }, 404, "video_not_found");
	});

	it("names the field that doesn't match the contract, unknown keys of body and query included", async () => {
		const post = (json: unknown) => ({ method: "POST", path: "/v1/videos", headers: auth, json });
		const good = { content_type: "video/mp4", file_size: 10 };
		await refused(post({ ...good, file_size: "10" }), 400, "validation_error", /file_size/);
		await refused(post({ ...good, file_size: 209_715_201 }), 400, "validation_error", /file_size/);
		await refused(post({ ...good, nope: 1 }), 400, "validation_error", /nope: unknown key/);
		await refused(post([good]), 400, "validation_error");
		await refused(
			{
				method: "POST",
				path: "/v1/videos",
				headers: { ...auth, "content-type": "application/json" },
				body: '{"content_type":"video/mp4","file_size":10,"__proto__":{}}',
			},
			400,
			"validation_error",
			/__proto__/,
		);
		await refused(
			{ method: "PATCH", path: "/v1/domain/config", headers: auth, json: { outputs: { hls: true, smooth: true } } },
			400,
			"validation_error",
			/outputs\.smooth/,
		);
		await refused(
			{ method: "PATCH", path: "/v1/domain/config", headers: auth, json: {} },
			400,
			"validation_error",
			/at least one/,
		);
		await refused({ path: "/v1/domain?verbose=1", headers: auth }, 400, "validation_error", /verbose/);
		await refused({ path: `/v1/videos/${unknown}?a=1&a=2`, headers: auth }, 400, "validation_error", /a: given twice/);
	});

	it("refuses bodies that aren't JSON of at most 64 KiB", async () => {
		const post = (body: string | Uint8Array, type = "application/json") => ({
			method: "POST",
			path: "/v1/videos",
			headers: { ...auth, "content-type": type },
			body,
		});
		await refused(post("{"), 400, "bad_request");
		await refused(post(""), 400, "bad_request");
		await refused(post(Buffer.from([0x22, 0xff, 0x22])), 400, "bad_request");
		await refused(post("[".repeat(60_000)), 400, "bad_request");
		await refused(post("{}", "text/plain"), 400, "bad_request");
		await refused(post(JSON.stringify({ external_ref: "x".repeat(65_536) })), 413, "bad_request");
		const unread = await refused(
			{
				...post("x".repeat(3_000_000)),
				headers: { ...auth, "content-type": "application/json", connection: "keep-alive" },
			},
			413,
			"bad_request",
		);
		expect(unread.headers.connection).toBe("close");
		await refused(
			{
				...post("x".repeat(300_000)),
				headers: { ...auth, "content-type": "application/json", "transfer-encoding": "chunked" },
			},
			413,
			"bad_request",
		);
		expect(
			(
				await service.send({
					...post(JSON.stringify({ content_type: "video/mp4", file_size: 10 }), "Application/JSON; charset=utf-8"),
				})
			).status,
		).toBe(201);
	});

	it("answers 404 for what isn't there: paths, methods, and operations that have no handler yet", async () => {
		for (const [method, path] of [
			["GET", "/"],
			["GET", "/v1"],
			["GET", "/v1/health/"],
			["PUT", "/v1/domain"],
			["OPTIONS", "/v1/videos"],
			["PUT", "/v1/outros"],
			["POST", "/v1/health"],
			["GET", "/metrics"],
		] as const) {
			await refused({ method, path, headers: auth }, 404, "not_found");
		}
	});

	it("takes a key behind a thousand spaces for what it is, known or not", async () => {
		const { apiKey } = await service.tenant();
		const status = async (key: string) =>
			(await service.send({ path: "/v1/domain", headers: { authorization: `Bearer${" ".repeat(1000)}${key}` } }))
				.status;
		expect([
			await status(apiKey),
			await status(apiKey),
			await status(`ek_${"x".repeat(43)}`),
			await status("x"),
		]).toEqual([200, 200, 401, 401]);
	});

	it("carries the caller's request id if it is well formed, else one of its own", async () => {
		const id = async (path: string, sent: string) =>
			(await service.send({ path, headers: { "x-request-id": sent } })).headers["x-request-id"];
		for (const path of ["/v1/health", "/v1/domain", "/videos/x/y", "/uploads/x", "/nowhere"]) {
			expect(await id(path, "Trace.1_a-b")).toBe("Trace.1_a-b");
			expect(await id(path, "not ok")).toMatch(uuid);
			expect(await id(path, "x".repeat(129))).toMatch(uuid);
		}
	});

	it("makes ids that have nothing in common, so that nobody can tell servers apart or count requests", async () => {
		const ids = await Promise.all(
			Array.from(
				{ length: 20 },
				async () => (await service.send({ path: "/v1/health" })).headers["x-request-id"] as string,
			),
		);
		for (const id of ids) expect(id).toMatch(uuid);
		expect(new Set(ids.flatMap((id) => [id.slice(0, 8), id.slice(-12)])).size).toBe(40);
	});

	it("turns a failure into a 500 that tells nothing but is logged with the request's id", async () => {
		const broken = {
			...service.engine,
			videos: { ...service.engine.videos, get: () => Promise.reject(new Error("the secret cause")) },
		};
		const { engine, options, logger } = service;
		const path = `${service.url}/v1/videos/${unknown}`;
		const answer = await createHandler(
			broken,
			options,
		)(new Request(path, { headers: { ...auth, "x-request-id": "r-1" } }));
		expect([answer.status, await answer.json()]).toEqual([
			500,
			{ error: "internal_error", message: "Something went wrong in the service." },
		]);
		expect(logger.entries.at(-1)).toMatchObject({
			level: "error",
			fields: { request_id: "r-1", error: { message: "the secret cause" } },
		});

		const unlisted = {
			...engine,
			videos: { ...engine.videos, get: () => Promise.reject(new ReelmillError("slug_already_exists")) },
		};
		expect((await createHandler(unlisted, options)(new Request(path, { headers: auth }))).status).toBe(500);
		const leaking = {
			...engine,
			domains: {
				...engine.domains,
				get: async (id: string) => ({ ...(await engine.domains.get(id)), webhook_secret: "whsec_x" }),
			},
		};
		expect(
			await (await createHandler(leaking, options)(new Request(`${service.url}/v1/domain`, { headers: auth }))).text(),
		).not.toContain("whsec_x");
	});

	it("puts retryAfter into the Retry-After header too", async () => {
		const { engine, options, clock } = service;
		const retryAfter = new Date(clock.now() + 1500).toISOString();
		const limited = {
			...engine,
			videos: {
				...engine.videos,
				get: () => Promise.reject(new ReelmillError("rate_limited", { extras: { retryAfter } })),
			},
		};
		const answer = await createHandler(
			limited,
			options,
		)(new Request(`${service.url}/v1/videos/${unknown}`, { headers: auth }));
		expect([answer.status, answer.headers.get("retry-after"), await answer.json()]).toEqual([
			429,
			"2",
			{ error: "rate_limited", message: expect.any(String), retryAfter },
		]);
	});
});

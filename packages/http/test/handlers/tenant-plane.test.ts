import type { KeyRotation } from "@reelmill/contracts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openService, type Service } from "../support/open-service.ts";
import { bearer } from "../support/send.ts";

let service: Service;
let auth: Record<string, string>;
beforeAll(async () => {
	service = await openService();
	({ auth } = await service.tenant());
});
afterAll(() => service.close());

const get = (path: string, headers = auth) => service.send({ path, headers });
const post = (path: string, headers = auth) => service.send({ method: "POST", path, headers });

describe("the tenant plane", () => {
	it("answers limits and usage", async () => {
		expect((await get("/v1/limits")).json).toEqual({ max_file_bytes: 209_715_200, max_duration_seconds: 180 });
		expect((await get("/v1/usage")).json).toMatchObject({ uploaded_bytes: 0, remaining: { processing_slots: 4 } });
	});

	it("rotates the key, which then works beside the one before", async () => {
		const rotated = await post("/v1/domain/rotate-key");
		const { api_key } = rotated.json as { api_key: string };
		expect(rotated.status).toBe(200);
		for (const key of [auth, bearer(api_key)]) expect((await get("/v1/domain", key)).status).toBe(200);
	});

	it("rotates the webhook secret", async () => {
		const tenant = await service.tenant();
		const rotated = await service.send({
			method: "POST",
			path: "/v1/domain/rotate-webhook-secret",
			headers: tenant.auth,
		});
		expect(rotated.json).toEqual({
			webhook_secret: expect.stringMatching(/^whsec_/),
			previous_secret_expires_at: null,
		});
		expect((await get("/v1/domain", tenant.auth)).json).toMatchObject({ webhook_secret_set: true });
	});

	it("lets a key in its grace do everything but rotate", async () => {
		const { auth: old } = await service.tenant();
		const rotate = (path: string, headers: Record<string, string>, json?: unknown) =>
			service.send({ method: "POST", path: `/v1/domain/${path}`, headers, ...(json !== undefined && { json }) });
		const next = bearer(((await rotate("rotate-key", old)).json as KeyRotation).api_key);
		for (const path of ["rotate-key", "rotate-webhook-secret"]) {
			expect(await rotate(path, old), path).toMatchObject({
				status: 403,
				json: { error: "forbidden", message: expect.stringContaining("grace") },
			});
		}
		expect((await get("/v1/domain", old)).json).toMatchObject({ webhook_secret_set: false });
		expect(
			(await service.send({ method: "PATCH", path: "/v1/domain/config", headers: old, json: { transcript: true } }))
				.status,
		).toBe(200);
		expect((await rotate("rotate-webhook-secret", next)).status).toBe(200);
		const ended = await rotate("rotate-key", next, { grace_seconds: 0 });
		expect(ended).toMatchObject({
			status: 200,
			json: { previous_key_expires_at: new Date(service.clock.now()).toISOString() },
		});
		for (const headers of [old, next]) expect((await get("/v1/domain", headers)).status).toBe(401);
		const last = bearer((ended.json as KeyRotation).api_key);
		for (const grace_seconds of [-1, 3601, 0.5, "0", null]) {
			expect(await rotate("rotate-key", last, { grace_seconds })).toMatchObject({
				status: 400,
				json: { error: "validation_error" },
			});
		}
		expect(await rotate("rotate-key", last, { grace_seconds: 60 })).toMatchObject({
			json: { previous_key_expires_at: new Date(service.clock.now() + 60_000).toISOString() },
		});
	});

	it("knows the local disk as storage and nothing else", async () => {
		expect((await get("/v1/domain/storage")).json).toMatchObject({ backend: "local" });
		expect((await get("/v1/storage/locations")).json).toEqual({ data: [] });
		const put = (body: object) =>
			service.send({
				method: "PUT",
				path: "/v1/domain/storage",
				headers: { ...auth, "content-type": "application/json" },
				body: JSON.stringify(body),
			});
		expect((await put({ backend: "local" })).status).toBe(200);
		expect(await put({ backend: "s3_tenant", bucket: "b" })).toMatchObject({
			status: 400,
			json: { error: "validation_error", message: expect.stringMatching(/^backend/) },
		});
	});

	it("opens sandbox sessions that may do videos and nothing else", async () => {
		await service.engine.start();
		const { api_key } = (await post("/v1/sandbox/session", {})).json as { api_key: string };
		const sandbox = { authorization: `Bearer ${api_key}` };
		expect((await get("/v1/limits", sandbox)).json).toEqual({ max_file_bytes: 52_428_800, max_duration_seconds: 60 });
		expect((await get("/v1/videos", sandbox)).json).toEqual({ data: [], next_cursor: null });
		for (const path of ["/v1/domain", "/v1/usage", "/v1/domain/storage", "/v1/webhook-deliveries"]) {
			expect(await get(path, sandbox)).toMatchObject({ status: 403, json: { error: "sandbox_not_allowed" } });
		}
	});

	it("sends no frame that isn't there, and tells transcripts apart from unknown videos", async () => {
		const created = await service.send({
			method: "POST",
			path: "/v1/videos",
			headers: { ...auth, "content-type": "application/json" },
			body: JSON.stringify({ content_type: "video/mp4", file_size: 1 }),
		});
		const { video } = created.json as { video: { id: string } };
		expect(await get(`/v1/videos/${video.id}/transcript`)).toMatchObject({
			status: 200,
			json: { text: null, status: "disabled" },
		});
		expect(await get(`/v1/videos/${video.id}/frames/00001.jpg`)).toMatchObject({
			status: 404,
			json: { error: "not_found" },
		});
		expect(await get("/v1/videos/nonsense/frames/00001.jpg")).toMatchObject({
			status: 400,
			json: { error: "invalid_video_id" },
		});
		expect(await get(`/v1/videos/${video.id}/frames/..%2Fweb.mp4`)).toMatchObject({
			status: 400,
			json: { error: "invalid_path" },
		});
	});
});

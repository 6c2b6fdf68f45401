import { api, type Operation } from "@reelmill/contracts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { unlimited } from "../support/credentials.ts";
import { adminKey, claimed, openService, type Service } from "../support/open-service.ts";
import { bearer } from "../support/send.ts";

const setting = { name: "MILL_KEY", description: "A key.", value: null, default: null, is_set: true, is_secret: true };
let service: Service;
beforeAll(async () => {
	const serverFacts = async () => ({ settings: [setting], disk: null });
	service = await openService({ serverFacts }, () => ({ rateLimiter: unlimited, windows: { keepFailed: 3600 } }));
});
afterAll(() => service.close());

const admin = bearer(adminKey);
const ask = (path: string, headers: Record<string, string> = admin, method = "GET") =>
	service.send({ method, path, headers });
const names = ["getQueue", "listJobs", "listWorkers", "listFailures", "listFailedVideos", "getSystem"] as const;

it.each(names)("%s answers its operator, and is not there for tenants", async (name) => {
	const { path }: Operation = api[name];
	const { auth } = await service.tenant();
	expect((await ask(path)).status).toBe(200);
	expect(await ask(path, auth)).toMatchObject({ status: 404, json: { error: "not_found" } });
	expect(await ask(path, {})).toMatchObject({ status: 401, json: { error: "unauthorized" } });
});

it("the operator sees who claimed what, and from where", async () => {
	const { domain, auth } = await service.tenant();
	const headers = await service.serviceAuth();
	const claimed = { worker: "<b>rack</b>", wait_seconds: 0 };
	const claim = (more: object) =>
		service.send({ method: "POST", path: "/internal/v1/jobs/claim", headers, json: { ...claimed, ...more } });
	await claim({});
	const seen = { worker: "<b>rack</b>", address: "127.0.0.1", is_present: true, jobs: [] };
	expect((await ask("/admin/v1/workers")).json).toMatchObject({ data: [{ ...seen, fault: null }] });
	expect((await claim({ fault: "disk_full", wait_seconds: 30 })).status).toBe(204);
	expect((await ask("/admin/v1/workers")).json).toMatchObject({ data: [{ ...seen, fault: "disk_full" }] });
	expect((await ask(`/admin/v1/jobs?state=waiting&domain_id=${domain.id}`)).json).toEqual({
		data: [],
		next_cursor: null,
	});
	expect((await ask("/admin/v1/system")).json).toMatchObject({ version: "1.2.3", server: { settings: [setting] } });
	expect((await ask("/v1/domain/keys", auth)).json).toMatchObject({ data: [{ expires_at: null }] });
});

it("the operator has a failed video processed anew as long as its source is kept, and no tenant has", async () => {
	const { auth } = await service.tenant();
	const jobs = [await claimed(service, auth), await claimed(service, auth)] as const;
	const reasons = ["storage_error", "invalid_media"] as const;
	for (const [index, { id, lock }] of jobs.entries())
		await service.engine.jobs.fail(id, { lock, reason: reasons[index] ?? "storage_error", retryable: false });
	const [kept, gone] = jobs.map(({ id }) => `/admin/v1/videos/${id}/reprocess`) as [string, string];
	expect(await ask(kept, auth, "POST")).toMatchObject({ status: 404, json: { error: "not_found" } });
	expect(await ask(gone, admin, "POST")).toMatchObject({ status: 422, json: { error: "file_not_found" } });
	expect(await ask(kept, admin, "POST")).toMatchObject({
		status: 200,
		json: { state: "queued", failure_reason: null },
	});
	expect(await ask(kept, admin, "POST")).toMatchObject({ status: 409, json: { error: "invalid_state" } });
	const unknown = "/admin/v1/videos/acme/reprocess";
	expect(await ask(unknown, admin, "POST")).toMatchObject({ status: 404, json: { error: "video_not_found" } });
});

it.each([
	"/admin/v1/jobs?state=done",
	"/admin/v1/jobs?domain_id=acme",
	"/admin/v1/workers?state=here",
	"/admin/v1/failures?from=yesterday",
	"/admin/v1/failures?from=2026-01-02&to=2026-01-01",
	"/admin/v1/failures/videos?reason=bored",
])("%s is a validation error", async (path) => {
	expect(await ask(path)).toMatchObject({ status: 400, json: { error: "validation_error" } });
});

it("a tenant ends a key in its grace, its own alone, and no current one", async () => {
	const [own, other] = [await service.tenant(), await service.tenant()];
	type Keys = { data: { id: string; expires_at: string | null }[] };
	const keysOf = async (auth: Record<string, string>) => ((await ask("/v1/domain/keys", auth)).json as Keys).data;
	const [current] = await keysOf(own.auth);
	const path = `/v1/domain/keys/${current?.id}`;
	expect(await ask(path, own.auth, "DELETE")).toMatchObject({ status: 409, json: { error: "invalid_state" } });
	expect(await ask(path, other.auth, "DELETE")).toMatchObject({ status: 404, json: { error: "not_found" } });
	const rotated = await ask("/v1/domain/rotate-key", own.auth, "POST");
	const next = bearer((rotated.json as { api_key: string }).api_key);
	expect(await keysOf(next)).toHaveLength(2);
	expect((await ask(path, next, "DELETE")).status).toBe(204);
	expect((await ask("/v1/domain", own.auth)).status).toBe(401);
	expect(await keysOf(next)).toHaveLength(1);
	expect((await ask("/v1/audit?action=domain.key_ended", next)).json).toMatchObject({
		data: [{ actor: { kind: "domain_key" }, resource: { kind: "domain" } }],
	});
	expect(await ask(path, next, "DELETE")).toMatchObject({ status: 404, json: { error: "not_found" } });
	expect(await ask("/v1/domain/keys/x", next, "DELETE")).toMatchObject({ status: 404, json: { error: "not_found" } });
});

import { api, type Operation } from "@reelmill/contracts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { unlimited } from "../support/credentials.ts";
import { adminKey, initiate, openService, type Service } from "../support/open-service.ts";
import { type Answer, bearer, type Sent } from "../support/send.ts";

let service: Service;
beforeAll(async () => {
	service = await openService({}, () => ({ rateLimiter: unlimited }));
	await service.engine.start();
});
afterAll(async () => {
	await service.engine.stop();
	await service.close();
});

const auth = bearer(adminKey);
const unknown = "00000000-0000-4000-8000-000000000000";
const hour = 3_600_000;
const ask = (method: string, path: string, json?: unknown): Promise<Answer> =>
	service.send({ method, path: `/admin/v1${path}`, headers: auth, ...(json !== undefined && { json }) });
type Made = { domain: { id: string; slug: string }; api_key: string };
type Account = { service_account: { id: string; name: string }; secret: string };
const makeDomain = async (slug: string) => (await ask("POST", "/domains", { slug })).json as Made;
const makeAccount = async (name: string) => (await ask("POST", "/service-accounts", { name })).json as Account;
const token = (name: string, secret: string): Sent => ({
	method: "POST",
	path: "/internal/v1/token",
	json: { name, secret },
	headers: { "x-request-id": "same" },
});

describe("domains, to the operator", () => {
	it("are made, listed, read, changed and deleted", async () => {
		const limits = { daily_upload_bytes: 5, storage_bytes_limit: 6, max_concurrent_processing: 1 };
		const made = await ask("POST", "/domains", { slug: "made", limits });
		expect(made).toMatchObject({
			status: 201,
			json: { domain: { slug: "made", limits }, api_key: expect.stringMatching(/^ek_/) },
		});
		const { domain, api_key } = made.json as Made;
		expect((await ask("GET", `/domains/${domain.id}`)).json).toEqual(domain);
		await makeDomain("other");
		const list = await ask("GET", "/domains?limit=1");
		expect(list).toMatchObject({ status: 200, json: { data: [{}], next_cursor: expect.any(String) } });
		const { next_cursor } = list.json as { next_cursor: string };
		expect((await ask("GET", `/domains?limit=1&cursor=${next_cursor}`)).status).toBe(200);
		expect(await ask("GET", `/service-accounts?cursor=${next_cursor}`)).toMatchObject({
			status: 400,
			json: { error: "invalid_cursor" },
		});
		const patched = await ask("PATCH", `/domains/${domain.id}`, { slug: "changed", limits: { daily_upload_bytes: 7 } });
		expect(patched).toMatchObject({
			status: 200,
			json: { slug: "changed", limits: { ...limits, daily_upload_bytes: 7 } },
		});
		expect(await ask("PATCH", `/domains/${domain.id}`, { slug: "other" })).toMatchObject({
			status: 409,
			json: { error: "slug_already_exists" },
		});
		for (const bad of [
			{ slug: "Not A Slug" },
			{ limits: { max_concurrent_processing: 0 } },
			{ limits: { max_concurrent_processing: 2 ** 31 } },
			{ name: "x" },
		]) {
			expect(await ask("PATCH", `/domains/${domain.id}`, bad)).toMatchObject({
				status: 400,
				json: { error: "validation_error" },
			});
		}

		const { video, upload } = await initiate(service, bearer(api_key), { file_size: 4 });
		expect(await ask("DELETE", `/domains/${domain.id}`)).toMatchObject({ status: 204, text: "" });
		expect(await service.send({ path: `/v1/videos/${video.id}`, headers: bearer(api_key) })).toMatchObject({
			status: 401,
			json: { error: "unauthorized" },
		});
		await service.engine.sweep();
		const creation = {
			...bearer(upload.token),
			"tus-resumable": "1.0.0",
			"upload-length": "4",
			"upload-metadata": `video_id ${btoa(video.id)}`,
		};
		expect(await service.send({ method: "POST", path: "/uploads", headers: creation })).toMatchObject({
			status: 409,
			json: { error: "upload_not_pending" },
		});
		expect(await ask("POST", "/domains", { slug: "changed" })).toMatchObject({ status: 201 });
	});

	it("that aren't there are not found, by an id of any form", async () => {
		const { domain } = await makeDomain("gone");
		await ask("DELETE", `/domains/${domain.id}`);
		for (const id of [domain.id, unknown, "x", "%00"]) {
			for (const [method, path, json] of [
				["GET", "", undefined],
				["PATCH", "", {}],
				["DELETE", "", undefined],
				["POST", "/rotate-key", undefined],
			] as const) {
				expect(await ask(method, `/domains/${id}${path}`, json)).toMatchObject({
					status: 404,
					json: { error: "domain_not_found" },
				});
			}
		}
	});

	it("get a new key, the one before working an hour longer", async () => {
		const { domain, api_key } = await makeDomain("rotated");
		const rotated = await ask("POST", `/domains/${domain.id}/rotate-key`);
		expect(rotated).toMatchObject({
			status: 200,
			json: {
				api_key: expect.stringMatching(/^ek_/),
				previous_key_expires_at: new Date(service.clock.now() + hour).toISOString(),
			},
		});
		const read = async (key: string) => (await service.send({ path: "/v1/domain", headers: bearer(key) })).status;
		const { api_key: next } = rotated.json as { api_key: string };
		expect([await read(api_key), await read(next)]).toEqual([200, 200]);
		await service.clock.advance(hour);
		expect([await read(api_key), await read(next)]).toEqual([401, 200]);
		const ended = await ask("POST", `/domains/${domain.id}/rotate-key`, { grace_seconds: 0 });
		expect([await read(next), await read((ended.json as { api_key: string }).api_key)]).toEqual([401, 200]);
	});

	it("include the sandbox domain, which can't be deleted", async () => {
		const sandbox = await service.engine.domains.findBySlug("sandbox");
		const listed = (await ask("GET", "/domains?limit=100")).json as { data: { slug: string }[] };
		expect(listed.data.map(({ slug }) => slug)).toContain("sandbox");
		expect(await ask("DELETE", `/domains/${sandbox?.id}`)).toMatchObject({
			status: 409,
			json: { error: "sandbox_domain_protected" },
		});
		expect(await ask("POST", "/domains", { slug: "sandbox" })).toMatchObject({
			status: 409,
			json: { error: "slug_already_exists" },
		});
	});
});

describe("service accounts", () => {
	it("are made, listed, rotated and revoked", async () => {
		const { service_account, secret } = await makeAccount("transcoder");
		const { id } = service_account;
		expect(await ask("POST", "/service-accounts", { name: "transcoder" })).toMatchObject({
			status: 409,
			json: { error: "name_already_exists" },
		});
		expect((await ask("GET", "/service-accounts")).json).toMatchObject({ data: [service_account], next_cursor: null });
		const rotated = await ask("POST", `/service-accounts/${id}/rotate`);
		expect(rotated).toMatchObject({
			status: 200,
			json: { service_account, previous_secret_expires_at: new Date(service.clock.now() + hour).toISOString() },
		});
		const issued = await service.send(token("transcoder", secret));
		expect(issued.status).toBe(200);
		const worker = bearer((issued.json as { token: string }).token);
		const claim = async () =>
			(await service.send({ method: "POST", path: "/internal/v1/jobs/claim", headers: worker, json: { worker: "w" } }))
				.status;
		expect(await claim()).toBe(204);
		expect(await ask("DELETE", `/service-accounts/${id}`)).toMatchObject({ status: 204, text: "" });
		expect(await claim()).toBe(401);
		expect(await ask("POST", `/service-accounts/${id}/rotate`)).toMatchObject({
			status: 422,
			json: { error: "service_account_revoked" },
		});
		for (const missing of [unknown, "x"]) {
			expect(await ask("POST", `/service-accounts/${missing}/rotate`)).toMatchObject({
				status: 404,
				json: { error: "service_account_not_found" },
			});
			expect(await ask("DELETE", `/service-accounts/${missing}`)).toMatchObject({
				status: 404,
				json: { error: "service_account_not_found" },
			});
		}
	});

	it("answer an unknown name, a wrong secret and a revoked account with the same bytes", async () => {
		const [known, revoked] = [await makeAccount("known"), await makeAccount("revoked")];
		await ask("DELETE", `/service-accounts/${revoked.service_account.id}`);
		const answers = [
			await service.send(token("nobody", known.secret)),
			await service.send(token("known", revoked.secret)),
			await service.send(token("revoked", revoked.secret)),
		];
		for (const answer of answers) {
			expect([answer.status, answer.text]).toEqual([401, answers[0]?.text]);
			expect({ ...answer.headers, date: "" }).toEqual({ ...answers[0]?.headers, date: "" });
		}
		expect(answers[0]?.json).toMatchObject({ error: "invalid_credentials" });
	});
});

describe("the installation, to the operator", () => {
	it("has stats, and no storage locations beside the local disk", async () => {
		const stats = await ask("GET", "/stats");
		expect(stats).toMatchObject({
			status: 200,
			json: { taken_at: new Date(service.clock.now()).toISOString(), videos: { available: 0 } },
		});
		expect(await ask("GET", "/storage-locations")).toMatchObject({ status: 200, json: { data: [] } });
	});

	it("opens no operation to another credential: to a tenant's there is no such route, others are unauthorized", async () => {
		const tenant = await service.tenant();
		const { upload } = await initiate(service, tenant.auth);
		const operations = Object.values(api as Record<string, Operation>).filter(
			({ plane, path }) => plane === "admin" && !path.includes("console-accounts"),
		);
		expect(operations.length).toBeGreaterThan(10);
		for (const { method, path } of operations) {
			const request = (headers: Record<string, string>): Sent => ({
				method,
				path: path.replace("{id}", tenant.domain.id),
				headers,
			});
			expect(await service.send(request(tenant.auth))).toMatchObject({ status: 404, json: { error: "not_found" } });
			for (const headers of [
				{},
				bearer("wrong"),
				bearer(upload.token),
				bearer(`${adminKey}x`),
				{ authorization: adminKey },
			] as Record<string, string>[]) {
				expect(await service.send(request(headers))).toMatchObject({ status: 401, json: { error: "unauthorized" } });
			}
		}
	});
});

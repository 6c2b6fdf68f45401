import type { AuditPage, HeardEvents, PlaybackKey, WebhookDelivery } from "@reelmill/contracts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Named, nameOf, served } from "../support/contract.ts";
import { unlimited } from "../support/credentials.ts";
import { finished } from "../support/finished.ts";
import { faultsOf, jsonSchemaOf, replacedAt } from "../support/json-schema.ts";
import { minimalRequest } from "../support/minimal.ts";
import { adminKey, claimed, initiate, openService, type Service } from "../support/open-service.ts";
import { type Answer, bearer, type Sent } from "../support/send.ts";
import { signIn } from "../support/sessions.ts";
import { metadata, tusFor } from "../support/tus.ts";

type Headers = Record<string, string>;
let service: Service;
let auth: Headers;
let domainId: string;
let credentials: Partial<Record<Named["auth"], Headers>>;
beforeAll(async () => {
	service = await openService({}, () => ({ rateLimiter: unlimited }));
	await service.engine.start();
	await service.engine.stop();
	const { domain, auth: own } = await service.tenant({
		webhook_url: "https://hooks.example/",
		webhook_secret: "whsec_x",
	});
	await service.engine.admin.updateDomain(domain.id, { limits: { max_concurrent_processing: 100 } });
	auth = own;
	domainId = domain.id;
	const { headers: console } = await signIn(service, { role: "admin" });
	credentials = { tenant: auth, admin: bearer(adminKey), service: await service.serviceAuth(), console };
});
afterAll(() => service.close());

const unknown = "00000000-0000-4000-8000-000000000000";
const json = async <T>(sent: Sent, headers = auth): Promise<T> =>
	(await service.send({ ...sent, headers: { ...headers, ...sent.headers } })).json as T;
const video = async () => (await initiate(service, auth)).video.id;
const upper = (id: string): string => {
	const text = id.toUpperCase();
	expect(text).not.toBe(id);
	return text;
};

describe("an id in capitals", () => {
	/** How to come by something that the operations under this path find. */
	const finders: Readonly<Record<string, () => Promise<string>>> = {
		"/v1/videos/{id}": video,
		"/videos/{id}": () => finished(service, auth, "public"),
		"/internal/v1/jobs/{id}/claim": async () => {
			const created = await initiate(service, auth);
			const tus = tusFor(service.url, created);
			await tus.create({ body: "0123456789", headers: { "content-type": "application/offset+octet-stream" } });
			return created.video.id;
		},
		"/internal/v1/jobs/{id}": async () => (await claimed(service, auth)).id,
		"/v1/webhook-deliveries/{id}": async () => {
			await service.send({ method: "POST", path: `/v1/videos/${await video()}/cancel`, headers: auth });
			return (await json<{ data: [WebhookDelivery] }>({ path: "/v1/webhook-deliveries" })).data[0].id;
		},
		"/v1/domain/keys/{id}": async () =>
			(await json<{ data: [{ id: string }] }>({ path: "/v1/domain/keys" })).data[0].id,
		"/admin/v1/domains/{id}": async () => (await service.tenant()).domain.id,
		"/admin/v1/videos/{id}": video,
		"/admin/v1/service-accounts/{id}": async () =>
			(await service.engine.accounts.create({ name: `account ${await video()}` })).service_account.id,
		"/admin/v1/console-accounts/{id}": async () =>
			(await signIn(service, { role: "member", domainIds: [domainId] })).accountId,
	};
	const ofUploads = served.filter(({ plane, path }) => plane === "upload" && path.includes("{id}"));
	const ofListeners = served.filter(({ path }) => path.startsWith("/v1/webhook-listeners/{id}"));
	const others = served.filter(
		(one) => one.path.includes("{id}") && ![...ofUploads, ...ofListeners].includes(one) && one.name !== "getJobPart",
	);

	/** All of an answer that could show how an id was written. */
	const shown = ({ headers, text }: Answer) => JSON.stringify(headers) + text;

	it.each(others)("means the same in the path of $name, and is answered in small letters", async (operation) => {
		const [, find] = Object.entries(finders).find(([path]) => operation.path.startsWith(path)) ?? [];
		if (find === undefined) throw new Error(`Say in this test how to come by something for ${operation.path}.`);
		const id = upper(await find());
		const ask = (one: string) => {
			const sent = minimalRequest(operation, one);
			return service.send({ ...sent, headers: { ...sent.headers, ...credentials[operation.auth] } });
		};
		const answer = await ask(id);
		expect(nameOf(answer)).not.toBe(nameOf(await ask(unknown)));
		expect(nameOf(answer)).not.toMatch(/invalid_video_id|invalid_path|unauthorized|validation_error/);
		expect(shown(answer)).not.toContain(id);
	});

	it("means the same in an upload's path and metadata", async () => {
		const tus = tusFor(service.url, await initiate(service, auth));
		const created = await tus.create({ headers: { "upload-metadata": metadata(upper(tus.id)) } });
		expect(created).toMatchObject({ status: 201, headers: { location: expect.stringContaining(tus.id) } });
		const path = `/uploads/${upper(tus.id)}`;
		expect((await tus.send({ method: "HEAD", path })).status).toBe(200);
		const headers = { "content-type": "application/offset+octet-stream", "upload-offset": "0" };
		expect((await tus.send({ method: "PATCH", path, headers, body: "01234" })).headers["upload-offset"]).toBe("5");
		expect((await tus.send({ method: "DELETE", path })).status).toBe(204);
	});

	it("means the same in bodies, queries and headers", async () => {
		const [id, other] = [await finished(service, auth), await video()];
		const minted = await json<PlaybackKey>({
			method: "POST",
			path: "/v1/playback-keys",
			json: { viewer_ref: "v", video_ids: [upper(id)] },
		});
		expect(minted.video_ids).toEqual([id]);
		const played = { path: `/videos/${upper(id)}/web.mp4`, headers: bearer(minted.playback_key) };
		expect((await service.send(played)).status).toBe(200);
		const twice = { viewer_ref: "v", video_ids: [id, upper(id)] };
		expect(await json({ method: "POST", path: "/v1/playback-keys", json: twice })).toMatchObject({
			error: "validation_error",
		});

		await service.send({ method: "POST", path: `/v1/videos/${other}/cancel`, headers: auth });
		const told = await json<{ data: WebhookDelivery[] }>({ path: `/v1/webhook-deliveries?video_id=${upper(other)}` });
		expect(told.data).toHaveLength(1);
		for (const path of ["/v1/audit?resource_id=", "/admin/v1/audit?resource_id="])
			expect(
				(await json<AuditPage>({ path: path + upper(other) }, path.startsWith("/v1") ? auth : bearer(adminKey))).data,
			).toHaveLength(1);
		for (const path of ["/admin/v1/audit", "/admin/v1/jobs", "/admin/v1/failures/videos"])
			expect(
				(await service.send({ path: `${path}?domain_id=${upper(domainId)}`, headers: bearer(adminKey) })).status,
			).toBe(200);
		const ofDomain = await json<AuditPage>({ path: `/admin/v1/audit?domain_id=${upper(domainId)}` }, bearer(adminKey));
		expect(ofDomain.data.length).toBeGreaterThan(0);

		const { headers, accountId } = await signIn(service, { role: "member", domainIds: [domainId] });
		const selected = { path: "/v1/domain", headers: { ...headers, "x-service-domain": upper(domainId) } };
		expect(await service.send(selected)).toMatchObject({ status: 200, json: { id: domainId } });
		expect(
			await json(
				{ method: "PATCH", path: `/admin/v1/console-accounts/${accountId}`, json: { domain_ids: [upper(domainId)] } },
				bearer(adminKey),
			),
		).toMatchObject({ domain_ids: [domainId] });

		const job = await claimed(service, auth);
		const beat = {
			method: "POST",
			path: `/internal/v1/jobs/${job.id}/heartbeat`,
			json: { lock: upper(job.lock), progress: 1 },
		};
		expect((await service.send({ ...beat, headers: credentials.service ?? {} })).status).toBe(200);
		const archive = {
			method: "PUT",
			path: `/internal/v1/jobs/${job.id}/outputs?lock=${upper(job.lock)}`,
			headers: { ...credentials.service, "content-type": "application/zip" },
			body: "no zip",
		};
		expect((await service.send(archive)).status).toBe(400);
	});

	it("means the same listener, and the same event that was received", async () => {
		const id = "3f0c1d2e-4b5a-4c6d-8e7f-90a1b2c3d4e5";
		const listen = (name: string, received: string[] = []) =>
			json<HeardEvents>({ method: "POST", path: `/v1/webhook-listeners/${name}/events`, json: { received } });
		expect(await listen(id)).toMatchObject({ is_new: true });
		await service.send({
			method: "POST",
			path: "/v1/webhook-listeners/trigger",
			headers: auth,
			json: { type: "video.ready" },
		});
		const { is_new, data } = await listen(upper(id));
		expect({ is_new, count: data.length }).toEqual({ is_new: false, count: 1 });
		expect((await listen(id, [upper(data[0]?.id ?? "")])).data).toEqual([]);
	});
});

describe("a limit", () => {
	const lists = served.filter(({ query }) => query !== undefined && "limit" in query.shape);

	it.each(lists)("of $name is decimal digits alone", async (operation) => {
		const ask = (limit: string) =>
			service.send({
				path: `${operation.path}?limit=${encodeURIComponent(limit)}`,
				headers: credentials[operation.auth] ?? {},
			});
		for (const limit of ["1", "100", "020"]) expect((await ask(limit)).status, limit).toBe(200);
		for (const limit of [
			"1e1",
			"0x10",
			"0b1",
			" 5",
			"5 ",
			"+5",
			"5.0",
			"5,0",
			"",
			"-1",
			"0",
			"101",
			"٥",
			"9".repeat(400),
		])
			expect(await ask(limit), limit).toMatchObject({
				status: 400,
				json: { error: "validation_error", message: expect.stringMatching(/^limit: /) },
			});
	});

	it("is one of every list that comes in pages", () => {
		const paged = served.filter(({ query }) => query !== undefined && "cursor" in query.shape);
		expect(lists).toEqual(paged);
	});
});

describe("a text that no column stores", () => {
	const isUnstorable = (value: unknown): boolean => {
		const text = JSON.stringify(value) ?? "";
		return text.includes("\\u0000") || /\\ud[89a-f]/.test(text);
	};
	const withBody = served.filter(({ body, content }) => body !== undefined && content === undefined);
	const withQuery = served.filter(({ query, plane }) => query !== undefined && plane !== "delivery");

	it.each(withBody)("is refused by $name, whichever field it is in, with the field's name", async (operation) => {
		const sent = minimalRequest(operation, unknown);
		const faults = faultsOf(jsonSchemaOf(operation.body ?? expect.fail("no body"))).filter(({ value }) =>
			isUnstorable(value),
		);
		expect(faults.length).toBeGreaterThan(0);
		for (const { path, value } of faults) {
			const answer = await service.send({
				...sent,
				headers: { ...sent.headers, ...credentials[operation.auth], "x-service-console": "1" },
				json: replacedAt(sent.json, path, value),
			});
			expect(answer, JSON.stringify({ path, value })).toMatchObject({
				status: 400,
				json: { error: "validation_error", message: expect.stringContaining(path.join(".")) },
			});
		}
	});

	it.each(withQuery)("is refused by $name in a query", async (operation) => {
		const { path } = minimalRequest(operation, unknown);
		for (const name of Object.keys(operation.query?.shape ?? {})) {
			const [bare = "", search = ""] = path.split("?");
			const query = new URLSearchParams(search);
			query.set(name, "a\0b");
			const answer = await service.send({
				method: operation.method,
				path: `${bare}?${query}`,
				headers: { ...credentials[operation.auth], ...(operation.content && { "content-type": operation.content }) },
			});
			expect(answer, name).toMatchObject({
				status: 400,
				json: { error: "validation_error", message: expect.stringContaining(`${name}: `) },
			});
		}
	});

	it("is named by its place, however deep it is, and a key as well", async () => {
		const refused = (body: string) =>
			json<{ error: string; message: string }>({
				method: "PATCH",
				path: "/v1/domain/config",
				headers: { "content-type": "application/json" },
				body,
			});
		expect(await refused('{"cors_origins":["https://a.example","a\\ud800"]}')).toMatchObject({
			message: "cors_origins.1: holds NUL or half a surrogate pair",
		});
		expect((await refused('{"a\\u0000b":1}')).message).toBe("a\\u0000b: holds NUL or half a surrogate pair");
		expect((await refused('"\\u0000"')).message).toBe("the body: holds NUL or half a surrogate pair");
		const nested = `${'{"a":'.repeat(9000)}"\\u0000"${"}".repeat(9000)}`;
		expect(await refused(nested)).toMatchObject({ error: "validation_error" });
		expect(await refused('{"default_outro_slug":"\\ud83d\\ude00"}')).toMatchObject({
			message: expect.not.stringContaining("surrogate"),
		});
	});
});

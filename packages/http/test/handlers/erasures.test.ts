import type { AuditPage, Usage, Video } from "@reelmill/contracts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { unlimited } from "../support/credentials.ts";
import { finished } from "../support/finished.ts";
import { claimed, initiate, openService, type Service } from "../support/open-service.ts";

type Headers = Record<string, string>;
let service: Service;
beforeAll(async () => {
	service = await openService({}, () => ({ rateLimiter: unlimited }));
	await service.engine.start();
	await service.engine.stop();
});
afterAll(() => service.close());

const hour = 3_600_000;
const erase = (headers: Headers, uploader_ref: string) =>
	service.send({ method: "POST", path: "/v1/erasures", headers, json: { uploader_ref } });
const get = async <T>(headers: Headers, path: string) => (await service.send({ path, headers })).json as T;
const create = (headers: Headers, uploader_ref: string, more: object = {}) =>
	service.send({
		method: "POST",
		path: "/v1/videos",
		headers: { ...headers, ...more },
		json: { content_type: "video/mp4", file_size: 10, uploader_ref, external_ref: `of ${uploader_ref}` },
	});
/** All of a table as text, but what was sent to the tenant and stays in the log of that. */
const textOf = async (table: string) =>
	JSON.stringify(await service.database.query({ text: `select * from reelmill.${table}`, values: [] }));

it("deletes a person's videos, forgets her name in the others, tells the tenant, and leaves everybody else's", async () => {
	const { auth, domain } = await service.tenant({
		webhook_url: "https://hooks.example/",
		webhook_secret: "whsec_x",
		max_concurrent_pending_per_uploader: 10,
	});
	const foreign = await service.tenant();
	const cancelled = (await initiate(service, auth, { uploader_ref: "ada@acme.test", external_ref: "ada-1" })).video.id;
	await service.send({ method: "POST", path: `/v1/videos/${cancelled}/cancel`, headers: auth });
	const gone = await finished(service, auth);
	await service.database.query({
		text: "update reelmill.videos set uploader_ref = 'ada@acme.test' where id = $1",
		values: [gone],
	});
	await service.send({ method: "DELETE", path: `/v1/videos/${gone}`, headers: auth });
	const worked = (await claimed(service, auth, { uploader_ref: "ada@acme.test" })).id;
	const pending = (await create(auth, "ada@acme.test", { "idempotency-key": "k" })).json as { video: { id: string } };
	const others = [
		(await initiate(service, auth, { uploader_ref: "Ada", external_ref: "ada@acme.test" })).video.id,
		(await initiate(service, foreign.auth, { uploader_ref: "ada@acme.test" })).video.id,
	];
	const before = await get<{ data: Video[] }>(auth, "/v1/webhook-deliveries");

	expect(await erase(auth, "ada@acme.test")).toMatchObject({ status: 202, json: { deleted: 2, forgotten: 2 } });
	for (const id of [worked, pending.video.id])
		expect(await get(auth, `/v1/videos/${id}`)).toMatchObject({ error: "video_not_found" });
	expect(await get(auth, `/v1/videos/${cancelled}`)).toMatchObject({ uploader_ref: null, external_ref: null });
	expect(await get(auth, `/v1/videos/${others[0]}`)).toMatchObject({
		uploader_ref: "Ada",
		external_ref: "ada@acme.test",
	});
	expect(await get(foreign.auth, `/v1/videos/${others[1]}`)).toMatchObject({ uploader_ref: "ada@acme.test" });
	expect((await get<{ data: Video[] }>(auth, "/v1/videos?uploader_ref=ada")).data).toEqual([]);
	const after = await get<{ data: Video[] }>(auth, "/v1/webhook-deliveries");
	expect(after.data.length - before.data.length).toBe(2);
	expect((await get<Usage>(auth, "/v1/usage")).storage_bytes).toBe(0);
	for (const [table, condition] of [
		["videos", `domain_id = '${domain.id}' and uploader_ref = 'ada@acme.test'`],
		["idempotency_keys", `owner = '${domain.id}' and record::text like '%ada@%'`],
	])
		expect(
			await service.database.query({ text: `select from reelmill.${table} where ${condition}`, values: [] }),
		).toEqual([]);

	const [entry] = (await get<AuditPage>(auth, "/v1/audit?action=uploader.erased")).data;
	expect(entry).toMatchObject({ action: "uploader.erased", resource: { kind: "domain", id: domain.id } });
	expect(await textOf("audit")).not.toContain('"ada@acme.test"');
	// The answer to a repeated creation tells the name no more, and what it made is gone.
	expect((await create(auth, "ada@acme.test", { "idempotency-key": "k" })).json).toMatchObject({
		video: { id: pending.video.id, uploader_ref: null, external_ref: null },
	});
	expect(await erase(auth, "ada@acme.test")).toMatchObject({ status: 202, json: { deleted: 0, forgotten: 0 } });
});

it("lets throttle and hourly limit count what a person did before", async () => {
	const { auth } = await service.tenant();
	for (let times = 0; times < 3; times++) {
		expect((await create(auth, "eve")).status).toBe(201);
		await service.clock.advance(hour);
		await service.engine.sweep();
	}
	expect(await erase(auth, "eve")).toMatchObject({ status: 202, json: { deleted: 0, forgotten: 3 } });
	const throttled = await create(auth, "eve");
	expect(throttled).toMatchObject({ status: 429, json: { error: "too_many_incomplete_uploads" } });
	expect((await create(auth, "bob")).status).toBe(201);
	await service.clock.advance(Date.parse((throttled.json as { retryAfter: string }).retryAfter) - service.clock.now());
	expect((await create(auth, "eve")).status).toBe(201);

	for (let times = 0; times < 5; times++) {
		expect((await create(auth, "kim")).status).toBe(201);
		expect(await erase(auth, "kim")).toMatchObject({ json: { deleted: 1 } });
	}
	expect(await create(auth, "kim")).toMatchObject({ status: 429, json: { error: "rate_limited" } });
});

it("goes on with the sweeps where a person has more videos than one request deletes", async () => {
	const { auth, domain } = await service.tenant();
	await initiate(service, auth, { uploader_ref: "many" });
	await service.database.query({
		text: `insert into reelmill.videos select (jsonb_populate_record(v, jsonb_build_object('id', gen_random_uuid(), 'state', 'failed', 'created_at', v.created_at - interval '2 hours'))).*
			from reelmill.videos v, generate_series(1, 150) where v.domain_id = $1`,
		values: [domain.id],
	});
	expect(await erase(auth, "many")).toMatchObject({ status: 202, json: { deleted: 151, forgotten: 0 } });
	const left = () =>
		service.database.query({
			text: "select count(*)::integer as count from reelmill.videos where domain_id = $1 and deleted_at is null",
			values: [domain.id],
		});
	expect(await left()).toEqual([{ count: 51 }]);
	await service.engine.sweep();
	expect(await left()).toEqual([{ count: 0 }]);
});

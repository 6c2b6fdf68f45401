import { playlistOf } from "@reelmill/engine/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { claimed, completion, once, openService, type Service } from "../support/open-service.ts";
import { bearer, type Sent } from "../support/send.ts";

let service: Service;
beforeAll(async () => {
	service = await openService();
	await service.engine.start();
});
afterAll(async () => {
	await service.engine.stop();
	await service.close();
});

/** A tenant with a private video that is available. */
async function published() {
	const tenant = await service.tenant();
	const job = await claimed(service, tenant.auth);
	const files = ["hls/master.m3u8", "media/h264_720.mp4", "og.jpg", "web.mp4"];
	await service.engine.jobs.replaceOutputs(
		job.id,
		job.lock,
		(async function* () {
			for (const path of files) yield { path, bytes: once(path === "hls/master.m3u8" ? playlistOf(1) : path) };
		})(),
	);
	await service.engine.jobs.complete(job.id, completion(job.lock, files));
	return { ...tenant, id: job.id };
}
async function mint(auth: Record<string, string>, viewer_ref = "viewer"): Promise<Record<string, string>> {
	const answer = await service.send({ method: "POST", path: "/v1/playback-keys", headers: auth, json: { viewer_ref } });
	return bearer((answer.json as { playback_key: string }).playback_key);
}
const post = (path: string, headers: Record<string, string>, json?: unknown) =>
	service.send({ method: "POST", path, headers, ...(json !== undefined && { json }) });
const status = async (id: string, headers: Record<string, string>) =>
	(await service.send({ path: `/videos/${id}/web.mp4`, headers })).status;

describe("revoking playback keys", () => {
	it("of a viewer ends the viewer's keys, and the delivery plane says no more than of any other bad key", async () => {
		const { auth, id } = await published();
		const [before, elses] = [await mint(auth), await mint(auth, "else")];
		expect(await status(id, before)).toBe(200);
		const revoked = await post("/v1/playback-keys/revoke", auth, { viewer_ref: "viewer" });
		expect(revoked).toMatchObject({
			status: 200,
			json: { viewer_ref: "viewer", revoked_at: new Date(service.clock.now()).toISOString() },
		});
		const after = await mint(auth);
		await service.clock.advance(2001);
		expect([await status(id, after), await status(id, elses)]).toEqual([200, 200]);
		const ask = (headers: Record<string, string>): Sent => ({
			path: `/videos/${id}/web.mp4`,
			headers: { ...headers, "x-request-id": "same" },
		});
		const [refused, garbage] = [await service.send(ask(before)), await service.send(ask(bearer("x.y.z")))];
		expect([refused.status, refused.text]).toEqual([401, garbage.text]);
		expect({ ...refused.headers, date: "" }).toEqual({ ...garbage.headers, date: "" });
		expect(refused.json).toMatchObject({ error: "playback_key_invalid" });
	});

	it("of all viewers bumps the epoch and ends every key of the domain", async () => {
		const { auth, id } = await published();
		const before = await mint(auth);
		expect(await post("/v1/playback-keys/revoke-all", auth)).toMatchObject({ status: 200, json: { epoch: 1 } });
		const after = await mint(auth);
		await service.clock.advance(2001);
		expect([await status(id, before), await status(id, after)]).toEqual([401, 200]);
	});

	it("takes a viewer_ref and nothing else", async () => {
		const { auth } = await service.tenant();
		for (const json of [
			{},
			{ viewer_ref: "" },
			{ viewer_ref: "x".repeat(256) },
			{ viewer_ref: 1 },
			{ viewer_ref: "v", more: 1 },
		]) {
			expect(await post("/v1/playback-keys/revoke", auth, json)).toMatchObject({
				status: 400,
				json: { error: "validation_error" },
			});
		}
	});

	it("is refused with 409 where the domain holds 1000 revocations", async () => {
		const { auth, domain } = await service.tenant();
		await service.database.query({
			text: "insert into reelmill.playback_revocations (domain_id, viewer_ref, revoked_order, revoked_at) select $1, n::text, n, $2 from generate_series(1, 1000) n",
			values: [domain.id, new Date(service.clock.now())],
		});
		expect(await post("/v1/playback-keys/revoke", auth, { viewer_ref: "v" })).toMatchObject({
			status: 409,
			json: { error: "playback_revocation_limit" },
		});
		expect(await post("/v1/playback-keys/revoke", auth, { viewer_ref: "1000" })).toMatchObject({ status: 200 });
	});
});

describe("a sandbox session", () => {
	it("is refused what the contract keeps from it before anything else of the request is looked at", async () => {
		const auth = bearer((await service.engine.sandbox.createSession()).api_key);
		const refused: Sent[] = [
			{ method: "POST", path: "/v1/playback-keys/revoke", body: "{" },
			{ method: "POST", path: "/v1/playback-keys/revoke-all" },
			{ path: "/v1/domain?unknown=1" },
			{ method: "PATCH", path: "/v1/domain/config", json: { nope: 1 } },
			{ method: "POST", path: "/v1/domain/rotate-key" },
			{ path: "/v1/usage" },
			{ method: "PUT", path: "/v1/domain/storage", body: "x".repeat(70_000) },
		];
		for (const request of refused) {
			expect(await service.send({ ...request, headers: auth })).toMatchObject({
				status: 403,
				json: { error: "sandbox_not_allowed" },
			});
		}
		expect(await service.send({ path: "/v1/limits", headers: auth })).toMatchObject({ status: 200 });
		expect(
			await service.send({ method: "POST", path: "/v1/playback-keys", headers: auth, json: { viewer_ref: "v" } }),
		).toMatchObject({ status: 201 });
		expect(await service.send({ path: "/admin/v1/stats", headers: auth })).toMatchObject({
			status: 404,
			json: { error: "not_found" },
		});
	});
});

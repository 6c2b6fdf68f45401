import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { Video } from "../../contracts/src/index.ts";
import { deliveredFiles, finished } from "../../http/test/support/finished.ts";
import { createBucketOpener } from "../../storage-s3/src/index.ts";
import { createTestBucket, type TestBucket } from "../../storage-s3/src/testing/index.ts";
import { asking } from "./support/open-edge.ts";
import { edges, openRealEdge, type RealEdge } from "./support/open-real-edge.ts";

describe.each([edges.node, edges.nginx])("a bucket whose public_base_url is an edge of $name", (kind) => {
	let bucket: TestBucket;
	let edge: RealEdge;
	beforeAll(async () => {
		bucket = await createTestBucket(inject("s3"));
		edge = await openRealEdge({
			kind,
			adapters: (publicBaseUrl) => ({
				buckets: createBucketOpener({ allow: [] }),
				storageLocations: [
					{
						id: "eu",
						name: "Europe",
						region: "us-east-1",
						bucket: { ...bucket.bucket, owner: "platform" as const, keyPrefix: "videos" },
						publicBaseUrl,
					},
				],
			}),
		});
		expect(await storage("PUT", "/v1/domain/storage")).toMatchObject({ status: 200 });
	});
	afterAll(async () => {
		await edge?.close();
		await bucket?.remove();
	});
	const storage = (method: string, path: string) =>
		edge.service.send({
			method,
			path,
			headers: edge.tenant.auth,
			json: { backend: "s3_platform", location_id: "eu" },
		});

	it("passes the check of storage, though it opens the bucket to nobody", async () => {
		expect(await storage("POST", "/v1/domain/storage/verify")).toMatchObject({ status: 200, json: { warnings: [] } });
	});

	it("gives what was changed within 5 s, of public and of private videos, and keeps nobody's old bytes under a new address", async () => {
		const { service, tenant, url, pass } = edge;
		const headers = tenant.auth;
		const send = (method: string, path: string, json: object) => service.send({ method, path, headers, json });
		const minted = await send("POST", "/v1/playback-keys", { viewer_ref: "v" });
		const { playback_key: key } = minted.json as { playback_key: string };
		const [open, closed] = [await finished(service, headers, "public"), await finished(service, headers)];
		await service.engine.sweep();
		const addressOf = async (id: string) =>
			((await service.send({ path: `/v1/videos/${id}`, headers })).json as Video).outputs?.chapters_url ?? "";
		const ask = asking(url);
		const first = (await addressOf(open)).slice(url.length);
		const atEdge = (id: string) => `/videos/${id}/chapters.vtt`;
		for (const path of [first, atEdge(open), atEdge(closed)]) expect((await ask(path, { key })).text).toBe("WEBVTT\n");
		for (const id of [open, closed])
			await send("PUT", `/v1/videos/${id}/chapters`, { chapters: [{ start_seconds: 0, title: "Beginning" }] });
		const named = await ask(`${atEdge(open)}?v=1`);
		expect(named.headers["cache-control"]).toBe(named.text === "WEBVTT\n" ? "public, no-cache" : "public, max-age=60");
		await service.engine.sweep();
		expect(await addressOf(open)).toBe(`${service.url}${atEdge(open)}?v=1`);
		await pass(6);
		await service.engine.sweep();
		const second = (await addressOf(open)).slice(url.length);
		expect(second).toMatch(/^\/videos\/public\//);
		expect(second).not.toBe(first);
		const changed = { status: 200, text: expect.stringContaining("Beginning") };
		for (const path of [first, second, `${atEdge(open)}?v=1`])
			expect(await ask(path)).toMatchObject({ ...changed, headers: { "cache-control": "public, max-age=60" } });
		expect(await ask(`${atEdge(closed)}?v=1`, { key })).toMatchObject({
			...changed,
			headers: { "cache-control": "private, no-cache" },
		});
		expect((await ask(`${atEdge(closed)}?v=1`)).status).toBe(401);
	});

	it("plays public videos through the edge, and refuses them there within 5 s after their end", async () => {
		const { service, tenant, url, pass, taken } = edge;
		const [closed, deleted] = [
			await finished(service, tenant.auth, "public"),
			await finished(service, tenant.auth, "public"),
		];
		await service.engine.sweep();
		const addresses = await Promise.all(
			[closed, deleted].map(async (id) => {
				const { outputs } = (await service.send({ path: `/v1/videos/${id}`, headers: tenant.auth })).json as Video;
				const address = outputs?.mp4_url ?? "";
				expect(address).toMatch(new RegExp(`^${url}/videos/public/${id}/[0-9a-f-]{36}/web\\.mp4$`));
				return address.slice(url.length, -"web.mp4".length);
			}),
		);
		const ask = asking(url);
		taken();
		for (const isWarm of [false, true]) {
			for (const address of addresses)
				for (const [path, text] of Object.entries(deliveredFiles))
					expect(await ask(address + path)).toMatchObject({
						status: 200,
						text,
						headers: { "cache-control": "public, max-age=86400", "access-control-allow-origin": "*" },
					});
			expect(taken()).toHaveLength(isWarm ? 0 : 2 * Object.keys(deliveredFiles).length);
		}
		const headers = tenant.auth;
		await service.send({
			method: "PATCH",
			path: `/v1/videos/${closed}/visibility`,
			headers,
			json: { visibility: "private" },
		});
		await service.send({ method: "DELETE", path: `/v1/videos/${deleted}`, headers });
		await pass(5);
		for (const address of addresses)
			expect(await ask(`${address}web.mp4`)).toMatchObject({ status: 401, json: { error: "playback_key_required" } });
	});
});

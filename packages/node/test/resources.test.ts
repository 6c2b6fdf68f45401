import { api, isJsonOperation, type Operation } from "@reelmill/contracts";
import { describe, expect, it } from "vitest";
import { scriptedServer } from "../../client/test/support/scripted-server.ts";
import { createReelmill, createReelmillAdmin, type Reelmill, type ReelmillAdmin } from "../src/index.ts";
import { video, videoId } from "./support/video.ts";

const id = videoId;
/** A row for each operation: the call, and the request that it sends. */
const tenantCalls: [(reelmill: Reelmill) => Promise<unknown>, string][] = [
	[
		({ videos }) => videos.create({ content_type: "video/mp4", file_size: 5 }),
		'POST /v1/videos {"content_type":"video/mp4","file_size":5}',
	],
	[({ videos }) => videos.get(id), `GET /v1/videos/${id}`],
	[
		({ videos }) => videos.page({ state: "failed", limit: 3, cursor: "c" }),
		"GET /v1/videos?state=failed&limit=3&cursor=c",
	],
	[
		({ videos }) => videos.page({ externalRef: "a/b", uploaderRef: "u" }),
		"GET /v1/videos?external_ref=a%2Fb&uploader_ref=u",
	],
	[({ videos }) => videos.counts(), "GET /v1/videos/counts"],
	[({ videos }) => videos.timeline(id), `GET /v1/videos/${id}/timeline`],
	[({ videos }) => videos.cancel(id), `POST /v1/videos/${id}/cancel`],
	[({ videos }) => videos.setVisibility(id, "public"), `PATCH /v1/videos/${id}/visibility {"visibility":"public"}`],
	[({ videos }) => videos.metadata(id), `GET /v1/videos/${id}/metadata`],
	[
		({ videos }) => videos.setMetadata(id, { title: null, values: { a: "1" } }),
		`PUT /v1/videos/${id}/metadata {"title":null,"values":{"a":"1"}}`,
	],
	[
		({ videos }) => videos.page({ search: "t", metadata: { key: "a", value: "" }, include: "metadata" }),
		"GET /v1/videos?search=t&metadata_key=a&metadata_value=&include=metadata",
	],
	[({ videos }) => videos.report(id), `GET /v1/videos/${id}/report`],
	[({ videos }) => videos.transcript(id), `GET /v1/videos/${id}/transcript`],
	[({ videos }) => videos.delete(id), `DELETE /v1/videos/${id}`],
	[({ captions }) => captions.list(id), `GET /v1/videos/${id}/captions`],
	[({ captions }) => captions.get(id, "pt-BR"), `GET /v1/videos/${id}/captions/pt-BR`],
	[
		({ captions }) => captions.put(id, "de", { text: "WEBVTT", label: "Deutsch (A)", kind: "captions" }),
		`PUT /v1/videos/${id}/captions/de?label=Deutsch+%28A%29&kind=captions WEBVTT`,
	],
	[({ chapters }) => chapters.get(id), `GET /v1/videos/${id}/chapters`],
	[
		({ chapters }) => chapters.put(id, [{ start_seconds: 0, title: "One" }]),
		`PUT /v1/videos/${id}/chapters {"chapters":[{"start_seconds":0,"title":"One"}]}`,
	],
	[({ posters }) => posters.get(id), `GET /v1/videos/${id}/poster`],
	[
		({ posters }) => posters.put(id, { atSeconds: 2.5, preview: true }),
		`PUT /v1/videos/${id}/poster {"at_seconds":2.5,"preview":true}`,
	],
	[
		({ posters }) => posters.put(id, { picture: Uint8Array.from(Buffer.from("bytes")) }),
		`PUT /v1/videos/${id}/poster bytes`,
	],
	[({ posters }) => posters.delete(id), `DELETE /v1/videos/${id}/poster`],
	[({ chapters }) => chapters.delete(id), `DELETE /v1/videos/${id}/chapters`],
	[
		({ clips }) => clips.create(id, { start_seconds: 1, end_seconds: 2.5 }),
		`POST /v1/videos/${id}/clips {"start_seconds":1,"end_seconds":2.5}`,
	],
	[({ clips }) => clips.page(id, { limit: 5 }), `GET /v1/videos/${id}/clips?limit=5`],
	[({ captions }) => captions.delete(id, "und"), `DELETE /v1/videos/${id}/captions/und`],
	[
		({ playbackKeys }) => playbackKeys.create({ viewer_ref: "v", video_ids: [id] }),
		`POST /v1/playback-keys {"viewer_ref":"v","video_ids":["${id}"]}`,
	],
	[({ playbackKeys }) => playbackKeys.revoke("v"), 'POST /v1/playback-keys/revoke {"viewer_ref":"v"}'],
	[({ playbackKeys }) => playbackKeys.revokeAll(), "POST /v1/playback-keys/revoke-all"],
	[({ imports }) => imports.create({ url: "https://a/b.mp4" }), 'POST /v1/imports {"url":"https://a/b.mp4"}'],
	[({ imports }) => imports.page({ status: "done", limit: 5 }), "GET /v1/imports?limit=5&status=done"],
	[({ imports }) => imports.get(id), `GET /v1/imports/${id}`],
	[({ imports }) => imports.cancel(id), `DELETE /v1/imports/${id}`],
	[({ erasures }) => erasures.create("u"), 'POST /v1/erasures {"uploader_ref":"u"}'],
	[({ domain }) => domain.get(), "GET /v1/domain"],
	[({ domain }) => domain.updateConfig({ transcript: true }), 'PATCH /v1/domain/config {"transcript":true}'],
	[({ domain }) => domain.rotateKey(), "POST /v1/domain/rotate-key"],
	[({ domain }) => domain.rotateKey({ graceSeconds: 0 }), 'POST /v1/domain/rotate-key {"grace_seconds":0}'],
	[({ domain }) => domain.rotateWebhookSecret(), "POST /v1/domain/rotate-webhook-secret"],
	[({ limits }) => limits.get(), "GET /v1/limits"],
	[({ usage }) => usage.get(), "GET /v1/usage"],
	[({ usage }) => usage.days({ from: "2026-01-01" }), "GET /v1/usage/days?from=2026-01-01"],
	[({ usage }) => usage.firstSteps(), "GET /v1/first-steps"],
	[({ webhookDeliveries }) => webhookDeliveries.page({ status: "failed" }), "GET /v1/webhook-deliveries?status=failed"],
	[
		({ webhookDeliveries }) => webhookDeliveries.page({ type: "webhook.test", videoId: id }),
		`GET /v1/webhook-deliveries?type=webhook.test&video_id=${id}`,
	],
	[({ webhookDeliveries }) => webhookDeliveries.get(id), `GET /v1/webhook-deliveries/${id}`],
	[
		({ webhookDeliveries }) => webhookDeliveries.replayFailed({ since: new Date(0) }),
		'POST /v1/webhook-deliveries/replay {"since":"1970-01-01T00:00:00.000Z","dry_run":false}',
	],
	[({ webhookDeliveries }) => webhookDeliveries.sendTest(), "POST /v1/domain/test-webhook"],
	[
		({ webhookListeners }) => webhookListeners.listen(id, { received: [id] }),
		`POST /v1/webhook-listeners/${id}/events {"received":["${id}"]}`,
	],
	[
		({ webhookListeners }) => webhookListeners.trigger("video.ready"),
		'POST /v1/webhook-listeners/trigger {"type":"video.ready"}',
	],
	[({ webhookDeliveries }) => webhookDeliveries.replay(id), `POST /v1/webhook-deliveries/${id}/replay`],
	[
		({ outros }) => outros.create({ slug: "end", content_type: "video/mp4", file_size: 1 }),
		'POST /v1/outros {"slug":"end","content_type":"video/mp4","file_size":1}',
	],
	[({ domain }) => domain.listKeys(), "GET /v1/domain/keys"],
	[({ domain }) => domain.endKey(id), `DELETE /v1/domain/keys/${id}`],
	[({ audit }) => audit.page({ actor: "...abcd" }), "GET /v1/audit?actor=...abcd"],
	[({ outros }) => outros.list(), "GET /v1/outros"],
	[({ outros }) => outros.get("end"), "GET /v1/outros/end"],
	[({ outros }) => outros.delete("end"), "DELETE /v1/outros/end"],
	[({ storage }) => storage.get(), "GET /v1/domain/storage"],
	[({ storage }) => storage.update({ backend: "local" }), 'PUT /v1/domain/storage {"backend":"local"}'],
	[({ storage }) => storage.reset(), "DELETE /v1/domain/storage"],
	[({ storage }) => storage.verify({ backend: "local" }), 'POST /v1/domain/storage/verify {"backend":"local"}'],
	[({ storage }) => storage.places(), "GET /v1/domain/storage/places"],
	[({ storage }) => storage.locations(), "GET /v1/storage/locations"],
	[({ sandbox }) => sandbox.createSession(), "POST /v1/sandbox/session"],
];
const adminCalls: [(admin: ReelmillAdmin) => Promise<unknown>, string][] = [
	[({ domains }) => domains.create({ slug: "a" }), 'POST /admin/v1/domains {"slug":"a"}'],
	[({ domains }) => domains.page({ limit: 2 }), "GET /admin/v1/domains?limit=2"],
	[({ domains }) => domains.get(id), `GET /admin/v1/domains/${id}`],
	[({ domains }) => domains.update(id, { slug: "b" }), `PATCH /admin/v1/domains/${id} {"slug":"b"}`],
	[({ domains }) => domains.delete(id), `DELETE /admin/v1/domains/${id}`],
	[({ domains }) => domains.rotateKey(id), `POST /admin/v1/domains/${id}/rotate-key`],
	[
		({ domains }) => domains.rotateKey(id, { graceSeconds: 60 }),
		`POST /admin/v1/domains/${id}/rotate-key {"grace_seconds":60}`,
	],
	[({ serviceAccounts }) => serviceAccounts.create({ name: "w" }), 'POST /admin/v1/service-accounts {"name":"w"}'],
	[({ serviceAccounts }) => serviceAccounts.page(), "GET /admin/v1/service-accounts"],
	[({ serviceAccounts }) => serviceAccounts.rotate(id), `POST /admin/v1/service-accounts/${id}/rotate`],
	[({ serviceAccounts }) => serviceAccounts.revoke(id), `DELETE /admin/v1/service-accounts/${id}`],
	[
		({ audit }) => audit.page({ domainId: id, action: "domain.deleted", resourceId: "r", limit: 2 }),
		`GET /admin/v1/audit?domain_id=${id}&action=domain.deleted&resource_id=r&limit=2`,
	],
	[({ stats }) => stats.get(), "GET /admin/v1/stats"],
	[({ storageLocations }) => storageLocations.list(), "GET /admin/v1/storage-locations"],
];

describe("the resources", () => {
	it("each call their operation with the key", async () => {
		await using server = await scriptedServer({ status: 200, body: { data: [], next_cursor: null } });
		const reelmill = createReelmill({ baseUrl: server.baseUrl, apiKey: "ek_key" });
		for (const [call] of tenantCalls) await call(reelmill);
		expect(server.seen.map(({ method, url, body }) => `${method} ${url} ${body}`.trim())).toEqual(
			tenantCalls.map(([, sent]) => sent),
		);
		const keyless = server.seen.filter(({ headers }) => headers.authorization !== "Bearer ek_key");
		expect(keyless.map(({ url, headers }) => [url, headers.authorization])).toEqual([
			["/v1/sandbox/session", undefined],
		]);
	});

	it("of the operator call theirs with the admin key", async () => {
		await using server = await scriptedServer({ status: 200, body: { data: [], next_cursor: null } });
		const admin = createReelmillAdmin({ baseUrl: server.baseUrl, adminKey: async () => "admin" });
		for (const [call] of adminCalls) await call(admin);
		expect(server.seen.map(({ method, url, body }) => `${method} ${url} ${body}`.trim())).toEqual(
			adminCalls.map(([, sent]) => sent),
		);
		expect(new Set(server.seen.map(({ headers }) => headers.authorization))).toEqual(new Set(["Bearer admin"]));
	});

	it("reach every JSON operation of the tenant plane", () => {
		const methodAndPath = new Set(
			tenantCalls.map(([, sent]) =>
				sent
					.replace(/[?{ ]*(\{.*|\?.*)$/, "")
					.replaceAll(id, "{id}")
					.replace(/outros\/end/, "outros/{slug}")
					.replace(/captions\/[\w-]+$/, "captions/{language}"),
			),
		);
		const operations = Object.values<Operation>(api).filter(
			(operation) => operation.plane === "tenant" && isJsonOperation(operation),
		);
		expect(
			operations.map(({ method, path }) => `${method} ${path}`).filter((operation) => !methodAndPath.has(operation)),
		).toEqual([]);
	});

	it("need no key to mint a sandbox session", async () => {
		await using server = await scriptedServer({ status: 200, body: { api_key: "ek_sandbox" } });
		expect(await createReelmill({ baseUrl: server.baseUrl }).sandbox.createSession()).toEqual({
			api_key: "ek_sandbox",
		});
		expect(server.seen[0]?.headers.authorization).toBeUndefined();
	});

	it("answer what was asked: the outros themselves, and nothing for a deletion", async () => {
		await using server = await scriptedServer({ status: 200, body: { data: ["one"], next_cursor: null } });
		const reelmill = createReelmill({ baseUrl: server.baseUrl, apiKey: "ek_key" });
		expect(await reelmill.outros.list()).toEqual(["one"]);
		expect(await reelmill.storage.locations()).toEqual(["one"]);
		expect(await reelmill.videos.delete(videoId)).toBeUndefined();
	});

	it("throw errors by their code", async () => {
		await using server = await scriptedServer({ status: 404, body: { error: "video_not_found" } });
		await expect(
			createReelmill({ baseUrl: server.baseUrl, apiKey: "ek_key" }).videos.get(videoId),
		).rejects.toMatchObject({ code: "video_not_found" });
	});
});

describe("listing", () => {
	it("goes over all pages, fetching each when it is reached", async () => {
		const [a, b, c] = [video({ external_ref: "a" }), video({ external_ref: "b" }), video({ external_ref: "c" })];
		await using server = await scriptedServer(
			{ status: 200, body: { data: [a, b], next_cursor: "n+1/=" } },
			{ status: 200, body: { data: [c], next_cursor: null } },
		);
		const { videos } = createReelmill({ baseUrl: server.baseUrl, apiKey: "ek_key" });
		const seen: unknown[] = [];
		for await (const { external_ref } of videos.list({ state: "available", pageSize: 2 }))
			seen.push(external_ref, server.seen.length);
		expect(seen).toEqual(["a", 1, "b", 1, "c", 2]);
		expect(server.seen.map(({ url }) => url)).toEqual([
			"/v1/videos?state=available&limit=2",
			"/v1/videos?state=available&limit=2&cursor=n%2B1%2F%3D",
		]);
	});

	it("goes over deliveries, domains, service accounts and changes alike", async () => {
		const lists: [(baseUrl: string) => AsyncIterable<unknown>, string][] = [
			[
				(baseUrl) =>
					createReelmill({ baseUrl, apiKey: "ek_key" }).webhookDeliveries.list({ status: "pending", pageSize: 1 }),
				"status=pending&limit=1",
			],
			[(baseUrl) => createReelmillAdmin({ baseUrl, adminKey: "admin" }).domains.list({ pageSize: 1 }), "limit=1"],
			[
				(baseUrl) => createReelmillAdmin({ baseUrl, adminKey: "admin" }).serviceAccounts.list({ pageSize: 1 }),
				"limit=1",
			],
			[
				(baseUrl) => createReelmill({ baseUrl, apiKey: "ek_key" }).audit.list({ actor: "operator", pageSize: 1 }),
				"actor=operator&limit=1",
			],
		];
		for (const [list, query] of lists) {
			await using server = await scriptedServer(
				{ status: 200, body: { data: ["a"], next_cursor: "n" } },
				{ status: 200, body: { data: ["b"], next_cursor: null } },
			);
			expect(await Array.fromAsync(list(server.baseUrl))).toEqual(["a", "b"]);
			expect(server.seen.map(({ url }) => url.split("?")[1])).toEqual([query, `${query}&cursor=n`]);
		}
	});

	it("can be left early", async () => {
		await using server = await scriptedServer({ status: 200, body: { data: [video()], next_cursor: "more" } });
		for await (const { id } of createReelmill({ baseUrl: server.baseUrl, apiKey: "ek_key" }).videos.list()) {
			expect(id).toBe(videoId);
			break;
		}
		expect(server.seen).toHaveLength(1);
	});
});

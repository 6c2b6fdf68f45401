import { describe, expect, it } from "vitest";
import { scriptedServer } from "../../client/test/scripted-server.ts";
import { createReelmill } from "../src/index.ts";
import { video, videoId } from "./fixtures.ts";

describe("the resources", () => {
	it("each call their operation with the key", async () => {
		await using server = await scriptedServer({ status: 200, body: video() });
		const reelmill = createReelmill({ baseUrl: server.baseUrl, apiKey: "ek_key" });
		await reelmill.videos.create({ content_type: "video/mp4", file_size: 5 });
		expect(await reelmill.videos.get(videoId)).toEqual(video());
		await reelmill.videos.cancel(videoId);
		await reelmill.videos.setVisibility(videoId, "public");
		expect(await reelmill.videos.delete(videoId)).toBeUndefined();
		await reelmill.playbackKeys.create({ viewer_ref: "v", video_ids: [videoId] });
		await reelmill.domain.get();
		await reelmill.domain.updateConfig({ transcript: true });
		expect(server.seen.map(({ method, url, body }) => `${method} ${url} ${body}`.trim())).toEqual([
			'POST /v1/videos {"content_type":"video/mp4","file_size":5}',
			`GET /v1/videos/${videoId}`,
			`POST /v1/videos/${videoId}/cancel`,
			`PATCH /v1/videos/${videoId}/visibility {"visibility":"public"}`,
			`DELETE /v1/videos/${videoId}`,
			`POST /v1/playback-keys {"viewer_ref":"v","video_ids":["${videoId}"]}`,
			"GET /v1/domain",
			'PATCH /v1/domain/config {"transcript":true}',
		]);
		expect(new Set(server.seen.map(({ headers }) => headers.authorization))).toEqual(new Set(["Bearer ek_key"]));
	});

	it("throw errors by their code", async () => {
		await using server = await scriptedServer({ status: 404, body: { error: "video_not_found" } });
		await expect(createReelmill({ baseUrl: server.baseUrl, apiKey: "ek_key" }).videos.get(videoId)).rejects.toMatchObject({ code: "video_not_found" });
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
		for await (const { external_ref } of videos.list({ state: "available", pageSize: 2 })) seen.push(external_ref, server.seen.length);
		expect(seen).toEqual(["a", 1, "b", 1, "c", 2]);
		expect(server.seen.map(({ url }) => url)).toEqual(["/v1/videos?state=available&limit=2", "/v1/videos?state=available&limit=2&cursor=n%2B1%2F%3D"]);
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

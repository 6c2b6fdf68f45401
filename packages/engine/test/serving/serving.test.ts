import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { finishJob, type OpenedEngine, openEngine, uploadVideo } from "../support/open-engine.ts";

let opened: OpenedEngine;
beforeAll(async () => {
	opened = await openEngine();
});
afterAll(() => opened.close());

async function published(visibility: "private" | "public" = "private") {
	const tenant = await opened.tenant();
	const { video } = await uploadVideo(opened, tenant.principal, { visibility });
	await finishJob(opened, await opened.engine.jobs.claimById(opened.worker, video.id, { worker: "w" }));
	const key = async (input: object = {}) =>
		`Bearer ${(await opened.engine.playback.createKey(tenant.principal, { viewer_ref: "v", ttl_seconds: 3600, ...input })).playback_key}`;
	return { ...tenant, id: video.id, key };
}
const open = (videoId: string, authorization: string | null, path = "web.mp4") =>
	opened.engine.serving.open({ videoId, path, authorization });
const refused = (promise: Promise<unknown>, code: string) => expect(promise).rejects.toMatchObject({ code });
const unknown = "00000000-0000-4000-8000-000000000000";

describe("delivery", () => {
	it("sends a private video's files to a key that opens it, whole and in ranges", async () => {
		const { id, key } = await published();
		const file = await open(id, await key());
		expect(file).toMatchObject({
			size: 16,
			contentType: "video/mp4",
			visibility: "private",
			corsOrigins: [],
			etag: expect.stringMatching(/^"[\w-]+"$/),
		});
		const text = async (range?: { start: number; end: number }) => {
			const parts: Uint8Array[] = [];
			for await (const part of await file.read(range)) parts.push(part);
			return Buffer.concat(parts).toString();
		};
		expect([await text(), await text({ start: 9, end: 11 })]).toEqual(["bytes of web.mp4", "web"]);
		expect((await open(id, await key(), "hls/master.m3u8")).contentType).toBe("application/vnd.apple.mpegurl");
	});

	it("asks for a key for private and unknown videos alike, and never says why a key is not good", async () => {
		const { id, key, apiKey, principal } = await published();
		const other = await published();
		const { upload } = await opened.engine.videos.create(principal, { content_type: "video/mp4", file_size: 1 });
		await refused(open(id, null), "playback_key_required");
		await refused(open(unknown, null), "playback_key_required");
		const good = await key();
		const bad = [
			"Bearer x",
			"Basic abc",
			`Bearer ${apiKey}`,
			`Bearer ${upload.token}`,
			await other.key(),
			await key({ video_ids: [other.id] }),
			`${good.slice(0, -2)}${good.endsWith("AA") ? "BB" : "AA"}`,
		];
		for (const authorization of bad) await refused(open(id, authorization), "playback_key_invalid");
		await refused(open(unknown, good), "playback_key_invalid");
		await open(id, await key({ video_ids: [id] }));
		await opened.clock.advance(3_600_000);
		await refused(open(id, good), "playback_key_invalid");
	});

	it("sends a public video to anyone, and follows a change of visibility and a deletion at once", async () => {
		const { id, principal } = await published("public");
		expect((await open(id, null)).visibility).toBe("public");
		expect((await open(id, "Bearer nonsense")).visibility).toBe("public");
		await opened.engine.videos.setVisibility(principal, id, "private");
		await refused(open(id, null), "playback_key_required");
		await opened.engine.videos.setVisibility(principal, id, "public");
		await open(id, null);
		await opened.engine.videos.delete(principal, id);
		await refused(open(id, null), "playback_key_required");
	});

	it("refuses paths that leave the video or aren't paths, and doesn't know what isn't there", async () => {
		const { id } = await published("public");
		for (const path of ["../x", "a/../b", "", "/web.mp4", "a//b", "web.mp4/", "a\\b", ".env", "%2e%2e/x"])
			await refused(open(id, null, path), "invalid_path");
		await refused(open("not-a-uuid", null), "invalid_path");
		for (const path of ["nothing.mp4", "constructor", "hls/other.m3u8", "frames/00001.jpg"])
			await refused(open(id, null, path), "not_found");
		const { principal } = await opened.tenant();
		const waiting = await uploadVideo(opened, principal, { visibility: "public" });
		await refused(open(waiting.video.id, null), "not_found");
	});
});

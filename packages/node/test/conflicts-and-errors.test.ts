import { describe, expect, expectTypeOf, it } from "vitest";
import { scriptedServer } from "../../client/test/support/scripted-server.ts";
import { createReelmill, isReelmillError } from "../src/index.ts";
import { video, videoId } from "./support/video.ts";

const taken = { status: 409, body: { error: "concurrent_upload_exists", existing_video_id: videoId } };
const pending = { status: 200, body: video() };
const input = { content_type: "video/mp4", file_size: 1, uploader_ref: "u" };
const cancelling = { onExisting: "cancel" } as const;
const sdk = (baseUrl: string) => createReelmill({ baseUrl, apiKey: "ek_key" });

describe("initiating against a rival that takes the slot each time", () => {
	it("gives up after three tries with the last conflict", async () => {
		await using server = await scriptedServer(taken, pending, pending, taken, pending, pending, taken);
		await expect(sdk(server.baseUrl).videos.initiateOrResume(input, cancelling)).rejects.toMatchObject({
			code: "concurrent_upload_exists",
		});
		expect(server.seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
			"POST /v1/videos",
			`GET /v1/videos/${videoId}`,
			`POST /v1/videos/${videoId}/cancel`,
			"POST /v1/videos",
			`GET /v1/videos/${videoId}`,
			`POST /v1/videos/${videoId}/cancel`,
			"POST /v1/videos",
		]);
	});

	it("does not cancel an upload that has all its bytes by now, nor minds one that ended meanwhile", async () => {
		const created = { status: 201, body: { video: video(), upload: {} } };
		await using whole = await scriptedServer(taken, { status: 200, body: video({ state: "uploaded" }) }, created);
		expect((await sdk(whole.baseUrl).videos.initiateOrResume(input, cancelling)).resumed).toBe(false);
		expect(whole.seen.some(({ url }) => url.endsWith("/cancel"))).toBe(false);
		await using ended = await scriptedServer(
			taken,
			pending,
			{ status: 409, body: { error: "invalid_state" } },
			created,
		);
		expect((await sdk(ended.baseUrl).videos.initiateOrResume(input, cancelling)).resumed).toBe(false);
		await using gone = await scriptedServer(taken, { status: 404, body: { error: "video_not_found" } }, created);
		expect((await sdk(gone.baseUrl).videos.initiateOrResume(input, cancelling)).resumed).toBe(false);
	});

	it("goes on after a call that failed before it", async () => {
		await using server = await scriptedServer(
			{ status: 400, body: { error: "file_too_large" } },
			{ status: 201, body: { video: video(), upload: {} } },
		);
		const { videos } = sdk(server.baseUrl);
		const outcomes = await Promise.allSettled([videos.initiateOrResume(input), videos.initiateOrResume(input)]);
		expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
	});
});

describe("errors", () => {
	it("never make the SDK repeat a quota code, whatever Retry-After says", async () => {
		for (const error of ["upload_quota_exceeded", "storage_quota_exceeded", "too_many_incomplete_uploads"]) {
			await using server = await scriptedServer({
				status: 429,
				headers: { "retry-after": "0" },
				body: { error, retryAfter: "2026-11-01T00:00:00.000Z" },
			});
			const { videos } = sdk(server.baseUrl);
			for (const call of [videos.create(input), videos.initiateOrResume(input)])
				await expect(call).rejects.toMatchObject({ code: error });
			expect(server.seen).toHaveLength(2);
		}
	});

	it("narrow by code, their extras with them", async () => {
		await using server = await scriptedServer(taken);
		const error: unknown = await sdk(server.baseUrl)
			.videos.create(input)
			.catch((thrown: unknown) => thrown);
		if (!isReelmillError(error, "concurrent_upload_exists")) throw error;
		expectTypeOf(error.extras).toEqualTypeOf<{ existing_video_id: string }>();
		expectTypeOf(error.code).toEqualTypeOf<"concurrent_upload_exists">();
		expect(error.extras).toEqual({ existing_video_id: videoId });
	});
});

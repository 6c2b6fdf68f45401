import { isReelmillError } from "@reelmill/contracts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clip, type OpenedEngine, openEngine } from "../support/open-engine.ts";

let opened: OpenedEngine;
beforeAll(async () => {
	opened = await openEngine();
});
afterAll(() => opened.close());

const hour = 3_600_000;
const expectCode = (promise: Promise<unknown>, code: string) => expect(promise).rejects.toMatchObject({ code });

describe("initiating an upload", () => {
	it("answers the pending video and a tus ticket for it alone", async () => {
		const { principal } = await opened.tenant();
		const { video, upload } = await opened.engine.videos.create(principal, {
			...clip,
			duration_seconds: 8,
			external_ref: "e",
			uploader_ref: "u",
			transcript: true,
			visibility: "public",
		});
		expect(video).toEqual({
			id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4/),
			state: "pending_upload",
			progress: 0,
			visibility: "public",
			content_type: "video/mp4",
			file_size: 10,
			duration_seconds: 8,
			width: null,
			height: null,
			external_ref: "e",
			uploader_ref: "u",
			outro_id: null,
			transcript_status: "pending",
			transcript_url: null,
			outputs: null,
			failure_reason: null,
			created_at: new Date(opened.clock.now()).toISOString(),
			updated_at: new Date(opened.clock.now()).toISOString(),
			uploaded_at: null,
			available_at: null,
			expires_at: new Date(opened.clock.now() + hour).toISOString(),
		});
		expect(upload).toEqual({
			protocol: "tus",
			endpoint: "https://video.example/uploads",
			token: expect.any(String),
			token_type: "Bearer",
			expires_at: video.expires_at,
			metadata: { video_id: video.id },
		});
		expect(await opened.engine.videos.get(principal, video.id)).toEqual(video);
	});

	it("takes any video/* type, as the contract says, and tells what can be taken where it refuses another", async () => {
		const { principal } = await opened.tenant();
		const create = (content_type: string) => opened.engine.videos.create(principal, { ...clip, content_type });
		for (const type of ["video/x-flv", "video/gif", "video/vnd.rn-realvideo"])
			expect((await create(type)).video.content_type).toBe(type);
		await expect(create("image/gif")).rejects.toMatchObject({
			code: "invalid_content_type",
			message: expect.stringMatching(/video\/\* .*: MP4, .* and GIF\.$/),
		});
	});

	it("checks content type, size, duration, slot, throttle and outro in that order", async () => {
		const { principal, domain } = await opened.tenant();
		await opened.engine.domains.updateConfig(domain.id, { max_file_bytes: 100, max_duration_seconds: 5 });
		const create = (input: object) => opened.engine.videos.create(principal, { ...clip, uploader_ref: "u", ...input });
		const outro = { outro_slug: "none" };
		await expectCode(
			create({ content_type: "image/png", file_size: 101, duration_seconds: 6, ...outro }),
			"invalid_content_type",
		);
		await expectCode(create({ file_size: 101, duration_seconds: 6, ...outro }), "file_too_large");
		await expectCode(create({ duration_seconds: 6, ...outro }), "duration_too_long");
		for (let expired = 0; expired < 3; expired++) {
			await create({});
			await opened.clock.advance(hour);
			await opened.engine.sweep();
		}
		await expectCode(create(outro), "too_many_incomplete_uploads");
		await opened.clock.advance(22 * hour);
		const { video } = await create({});
		await expectCode(create(outro), "concurrent_upload_exists");
		await opened.engine.videos.cancel(principal, video.id);
		await expectCode(create(outro), "outro_not_found");
	});

	it("says when the throttle clears, and it does", async () => {
		const { principal } = await opened.tenant();
		const create = () => opened.engine.videos.create(principal, { ...clip, uploader_ref: "slow" });
		for (let expired = 0; expired < 3; expired++) {
			await create();
			await opened.clock.advance(hour);
			await opened.engine.sweep();
		}
		const error = await create().catch((reason: unknown) => reason);
		if (!isReelmillError(error, "too_many_incomplete_uploads")) throw error;
		await opened.clock.advance(Date.parse(error.extras.retryAfter ?? "") - opened.clock.now());
		await create();
	});

	it("names the upload that holds the slot, and frees it by cancel, expiry and completion", async () => {
		const { principal } = await opened.tenant();
		const create = () => opened.engine.videos.create(principal, { ...clip, uploader_ref: "one" });
		const { video } = await create();
		await expect(create()).rejects.toMatchObject({
			code: "concurrent_upload_exists",
			extras: { existing_video_id: video.id },
		});
		await opened.engine.videos.delete(principal, video.id);
		await create();
		await opened.clock.advance(hour);
		await opened.engine.sweep();
		await create();
	});

	it("lets exactly as many of fifty at once through as the domain allows", async () => {
		const { principal, domain } = await opened.tenant();
		await opened.engine.domains.updateConfig(domain.id, { max_concurrent_pending_per_uploader: 3 });
		const outcomes = await Promise.allSettled(
			Array.from({ length: 50 }, () => opened.engine.videos.create(principal, { ...clip, uploader_ref: "crowd" })),
		);
		expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
		for (const outcome of outcomes)
			if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "concurrent_upload_exists" });
	});

	it("knows no slot and no throttle without an uploader_ref", async () => {
		const { principal } = await opened.tenant();
		await Promise.all(Array.from({ length: 5 }, () => opened.engine.videos.create(principal, clip)));
	});
});

describe("another tenant's video", () => {
	it("is not found by any command", async () => {
		const [mine, other] = [await opened.tenant(), await opened.tenant()];
		const { video } = await opened.engine.videos.create(mine.principal, clip);
		await expectCode(opened.engine.videos.get(other.principal, video.id), "video_not_found");
		await expectCode(opened.engine.videos.cancel(other.principal, video.id), "video_not_found");
		await expectCode(opened.engine.videos.delete(other.principal, video.id), "video_not_found");
		await expectCode(opened.engine.videos.setVisibility(other.principal, video.id, "public"), "video_not_found");
		expect((await opened.engine.videos.get(mine.principal, video.id)).state).toBe("pending_upload");
	});
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bytesOf, clip, clipBytes, type OpenedEngine, openEngine, uploadVideo } from "../support/open-engine.ts";

let opened: OpenedEngine;
beforeAll(async () => {
	opened = await openEngine();
});
afterAll(() => opened.close());

const hour = 3_600_000;
async function begin() {
	const { principal } = await opened.tenant();
	const { video, upload } = await opened.engine.videos.create(principal, clip);
	const token = await opened.engine.uploads.authenticate(`Bearer ${upload.token}`);
	return {
		principal,
		token,
		id: video.id,
		bearer: `Bearer ${upload.token}`,
		state: async () => (await opened.engine.videos.get(principal, video.id)).state,
	};
}

describe("an upload", () => {
	it("goes on from the offset reached, and the last byte makes the video uploaded and queued", async () => {
		const { token, id, principal, state } = await begin();
		expect(await opened.engine.uploads.create(token, { videoId: id, length: 10 })).toMatchObject({
			offset: 0,
			length: 10,
		});
		expect(await opened.engine.uploads.append(token, id, 0, bytesOf("0123"))).toBe(4);
		expect(await opened.engine.uploads.status(token, id)).toMatchObject({ offset: 4, length: 10 });
		expect(await state()).toBe("pending_upload");
		expect(await opened.engine.uploads.append(token, id, 4, bytesOf("456789"))).toBe(10);
		expect(await opened.engine.videos.get(principal, id)).toMatchObject({
			state: "queued",
			uploaded_at: expect.any(String),
			expires_at: null,
		});
		await expect(opened.engine.uploads.status(token, id)).rejects.toMatchObject({ code: "upload_not_pending" });
		const { read, size } = await opened.engine.jobs.source(id);
		const got: Uint8Array[] = [];
		for await (const part of await read()) got.push(part);
		expect([size, Buffer.concat(got).toString()]).toEqual([10, clipBytes]);
	});

	it("is over, and not too long, for a request that stood still while another one sent the rest", async () => {
		const { token, id } = await begin();
		const { uploads } = opened.engine;
		await uploads.create(token, { videoId: id, length: 10 });
		const found = await uploads.status(token, id);
		await uploads.append(token, id, 0, bytesOf("0123456789"));
		await expect(uploads.append(token, id, 0, bytesOf("0123456789"), { found })).rejects.toMatchObject({
			code: "upload_not_pending",
		});
	});

	it("is created once: a second creation answers what is there", async () => {
		const { token, id } = await begin();
		await opened.engine.uploads.create(token, { videoId: id, length: 10 });
		await opened.engine.uploads.append(token, id, 0, bytesOf("012"));
		expect(await opened.engine.uploads.create(token, { videoId: id, length: 10 })).toMatchObject({ offset: 3 });
	});

	it("refuses another length, none, no id, another asset's id, another offset and too many bytes", async () => {
		const { token, id, state } = await begin();
		const other = await begin();
		const { uploads } = opened.engine;
		await expect(uploads.create(token, { videoId: id, length: 9 })).rejects.toMatchObject({ code: "size_mismatch" });
		await expect(uploads.create(token, { videoId: id, length: null })).rejects.toMatchObject({ code: "size_mismatch" });
		await expect(uploads.create(token, { videoId: undefined, length: 10 })).rejects.toMatchObject({
			code: "missing_video_id",
		});
		await expect(uploads.create(token, { videoId: other.id, length: 10 })).rejects.toMatchObject({
			code: "unauthorized",
		});
		await expect(uploads.status(token, id)).rejects.toMatchObject({ code: "not_found" });
		await uploads.create(token, { videoId: id, length: 10 });
		await expect(uploads.append(token, id, 3, bytesOf("x"))).rejects.toMatchObject({
			code: "bad_request",
			status: 409,
		});
		await expect(uploads.append(token, id, 0, bytesOf("0123456789-"))).rejects.toMatchObject({ code: "size_mismatch" });
		expect(await state()).toBe("pending_upload");
	});

	it("that has every byte is completed by whoever looks next, when a crash lost the last step", async () => {
		for (const look of ["status", "sweep"] as const) {
			const { token, id, state } = await begin();
			await opened.engine.uploads.create(token, { videoId: id, length: 10 });
			await opened.uploads.append(id, 0, bytesOf(clipBytes), { limit: 10 });
			expect(await state()).toBe("pending_upload");
			if (look === "status") expect(await opened.engine.uploads.status(token, id)).toMatchObject({ offset: 10 });
			else {
				await opened.clock.advance(hour);
				await opened.engine.sweep();
			}
			expect(await state()).toBe("queued");
		}
	});

	it("that isn't complete within the hour expires: bytes gone, event told, token told the state", async () => {
		const { token, id, state, bearer } = await begin();
		await opened.engine.uploads.create(token, { videoId: id, length: 10 });
		await opened.engine.uploads.append(token, id, 0, bytesOf("0"));
		await opened.clock.advance(hour);
		await expect(opened.engine.uploads.append(token, id, 1, bytesOf("1"))).rejects.toMatchObject({
			code: "upload_not_pending",
		});
		await opened.engine.sweep();
		expect(await state()).toBe("expired");
		expect(await opened.uploads.size(id)).toBeNull();
		const late = await opened.engine.uploads.authenticate(bearer);
		await expect(opened.engine.uploads.status(late, id)).rejects.toMatchObject({ code: "upload_not_pending" });
	});

	it("is cancelled by its termination, and by the tenant", async () => {
		for (const end of ["terminate", "cancel"] as const) {
			const { token, id, principal, state } = await begin();
			await opened.engine.uploads.create(token, { videoId: id, length: 10 });
			await opened.engine.uploads.append(token, id, 0, bytesOf("0"));
			if (end === "terminate") await opened.engine.uploads.terminate(token, id);
			else await opened.engine.videos.cancel(principal, id);
			expect(await state()).toBe("cancelled");
			expect(await opened.uploads.size(id)).toBeNull();
			await expect(opened.engine.uploads.terminate(token, id)).rejects.toMatchObject({ code: "upload_not_pending" });
		}
	});

	it("knows no token but its own kind", async () => {
		const { principal, apiKey } = await opened.tenant();
		const { playback_key } = await opened.engine.playback.createKey(principal, { viewer_ref: "v", ttl_seconds: 60 });
		for (const wrong of [null, "", "Bearer", "Bearer x", `Bearer ${apiKey}`, `Bearer ${playback_key}`]) {
			await expect(opened.engine.uploads.authenticate(wrong)).rejects.toMatchObject({ code: "unauthorized" });
		}
	});
});

describe("admission", () => {
	it("queues no more of a domain's videos than it may process, oldest first, and the next when a slot is free", async () => {
		const { principal } = await opened.tenant(undefined, { max_concurrent_processing: 2 });
		const ids: string[] = [];
		for (let index = 0; index < 4; index++) {
			ids.push((await uploadVideo(opened, principal)).video.id);
			await opened.clock.advance(1000);
		}
		const states = async () =>
			Promise.all(ids.map(async (id) => (await opened.engine.videos.get(principal, id)).state));
		expect(await states()).toEqual(["queued", "queued", "uploaded", "uploaded"]);
		await opened.engine.videos.cancel(principal, ids[0] as string);
		expect(await states()).toEqual(["cancelled", "queued", "queued", "uploaded"]);
	});

	it("is never overshot, however many uploads end at once", async () => {
		const { principal } = await opened.tenant(undefined, { max_concurrent_processing: 3 });
		const created = await Promise.all(Array.from({ length: 12 }, () => uploadVideo(opened, principal)));
		const states = await Promise.all(
			created.map(async ({ video }) => (await opened.engine.videos.get(principal, video.id)).state),
		);
		expect(states.filter((state) => state === "queued")).toHaveLength(3);
		expect(states.filter((state) => state === "uploaded")).toHaveLength(9);
	});
});

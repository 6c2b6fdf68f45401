import { readFile } from "node:fs/promises";
import { createTestReelmill, type TestReelmill } from "@reelmill/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Kept, sendByTus } from "../src/send-by-tus.ts";

let test: TestReelmill;
/** A clip, and enough behind it for three requests. */
let file: Buffer;
beforeAll(async () => {
	test = await createTestReelmill();
	const clip = await readFile(new URL("../../demo/assets/clip.mp4", import.meta.url));
	file = Buffer.concat([clip, Buffer.alloc(20 * 1024 * 1024 - clip.length)]);
});
afterAll(() => test.close());

const stateOf = async ({ videoId }: Kept) => (await test.reelmill.videos.get(videoId)).state;
/** Asks for an upload as the app's back end does. */
async function ask(size: number): Promise<Kept> {
	const { upload } = await test.reelmill.videos.create({ content_type: "video/mp4", file_size: size });
	return { endpoint: upload.endpoint, token: upload.token, videoId: upload.metadata.video_id, url: null };
}

it("goes on where an app was killed, and takes a lost last answer for done", async () => {
	let kept = await ask(file.length);
	const keep = (next: Kept) => {
		kept = next;
	};
	const killed = new AbortController();
	const onChunkComplete = () => killed.abort(new Error("killed"));
	await expect(sendByTus(file, kept, keep, { onChunkComplete, signal: killed.signal })).rejects.toThrow("killed");
	expect(kept.url).toBe(`${kept.endpoint}/${kept.videoId}`);
	expect(await stateOf(kept)).toBe("pending_upload");

	const offsets: number[] = [];
	await sendByTus(file, kept, keep, { onChunkComplete: (_, accepted) => offsets.push(accepted) });
	expect(offsets[0]).toBeGreaterThan(8 * 1024 * 1024);
	expect(offsets.at(-1)).toBe(file.length);
	expect(await stateOf(kept)).not.toBe("pending_upload");

	await sendByTus(file, kept, keep);
});

it("gives up an upload that is over, and one whose token is nobody's, without asking again", async () => {
	const small = file.subarray(0, 100_000);
	const cancelled = await ask(small.length);
	await test.reelmill.videos.cancel(cancelled.videoId);
	await expect(sendByTus(small, cancelled, () => undefined)).rejects.toThrow("upload_not_pending");
	await expect(sendByTus(small, { ...cancelled, token: "nobody's" }, () => undefined)).rejects.toThrow("401");
});

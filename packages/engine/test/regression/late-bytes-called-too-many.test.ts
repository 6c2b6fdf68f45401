import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { UploadStore } from "@reelmill/engine";
import { createLocalUploadStore } from "@reelmill/storage-local";
import { afterAll, beforeAll, expect, it } from "vitest";
import { bytesOf, clip, type OpenedEngine, openEngine } from "../support/open-engine.ts";

let directory: string;
let opened: OpenedEngine;
/** What lands just before the next append, as a part does whose answer was given up. */
let late: string | null = null;
beforeAll(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-late-"));
	const store = createLocalUploadStore({ directory });
	const uploads: UploadStore = {
		...store,
		async append(id, offset, bytes, options) {
			if (late !== null) await store.append(id, offset, bytesOf(late), options);
			late = null;
			return store.append(id, offset, bytes, options);
		},
	};
	opened = await openEngine({ uploads });
});
afterAll(async () => {
	await opened.close();
	await rm(directory, { recursive: true, force: true });
});

it("tells a client whose offset was passed by late bytes to ask for the new one, not that it sent too many", async () => {
	const { principal } = await opened.tenant();
	const { video, upload } = await opened.engine.videos.create(principal, clip);
	const { uploads } = opened.engine;
	const token = await uploads.authenticate(`Bearer ${upload.token}`);
	await uploads.create(token, { videoId: video.id, length: 10 });
	late = "0123";
	await expect(uploads.append(token, video.id, 0, bytesOf("0123456789"))).rejects.toMatchObject({
		code: "bad_request",
		status: 409,
	});
	const { offset } = await uploads.status(token, video.id);
	expect(offset).toBe(4);
	expect(await uploads.append(token, video.id, offset, bytesOf("456789"))).toBe(10);
});

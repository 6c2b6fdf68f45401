import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { refuse, tusServer } from "../../client/test/support/tus-server.ts";
import { type CreateUploadOptions, createUpload, type UploadController, type UploadState } from "../src/upload.ts";

type Tus = Awaited<ReturnType<typeof tusServer>>;
const bytes = randomBytes(300_000);
const file = () => new File([bytes], "clip.mp4", { type: "video/mp4" });

function memoryStorage() {
	const items = new Map<string, string>();
	return {
		items,
		getItem: (key: string) => items.get(key) ?? null,
		setItem: (key: string, value: string) => void items.set(key, value),
		removeItem: (key: string) => void items.delete(key),
	};
}

/** Creates the upload of a page. `initiated` counts the calls of the back end. */
function page(tus: Tus, more: Partial<CreateUploadOptions> = {}) {
	const initiated: string[] = [];
	const initiate = async () => {
		const id = `video-${tus.requests.filter((request) => request.startsWith("POST")).length + 1}`;
		initiated.push(id);
		return { video: { id }, upload: tus.ticket(id) };
	};
	return {
		initiated,
		upload: createUpload({ file: file(), initiate, storage: null, chunkSize: 100_000, backoffSeconds: 0.01, ...more }),
	};
}

const until = (upload: UploadController, holds: (state: UploadState) => boolean) =>
	new Promise<UploadState>((resolve) => {
		const look = () => {
			const state = upload.state.get();
			if (!holds(state)) return;
			stop();
			resolve(state);
		};
		const stop = upload.state.subscribe(look);
		look();
	});

/** Holds the PATCH at an offset until `release` is called, so that a test can act in the middle of an upload. */
function gate(offset: number) {
	let release = () => {};
	const open = new Promise<void>((resolve) => (release = resolve));
	let reach = () => {};
	const reached = new Promise<void>((resolve) => (reach = resolve));
	return {
		reached,
		release,
		intercept: async (request: IncomingMessage) => {
			if (request.headers["upload-offset"] !== `${offset}`) return false;
			reach();
			await open;
			return false;
		},
	};
}

describe("an upload", () => {
	it("goes from idle to done and tells how far it is", async () => {
		await using tus = await tusServer();
		const { upload } = page(tus);
		const states: UploadState[] = [upload.state.get()];
		upload.state.subscribe((state) => states.push(state));
		expect(await upload.start()).toEqual({ videoId: "video-1" });
		expect((await tus.bytes("video-1")).equals(bytes)).toBe(true);
		expect([...new Set(states.map(({ status }) => status))]).toEqual(["idle", "preparing", "uploading", "done"]);
		expect(states.at(-1)).toEqual({
			status: "done",
			bytesSent: 300_000,
			bytesTotal: 300_000,
			speedBytesPerSecond: null,
			secondsLeft: null,
			source: null,
			videoId: "video-1",
			resumedFromBytes: null,
			retryAt: null,
			inOtherTab: false,
			ended: "finished",
			endedElsewhere: false,
			error: null,
		});
	});

	it("of a file that is no video fails before the back end is asked", async () => {
		await using tus = await tusServer();
		const document = new File(["%PDF-1.7"], "clip.mp4", { type: "video/mp4" });
		const { upload, initiated } = page(tus, { file: document });
		await expect(upload.start()).rejects.toMatchObject({ code: "invalid_content_type" });
		expect(upload.state.get()).toMatchObject({ status: "failed", error: { code: "invalid_content_type" } });
		expect(initiated).toEqual([]);
		expect(tus.requests).toEqual([]);
	});

	it("does nothing until it is started, and once however often it is started", async () => {
		await using tus = await tusServer();
		const { upload, initiated } = page(tus);
		expect(initiated).toEqual([]);
		const first = upload.start();
		expect(upload.start()).toBe(first);
		await first;
		expect(await upload.start()).toEqual({ videoId: "video-1" });
		expect(initiated).toHaveLength(1);
	});

	it("pauses and goes on at the offset reached", async () => {
		const held = gate(100_000);
		await using tus = await tusServer({ intercept: held.intercept });
		const { upload, initiated } = page(tus);
		const done = upload.start();
		await held.reached;
		upload.pause();
		expect(upload.state.get().status).toBe("paused");
		held.release();
		upload.resume();
		expect(await done).toEqual({ videoId: "video-1" });
		expect(upload.state.get().resumedFromBytes).toBeGreaterThanOrEqual(100_000);
		expect(initiated).toHaveLength(1);
		expect(tus.requests.filter((request) => request.endsWith("@0"))).toHaveLength(1);
		expect((await tus.bytes("video-1")).equals(bytes)).toBe(true);
	});

	it("does not lose the video that was being initiated when it was paused", async () => {
		await using tus = await tusServer();
		let answer = () => {};
		const waiting = new Promise<void>((resolve) => (answer = resolve));
		let asked = 0;
		const { upload } = page(tus, {
			initiate: async () => {
				asked++;
				await waiting;
				return { video: { id: "video-1" }, upload: tus.ticket("video-1") };
			},
		});
		const done = upload.start();
		upload.pause();
		upload.resume();
		upload.pause();
		answer();
		upload.resume();
		await done;
		expect(asked).toBe(1);
	});

	it("is ended for good by cancel: the server throws it away, a later start begins anew", async () => {
		const held = gate(100_000);
		await using tus = await tusServer({ intercept: held.intercept });
		const storage = memoryStorage();
		const { upload, initiated } = page(tus, { storage });
		const done = upload.start();
		await held.reached;
		const cancelled = upload.cancel();
		held.release();
		await cancelled;
		await expect(done).rejects.toMatchObject({ name: "AbortError" });
		expect(upload.state.get().status).toBe("cancelled");
		expect(tus.requests.at(-1)).toBe("DELETE /uploads/video-1");
		expect(storage.items.size).toBe(0);
		await upload.start();
		expect(initiated).toHaveLength(2);
	});

	it("shows why it retries, and goes on", async () => {
		let refused = 0;
		await using tus = await tusServer({
			intercept(request, response) {
				if (request.method !== "PATCH" || refused++ > 0) return false;
				refuse(request, response, 503, "storage_unavailable");
				return true;
			},
		});
		const { upload } = page(tus);
		const done = upload.start();
		const { error } = await until(upload, ({ status }) => status === "retrying");
		expect(error).toMatchObject({ code: "storage_unavailable" });
		await done;
		expect(upload.state.get().error).toBeNull();
	});

	it("fails with the error of initiate, and starts again when told", async () => {
		await using tus = await tusServer();
		let asked = 0;
		const { upload } = page(tus, {
			initiate: async () => {
				if (++asked === 1) throw new Error("not signed in");
				return { video: { id: "video-1" }, upload: tus.ticket("video-1") };
			},
		});
		await expect(upload.start()).rejects.toThrow("not signed in");
		expect(upload.state.get()).toMatchObject({ status: "failed", error: { message: "not signed in" } });
		await upload.start();
		expect(upload.state.get()).toMatchObject({ status: "done", error: null });
	});
});

describe("an upload after a reload", () => {
	/** Ends a page after one acknowledged chunk: its upload is closed and never used again. */
	async function interrupted(tus: Tus, held: ReturnType<typeof gate>, storage: ReturnType<typeof memoryStorage>) {
		const { upload } = page(tus, { storage });
		void upload.start();
		await held.reached;
		upload.close();
		expect(upload.state.get().status).toBe("idle");
		held.release();
	}

	it("goes on at the offset reached, without asking the back end, when the same file is chosen again", async () => {
		const [held, storage] = [gate(100_000), memoryStorage()];
		await using tus = await tusServer({ intercept: held.intercept });
		await interrupted(tus, held, storage);
		const { upload, initiated } = page(tus, { storage, file: new File([bytes], "renamed.mp4") });
		expect(await upload.start()).toEqual({ videoId: "video-1" });
		expect(initiated).toEqual([]);
		expect(upload.state.get().resumedFromBytes).toBeGreaterThanOrEqual(100_000);
		expect((await tus.bytes("video-1")).equals(bytes)).toBe(true);
		expect(storage.items.size).toBe(0);
	});

	it("begins anew for another file", async () => {
		const [held, storage] = [gate(100_000), memoryStorage()];
		await using tus = await tusServer({ intercept: held.intercept });
		await interrupted(tus, held, storage);
		const other = Buffer.from(bytes);
		other[299_999] = (other[299_999] ?? 0) ^ 1;
		const { upload, initiated } = page(tus, { storage, file: new File([other], "clip.mp4") });
		await upload.start();
		expect(initiated).toEqual(["video-2"]);
	});

	it("ends where the earlier upload was cancelled, and begins anew only when it is started again", async () => {
		const [held, storage] = [gate(100_000), memoryStorage()];
		await using tus = await tusServer({ intercept: held.intercept });
		await interrupted(tus, held, storage);
		await fetch(`${tus.endpoint}/video-1`, {
			method: "DELETE",
			headers: { authorization: "Bearer upload-token", "tus-resumable": "1.0.0" },
		});
		const { upload, initiated } = page(tus, { storage });
		await expect(upload.start()).rejects.toMatchObject({ code: "upload_not_pending" });
		expect(upload.state.get()).toMatchObject({ status: "cancelled", ended: "cancelled", endedElsewhere: true });
		expect(initiated).toEqual([]);
		expect(storage.items.size).toBe(0);
		expect(await upload.start()).toEqual({ videoId: "video-2" });
		expect(initiated).toEqual(["video-2"]);
		expect(upload.state.get()).toMatchObject({ status: "done", endedElsewhere: false, resumedFromBytes: null });
	});

	it.each([
		["before it is started", () => {}],
		["at once after it is started", (upload: UploadController) => void upload.start().catch(() => {})],
	])("is ended for good by cancel %s: the service throws it away", async (_, begin) => {
		const [held, storage] = [gate(100_000), memoryStorage()];
		await using tus = await tusServer({ intercept: held.intercept });
		await interrupted(tus, held, storage);
		const { upload, initiated } = page(tus, { storage });
		begin(upload);
		const cancelled = upload.cancel();
		expect(upload.state.get()).toMatchObject({ status: "cancelled", endedElsewhere: false });
		const again = upload.start();
		await cancelled;
		expect(tus.requests).toContain("DELETE /uploads/video-1");
		expect(await again).toEqual({ videoId: "video-2" });
		expect(initiated).toEqual(["video-2"]);
		expect(storage.items.size).toBe(0);
	});

	it.each([
		["expired", { status: "expired", ended: "expired", endedElsewhere: true }],
		["lost", { status: "failed", ended: null, endedElsewhere: false }],
	])("says where the service says that it is %s", async (end, state) => {
		const [held, storage] = [gate(100_000), memoryStorage()];
		let isOver = false;
		await using tus = await tusServer({
			intercept(request, response) {
				if (!isOver) return held.intercept(request);
				refuse(request, response, 409, "upload_not_pending", { "upload-complete": "?0", "upload-end": end });
				return true;
			},
		});
		await interrupted(tus, held, storage);
		isOver = true;
		const { upload, initiated } = page(tus, { storage });
		await expect(upload.start()).rejects.toMatchObject({ code: "upload_not_pending" });
		expect(upload.state.get()).toMatchObject(state);
		expect(initiated).toEqual([]);
	});

	it("is done at once when only the final answer had been lost", async () => {
		const storage = memoryStorage();
		await using tus = await tusServer({ finishing: (request) => void request.socket.destroy() });
		const first = page(tus, { storage, chunkSize: 300_000, retries: 0 });
		await expect(first.upload.start()).rejects.toMatchObject({ name: "ConnectionError" });
		const second = page(tus, { storage });
		expect(await second.upload.start()).toEqual({ videoId: "video-1" });
		expect(second.initiated).toEqual([]);
	});

	it("works without a storage that works, and past what it can't read", async () => {
		await using tus = await tusServer();
		const forbidden = {
			getItem(): string {
				throw new Error("SecurityError");
			},
			setItem() {
				throw new Error("QuotaExceededError");
			},
			removeItem() {
				throw new Error("SecurityError");
			},
		};
		await page(tus, { storage: forbidden }).upload.start();
		for (const text of ["{", "null", "[]", '{"version":2}', '{"version":1,"videoId":7}']) {
			await page(tus, { storage: { ...memoryStorage(), getItem: () => text } }).upload.start();
		}
		expect(tus.finished.size).toBe(6);
	});

	it("keeps no record of what is done, and one only of the token and addresses of what runs", async () => {
		const [held, storage] = [gate(100_000), memoryStorage()];
		await using tus = await tusServer({ intercept: held.intercept });
		await interrupted(tus, held, storage);
		const [[key, value]] = [...storage.items.entries()] as [[string, string]];
		expect(key).toMatch(/^reelmill-upload:300000-[0-9a-f]{16}$/);
		expect(Object.keys(JSON.parse(value)).sort()).toEqual(["ticket", "uploadUrl", "version", "videoId"]);
	});
});

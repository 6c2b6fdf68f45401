import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { ReelmillError } from "@reelmill/client";
import { describe, expect, it, vi } from "vitest";
import { refuse, tusServer } from "../../client/test/support/tus-server.ts";
import {
	type CreateUploadOptions,
	createUpload,
	type UploadController,
	type UploadRequest,
	type UploadState,
} from "../src/upload.ts";
import { memoryStorage } from "./support/memory-storage.ts";

type Tus = Awaited<ReturnType<typeof tusServer>>;
const bytes = randomBytes(300_000);
const file = (content: Uint8Array<ArrayBuffer> = bytes, name = "clip.mp4", lastModified = 1) =>
	new File([content], name, { type: "video/mp4", lastModified });

/**
 * Creates the upload of a page, whose back end says that what is kept continues. `initiated` has the videos that it
 * created, `kept` what it was told.
 */
function page(tus: Tus, more: Partial<CreateUploadOptions> = {}) {
	const initiated: string[] = [];
	const asked: UploadRequest[] = [];
	const initiate: CreateUploadOptions["initiate"] = async (_file, _source, request) => {
		asked.push(request);
		const [earlier] = request.kept;
		if (earlier !== undefined) return { video: { id: earlier } };
		const id = `video-${tus.requests.filter((request) => request.startsWith("POST")).length + 1}`;
		initiated.push(id);
		return { video: { id }, upload: tus.ticket(id) };
	};
	return {
		initiated,
		asked,
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
	it("fails before its last bytes if the file has changed, where the browser reads on, and then sends it as it is", async () => {
		const { reached, release, intercept } = gate(100_000);
		await using tus = await tusServer({ intercept });
		const chosen = file();
		let content = chosen;
		Object.assign(chosen, { slice: (...part: [number, number]) => Blob.prototype.slice.apply(content, part) });
		const { upload, initiated } = page(tus, { file: chosen, storage: memoryStorage() });
		upload.start().catch(() => {});
		await reached;
		content = file(randomBytes(bytes.length));
		release();
		const { status, error } = await until(upload, ({ status }) => status === "failed" || status === "done");
		expect({ status, name: error?.name }).toEqual({ status: "failed", name: "NotReadableError" });
		expect(tus.requests.at(-1)).toMatch(/^DELETE/);
		await upload.start();
		expect(initiated).toHaveLength(2);
	});

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
			startedAnew: false,
			retryAt: null,
			inOtherTab: false,
			ended: "finished",
			endedElsewhere: false,
			canReplace: false,
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

	it("stays paused if the pause comes while a retry is prepared", async () => {
		await using tus = await tusServer({
			intercept(request, response) {
				if (request.method === "PATCH") refuse(request, response, 503, "storage_unavailable");
				return request.method === "PATCH";
			},
		});
		const [reading, read] = [Promise.withResolvers<void>(), Promise.withResolvers<ArrayBuffer>()];
		const slow = file();
		const slice = slow.slice.bind(slow);
		// Before a retry one byte is read, which a slow disk may take long for.
		slow.slice = (from, to) => {
			if (from !== 0 || to !== 1) return slice(from, to);
			reading.resolve();
			return Object.assign(slice(from, to), { arrayBuffer: () => read.promise });
		};
		const { upload } = page(tus, { file: slow });
		void upload.start();
		await reading.promise;
		upload.pause();
		read.resolve(new ArrayBuffer(1));
		await new Promise((resolve) => setTimeout(resolve));
		expect(upload.state.get()).toMatchObject({ status: "paused", error: null, retryAt: null });
		upload.close();
	});

	it("ends its promise when it is closed, also if it was paused before the back end answered", async () => {
		const upload = createUpload({ file: file(), initiate: () => new Promise(() => {}), storage: null });
		const done = upload.start();
		upload.pause();
		upload.close();
		expect(upload.state.get().status).toBe("idle");
		await expect(done).rejects.toMatchObject({ name: "AbortError" });
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

	it("goes on at the offset reached when the same file is chosen again and the back end says that it is the same upload", async () => {
		const [held, storage] = [gate(100_000), memoryStorage()];
		await using tus = await tusServer({ intercept: held.intercept });
		await interrupted(tus, held, storage);
		const { upload, initiated, asked } = page(tus, { storage });
		expect(await upload.start()).toEqual({ videoId: "video-1" });
		expect(asked).toEqual([{ kept: ["video-1"], replace: false }]);
		expect(initiated).toEqual([]);
		expect(upload.state.get().startedAnew).toBe(false);
		expect(upload.state.get().resumedFromBytes).toBeGreaterThanOrEqual(100_000);
		expect((await tus.bytes("video-1")).equals(bytes)).toBe(true);
		expect(storage.items.size).toBe(0);
	});

	const edited = Buffer.from(bytes);
	edited[299_999] = (edited[299_999] ?? 0) ^ 1;
	it.each([
		["another file", file(edited)],
		["a file of another name", file(bytes, "renamed.mp4")],
		// The bytes between the samples may differ.
		["a file that was edited in place", file(bytes, "clip.mp4", 2)],
	])("begins anew for %s", async (_, other) => {
		const [held, storage] = [gate(100_000), memoryStorage()];
		await using tus = await tusServer({ intercept: held.intercept });
		await interrupted(tus, held, storage);
		const { upload, initiated, asked } = page(tus, { storage, file: other });
		await upload.start();
		expect(initiated).toEqual(["video-2"]);
		expect(asked).toEqual([{ kept: [], replace: false }]);
	});

	it("begins anew for another person or purpose, as the back end says, and leaves alone what is kept", async () => {
		const [held, storage] = [gate(100_000), memoryStorage()];
		await using tus = await tusServer({ intercept: held.intercept });
		await interrupted(tus, held, storage);
		const initiate = async () => ({ video: { id: "of-another" }, upload: tus.ticket("of-another") });
		const { upload } = page(tus, { storage, initiate });
		expect(await upload.start()).toEqual({ videoId: "of-another" });
		expect((await tus.bytes("of-another")).equals(bytes)).toBe(true);
		expect([...storage.items.keys()]).toEqual(["reelmill-upload:video-1"]);
		expect(await page(tus, { storage }).upload.start()).toEqual({ videoId: "video-1" });
		expect(storage.items.size).toBe(0);
	});

	it("says once that it begins anew where the back end says that the earlier upload has ended", async () => {
		const [held, storage] = [gate(100_000), memoryStorage()];
		await using tus = await tusServer({ intercept: held.intercept });
		await interrupted(tus, held, storage);
		const initiate = async () => ({ video: { id: "v" }, upload: tus.ticket("v"), earlier_state: "expired" });
		const { upload } = page(tus, { initiate, storage });
		await upload.start();
		expect(upload.state.get()).toMatchObject({ status: "done", startedAnew: true });
		expect(storage.items.size).toBe(0);
	});

	it("tells the back end of the last five that are kept, in the order in which they began", async () => {
		const [held, storage] = [gate(100_000), memoryStorage()];
		await using tus = await tusServer({ intercept: held.intercept });
		await interrupted(tus, held, storage);
		const record = JSON.parse(storage.getItem("reelmill-upload:video-1") ?? "");
		for (const age of [0, 6, 2, 4, 3, 5]) {
			const [videoId, began] = [`aged-${age}`, record.began - age * 1000];
			storage.setItem(`reelmill-upload:${videoId}`, JSON.stringify({ ...record, videoId, began }));
		}
		storage.removeItem("reelmill-upload:video-1");
		const { upload, asked } = page(tus, { storage });
		await upload.start().catch(() => {});
		expect(asked[0]?.kept).toEqual(["aged-5", "aged-4", "aged-3", "aged-2", "aged-0"]);
	});

	it("is done if another tab sends the rest while the back end is asked", async () => {
		const [held, storage] = [gate(100_000), memoryStorage()];
		await using tus = await tusServer({ intercept: held.intercept });
		await interrupted(tus, held, storage);
		const { upload } = page(tus, {
			storage,
			async initiate(_file, _source, { kept: [earlier = ""] }) {
				await page(tus, { storage }).upload.start();
				return { video: { id: earlier } };
			},
		});
		expect(await upload.start()).toEqual({ videoId: "video-1" });
		expect(storage.items.size).toBe(0);
	});

	it("begins anew at once where the earlier upload was cancelled meanwhile", async () => {
		const [held, storage] = [gate(100_000), memoryStorage()];
		await using tus = await tusServer({ intercept: held.intercept });
		await interrupted(tus, held, storage);
		await fetch(`${tus.endpoint}/video-1`, {
			method: "DELETE",
			headers: { authorization: "Bearer upload-token", "tus-resumable": "1.0.0" },
		});
		const { upload, initiated } = page(tus, { storage });
		expect(await upload.start()).toEqual({ videoId: "video-2" });
		expect(initiated).toEqual(["video-2"]);
		expect(storage.items.size).toBe(0);
		expect(upload.state.get()).toMatchObject({
			status: "done",
			startedAnew: true,
			endedElsewhere: false,
			resumedFromBytes: null,
		});
	});

	it("is ended for good by cancel as soon as the back end has said which it is: the service throws it away", async () => {
		const [held, storage] = [gate(100_000), memoryStorage()];
		await using tus = await tusServer({ intercept: held.intercept });
		await interrupted(tus, held, storage);
		let cancelled: Promise<void> | undefined;
		const { upload } = page(tus, {
			storage,
			async initiate(_file, _source, { kept: [earlier] }) {
				if (earlier === undefined) return { video: { id: "video-2" }, upload: tus.ticket("video-2") };
				cancelled = upload.cancel();
				return { video: { id: earlier } };
			},
		});
		await expect(upload.start()).rejects.toMatchObject({ name: "AbortError" });
		expect(upload.state.get()).toMatchObject({ status: "cancelled", endedElsewhere: false });
		await cancelled;
		expect(tus.requests).toContain("DELETE /uploads/video-1");
		expect(await upload.start()).toEqual({ videoId: "video-2" });
		expect(storage.items.size).toBe(0);
	});

	it.each([
		["expired", { status: "expired", ended: "expired", endedElsewhere: true }],
		["lost", { status: "failed", ended: null, endedElsewhere: false }],
	])(
		"says where the service says in its middle that it is %s, and begins anew when it is started again",
		async (end, state) => {
			let isOver = true;
			await using tus = await tusServer({
				intercept(request, response) {
					if (!isOver || request.headers["upload-offset"] !== "100000") return false;
					refuse(request, response, 409, "upload_not_pending", { "upload-complete": "?0" }, { upload_end: end });
					return true;
				},
			});
			const { upload, initiated } = page(tus);
			await expect(upload.start()).rejects.toMatchObject({ code: "upload_not_pending" });
			expect(upload.state.get()).toMatchObject({ ...state, startedAnew: false });
			isOver = false;
			await upload.start();
			expect(initiated).toEqual(["video-1", "video-2"]);
		},
	);

	it("is done at once when only the final answer had been lost", async () => {
		const storage = memoryStorage();
		await using tus = await tusServer({ finishing: (request) => void request.socket.destroy() });
		const first = page(tus, { storage, chunkSize: 300_000, retries: 0 });
		await expect(first.upload.start()).rejects.toMatchObject({ name: "ConnectionError" });
		const second = page(tus, { storage });
		expect(await second.upload.start()).toEqual({ videoId: "video-1" });
		expect(second.initiated).toEqual([]);
	});

	it("works where the browser forbids locks and channels with its storage", async () => {
		await using tus = await tusServer();
		const forbid = () => {
			throw new DOMException("Access is denied.", "SecurityError");
		};
		vi.stubGlobal("navigator", { onLine: true, locks: { request: async () => forbid() } });
		vi.stubGlobal("BroadcastChannel", forbid);
		expect(await page(tus, { storage: memoryStorage() }).upload.start()).toEqual({ videoId: "video-1" });
		vi.unstubAllGlobals();
	});

	it("is never idle in a second tab that takes over from one that lets go", async () => {
		const [held, storage] = [gate(100_000), memoryStorage()];
		await using tus = await tusServer({ intercept: held.intercept });
		const first = page(tus, { storage });
		void first.upload.start();
		await held.reached;
		const { upload } = page(tus, { storage });
		const done = upload.start();
		await until(upload, ({ inOtherTab }) => inOtherTab);
		const seen = new Set<string>();
		upload.state.subscribe(({ status }) => seen.add(status));
		first.upload.close();
		held.release();
		await done;
		expect([...seen]).toEqual(["preparing", "uploading", "done"]);
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
			key: () => null,
			get length(): number {
				throw new Error("SecurityError");
			},
		};
		await page(tus, { storage: forbidden }).upload.start();
		for (const text of ["{", "null", "[]", '{"version":1}', '{"version":2,"videoId":7}']) {
			const storage = memoryStorage();
			storage.setItem("reelmill-upload:video-1", text);
			storage.getItem = () => text;
			await page(tus, { storage }).upload.start();
		}
		expect(tus.finished.size).toBe(6);
	});

	it("keeps no record of what is done, and one only of the token and addresses of what runs", async () => {
		const [held, storage] = [gate(100_000), memoryStorage()];
		await using tus = await tusServer({ intercept: held.intercept });
		await interrupted(tus, held, storage);
		const [[key, value]] = [...storage.items.entries()] as [[string, string]];
		expect(key).toBe("reelmill-upload:video-1");
		expect(Object.keys(JSON.parse(value)).sort()).toEqual([
			"began",
			"file",
			"ticket",
			"uploadUrl",
			"version",
			"videoId",
		]);
		const record = JSON.parse(value);
		expect(record.file).toMatch(/^300000-[0-9a-f]{16}$/);
		// After a day it is gone.
		record.began -= 86_400_001;
		storage.setItem(key, JSON.stringify(record));
		const { upload, asked } = page(tus, { storage });
		await upload.start();
		expect(asked[0]?.kept).toEqual([]);
		expect(storage.items.size).toBe(0);
	});
});

describe("an upload that is in the way", () => {
	const exists = (id: string) =>
		new ReelmillError("concurrent_upload_exists", { status: 409, extras: { existing_video_id: id } });

	it("gives way if this browser keeps it: the service throws it away, and the file is sent", async () => {
		const [held, storage] = [gate(100_000), memoryStorage()];
		await using tus = await tusServer({ intercept: held.intercept });
		const left = page(tus, { storage, file: file(bytes, "left.mp4") });
		void left.upload.start();
		await held.reached;
		left.upload.close();
		held.release();
		const asked: UploadRequest[] = [];
		const { upload } = page(tus, {
			storage,
			async initiate(_file, _source, request) {
				asked.push(request);
				if (!tus.requests.includes("DELETE /uploads/video-1")) throw exists("video-1");
				return { video: { id: "second" }, upload: tus.ticket("second") };
			},
		});
		await expect(upload.start()).rejects.toMatchObject({ code: "concurrent_upload_exists" });
		expect(upload.state.get()).toMatchObject({ status: "failed", canReplace: true });
		expect(await upload.start({ replace: true })).toEqual({ videoId: "second" });
		expect(upload.state.get()).toMatchObject({ status: "done", canReplace: false });
		expect(asked.map(({ replace }) => replace)).toEqual([false, false]);
		expect(storage.items.size).toBe(0);
	});

	it("is cancelled by the back end if this browser keeps nothing of it", async () => {
		await using tus = await tusServer();
		const { upload } = page(tus, {
			storage: memoryStorage(),
			async initiate(_file, _source, { replace }) {
				if (!replace) throw exists("elsewhere");
				return { video: { id: "second" }, upload: tus.ticket("second") };
			},
		});
		await expect(upload.start()).rejects.toMatchObject({ code: "concurrent_upload_exists" });
		expect(upload.state.get()).toMatchObject({ status: "failed", canReplace: false });
		expect(await upload.start({ replace: true })).toEqual({ videoId: "second" });
	});
});

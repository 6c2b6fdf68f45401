import { ReelmillError } from "@reelmill/client";
import { afterEach, describe, expect, it, vi } from "vitest";
import { refuse, tusServer } from "../../client/test/support/tus-server.ts";
import { fromBackEnd } from "../src/back-end.ts";
import { createUploader, type Uploader } from "../src/upload.ts";
import { memoryStorage } from "./support/memory-storage.ts";

type Tus = Awaited<ReturnType<typeof tusServer>>;
const clip = (name: string) => new File([`the bytes of ${name}`], name);
const statuses = (uploader: Uploader) => uploader.state.get().items.map(({ state }) => state.status);

/** An uploader whose back end answers only when it is told to, file by file. */
function uploaderOf(tus: Tus, simultaneous: number) {
	const waiting = new Map<string, () => void>();
	const initiate = async (file: Blob) => {
		const id = (file as File).name;
		await new Promise<void>((resolve) => waiting.set(id, resolve));
		return { video: { id }, upload: tus.ticket(id) };
	};
	return { uploader: createUploader({ initiate, storage: null, simultaneous }), waiting };
}

it("sends so many at once, in the order they were added, and each when its turn comes", async () => {
	await using tus = await tusServer();
	const { uploader, waiting } = uploaderOf(tus, 2);
	expect(uploader.add([clip("one"), clip("two"), clip("three")])).toEqual(["1", "2", "3"]);
	expect(statuses(uploader)).toEqual(["preparing", "preparing", "waiting"]);
	await expect.poll(() => waiting.size).toBe(2);
	const [, , third] = uploader.state.get().items;
	waiting.get("one")?.();
	await expect.poll(() => statuses(uploader)).toEqual(["done", "preparing", "preparing"]);
	expect(uploader.state.get().items[2]).not.toBe(third);
	expect(uploader.state.get().isBusy).toBe(true);
	await expect.poll(() => waiting.size).toBe(3);
	for (const answer of waiting.values()) answer();
	await expect.poll(() => uploader.state.get().isBusy).toBe(false);
	const { items, bytesSent, bytesTotal } = uploader.state.get();
	expect(bytesSent).toBe(bytesTotal);
	expect(items.map(({ state }) => state.videoId)).toEqual(["one", "two", "three"]);
});

it("pauses what waits as well, and goes on with it when its turn comes again", async () => {
	await using tus = await tusServer();
	const { uploader, waiting } = uploaderOf(tus, 1);
	uploader.add([clip("one"), clip("two")]);
	uploader.pause();
	expect(statuses(uploader)).toEqual(["paused", "paused"]);
	expect(uploader.state.get().isBusy).toBe(false);
	uploader.resume("2");
	expect(statuses(uploader)).toEqual(["paused", "preparing"]);
	uploader.resume();
	expect(statuses(uploader)).toEqual(["waiting", "preparing"]);
	await expect.poll(() => waiting.size).toBe(1);
	waiting.get("two")?.();
	await expect.poll(() => waiting.size).toBe(2);
	waiting.get("one")?.();
	await expect.poll(() => statuses(uploader)).toEqual(["done", "done"]);
});

it("cancels one or all, counts none of them, and takes off the list what is over", async () => {
	await using tus = await tusServer();
	const { uploader, waiting } = uploaderOf(tus, 1);
	uploader.add([clip("one"), clip("two"), clip("three")]);
	await uploader.cancel("3");
	expect(statuses(uploader)).toEqual(["preparing", "waiting", "cancelled"]);
	uploader.remove();
	expect(uploader.state.get().items.map(({ id }) => id)).toEqual(["1", "2"]);
	await expect.poll(() => waiting.size).toBe(1);
	const cancelled = uploader.cancel();
	for (const answer of waiting.values()) answer();
	await cancelled;
	expect(uploader.state.get()).toMatchObject({ bytesSent: 0, bytesTotal: 0, isBusy: false });
	await uploader.cancel("unknown");
	uploader.remove();
	expect(uploader.state.get().items).toEqual([]);
});

/** A back end whose domain allows one pending upload and five uploads an hour, as a domain does when it is created. */
function domainOf(tus: Tus) {
	const created: { id: string; at: number }[] = [];
	const pending = () =>
		created.find(({ id }) => !tus.finished.has(id) && !tus.requests.includes(`DELETE /uploads/${id}`));
	return {
		created,
		async initiate() {
			const [existing, now] = [pending(), Date.now()];
			if (existing) throw conflict(existing.id);
			const ofHour = created.filter(({ at }) => at > now - 3_600_000);
			const retryAfter = new Date((ofHour.at(-5)?.at ?? 0) + 3_600_000).toISOString();
			if (ofHour.length >= 5) throw new ReelmillError("rate_limited", { status: 429, extras: { retryAfter } });
			const id = `video-${created.length + 1}`;
			created.push({ id, at: now });
			return { video: { id }, upload: tus.ticket(id) };
		},
	};
}
const conflict = (id: string) =>
	new ReelmillError("concurrent_upload_exists", { status: 409, extras: { existing_video_id: id } });

describe("a queue waits", () => {
	afterEach(() => void vi.useRealTimers());

	it("for the one pending upload that a domain allows, and for the hour's limit, and goes on by itself", async () => {
		vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
		await using tus = await tusServer();
		const domain = domainOf(tus);
		const uploader = createUploader({ initiate: domain.initiate, storage: null });
		const seen = new Set<string>();
		uploader.state.subscribe(() => statuses(uploader).forEach((status) => void seen.add(status)));
		uploader.add(Array.from({ length: 7 }, (_, index) => clip(`${index}.mp4`)));
		const five = [...Array(5).fill("done"), "waiting", "waiting"];
		await vi.waitUntil(() => `${statuses(uploader)}` === `${five}`, { timeout: 20_000 });
		const at = (domain.created[0]?.at ?? 0) + 3_600_000;
		const limited = { retryAt: at, error: { code: "rate_limited" }, canReplace: false };
		await vi.waitUntil(() => uploader.state.get().items[6]?.state.retryAt);
		expect(uploader.state.get().items.slice(5)).toMatchObject([{ state: limited }, { state: limited }]);
		expect(uploader.state.get().isBusy).toBe(true);
		await vi.advanceTimersByTimeAsync(at - Date.now());
		await vi.waitUntil(() => !uploader.state.get().isBusy, { timeout: 20_000 });
		expect(statuses(uploader)).toEqual(Array(7).fill("done"));
		expect(tus.finished.size).toBe(7);
		expect(seen).not.toContain("failed");
	});

	it("by the clock, also over the sleep of a laptop, and asks after an hour whatever the clock says", async () => {
		vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
		await using tus = await tusServer();
		const initiate = vi.fn(async () => ({ video: { id: "video-1" }, upload: tus.ticket("video-1") }));
		for (const hours of [9, 2]) {
			const extras = { retryAfter: new Date(Date.now() + hours * 3_600_000).toISOString() };
			initiate.mockRejectedValueOnce(new ReelmillError("rate_limited", { extras }));
		}
		const uploader = createUploader({ initiate, storage: null });
		const isHeld = () => uploader.state.get().items[0]?.state.retryAt;
		uploader.add([clip("a.mp4")]);
		await vi.waitUntil(isHeld);
		await vi.advanceTimersByTimeAsync(3_599_000);
		expect(initiate).toHaveBeenCalledTimes(1);
		await vi.advanceTimersByTimeAsync(1000);
		await vi.waitUntil(isHeld);
		expect(initiate).toHaveBeenCalledTimes(2);
		vi.setSystemTime(Date.now() + 2 * 3_600_000);
		await vi.advanceTimersByTimeAsync(30_000);
		await vi.waitUntil(() => statuses(uploader)[0] === "done");
	});

	it("for an upload that another page began, asks again, or takes its place when the person says so", async () => {
		vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
		await using tus = await tusServer();
		let existing: string | null = "elsewhere";
		let asked = 0;
		const replaced: boolean[] = [];
		// A back end's code may throw the same error again.
		const refusal = conflict("elsewhere");
		const initiate = async (file: Blob, _: unknown, { replace }: { replace: boolean }) => {
			asked++;
			if (existing !== null && !replace) throw refusal;
			replaced.push(replace);
			const id = (file as File).name;
			return { video: { id }, upload: tus.ticket(id) };
		};
		const uploader = createUploader({ initiate, storage: null });
		uploader.add([clip("a.mp4")]);
		await vi.waitUntil(() => uploader.state.get().items[0]?.state.error);
		expect(uploader.state.get().items[0]?.state).toMatchObject({
			status: "waiting",
			error: { code: "concurrent_upload_exists" },
			canReplace: false,
		});
		// It can't be replaced: this browser knows nothing of it, and the back end has not said that it may be.
		await uploader.replace("1");
		expect(asked).toBe(1);
		await vi.advanceTimersByTimeAsync(5000);
		await vi.waitUntil(() => asked === 2);
		existing = null;
		await vi.advanceTimersByTimeAsync(10_000);
		await vi.waitUntil(() => statuses(uploader)[0] === "done");
		expect(replaced).toEqual([false]);
	});

	it("with an item that was paused, unless the person sends another one in its place", async () => {
		const release = Promise.withResolvers<void>();
		await using tus = await tusServer({
			async intercept({ method, url }) {
				if (method === "PATCH" && url?.endsWith("/video-1")) await release.promise;
				return false;
			},
		});
		const domain = domainOf(tus);
		const uploader = createUploader({ initiate: domain.initiate, storage: memoryStorage(), simultaneous: 1 });
		uploader.add([clip("a.mp4"), clip("b.mp4")]);
		await vi.waitUntil(() => statuses(uploader)[0] === "uploading");
		uploader.pause("1");
		await vi.waitUntil(() => uploader.state.get().items[1]?.state.canReplace);
		await uploader.replace("2");
		await vi.waitUntil(() => statuses(uploader)[1] === "done");
		expect(statuses(uploader)).toEqual(["cancelled", "done"]);
		expect(tus.requests).toContain("DELETE /uploads/video-1");
		release.resolve();
	});

	it("in the person's hands while another one is cancelled, and goes even if that was not heard", async () => {
		const cancelling = Promise.withResolvers<void>();
		await using tus = await tusServer({
			async intercept(request, response) {
				if (request.method !== "DELETE") return request.method === "PATCH" && request.url?.endsWith("/a.mp4");
				await cancelling.promise;
				refuse(request, response, 503, "storage_unavailable");
				return true;
			},
		});
		const answer = async (_: unknown, { body }: RequestInit = {}) => {
			const { file_size: size, replace } = JSON.parse(String(body)) as { file_size: number; replace: boolean };
			const id = size === a.size ? "a.mp4" : "longer.mp4";
			if (id === "a.mp4" || replace) return Response.json({ video: { id }, upload: tus.ticket(id), resumed: false });
			return Response.json({ error: "concurrent_upload_exists", existing_video_id: "a.mp4" }, { status: 409 });
		};
		const [a, longer] = [clip("a.mp4"), clip("longer.mp4")];
		const backEnd = fromBackEnd("/video", { fetch: answer as typeof fetch });
		const uploader = createUploader({ initiate: (file) => backEnd.initiate(file), storage: null, simultaneous: 1 });
		const canReplace = () => uploader.state.get().items[1]?.state.canReplace;
		uploader.add([a, longer]);
		await vi.waitUntil(() => tus.requests.includes("PATCH /uploads/a.mp4 @0"));
		uploader.pause("1");
		await vi.waitUntil(canReplace);
		const replaced = uploader.replace("2");
		uploader.pause("2");
		cancelling.resolve();
		await replaced;
		expect(statuses(uploader)).toEqual(["cancelled", "paused"]);
		uploader.resume("2");
		await vi.waitUntil(canReplace);
		await uploader.replace("2");
		await vi.waitUntil(() => statuses(uploader)[1] === "done");
	});

	it("behind the one that takes another's place: no other item of the queue takes it before", async () => {
		await using tus = await tusServer();
		const storage = memoryStorage();
		const record = { version: 2, videoId: "left", file: "left", began: Date.now(), ticket: tus.ticket("left") };
		storage.setItem("reelmill-upload:left", JSON.stringify(record));
		let refused = 0;
		const initiated = ["left"];
		const initiate = async (file: Blob) => {
			const last = initiated.at(-1) ?? "";
			if (tus.finished.has(last) || tus.requests.includes(`DELETE /uploads/${last}`))
				initiated.push((file as File).name);
			else if (++refused) throw conflict(last);
			return { video: { id: initiated.at(-1) ?? "" }, upload: tus.ticket(initiated.at(-1) ?? "") };
		};
		const uploader = createUploader({ initiate, storage });
		uploader.add([clip("a.mp4")]);
		await vi.waitUntil(() => uploader.state.get().items[0]?.state.canReplace);
		uploader.add([clip("b.mp4"), clip("c.mp4")]);
		await uploader.replace("1");
		await vi.waitUntil(() => !uploader.state.get().isBusy);
		expect(initiated).toEqual(["left", "a.mp4", "b.mp4", "c.mp4"]);
		expect(refused).toBe(1);
	});

	it("not for an item of its own that was let go and has its turn later, nor for the same file's", async () => {
		let hangs = true;
		await using tus = await tusServer({ intercept: ({ method }) => method === "PATCH" && hangs });
		const domain = domainOf(tus);
		const initiate = vi.fn(domain.initiate).mockRejectedValueOnce(new Error("no"));
		const twin = clip("a.mp4");
		const uploader = createUploader({ initiate, storage: null });
		uploader.add([twin]);
		await vi.waitUntil(() => statuses(uploader)[0] === "failed");
		uploader.add([twin]);
		await vi.waitUntil(() => tus.requests.includes("PATCH /uploads/video-1 @0"));
		uploader.close();
		hangs = false;
		uploader.start("1");
		await vi.waitUntil(() => uploader.state.get().items[0]?.state.retryAt);
		uploader.start();
		await vi.waitUntil(() => statuses(uploader)[1] === "done");
		expect(statuses(uploader)[0]).toBe("waiting");
		uploader.close();
	});

	it("for a limit with what is not initiated, but not with what was paused, and tells what holds it now", async () => {
		let hangs = true;
		await using tus = await tusServer({ intercept: ({ headers }) => hangs && headers["upload-offset"] === "10" });
		const limit = new ReelmillError("rate_limited", {
			extras: { retryAfter: new Date(Date.now() + 6e5).toISOString() },
		});
		let refused = 0;
		const initiate = async (file: Blob) => {
			if ((file as File).name === "a.mp4") return { video: { id: "video-1" }, upload: tus.ticket("video-1") };
			throw ++refused < 3 ? conflict("video-1") : limit;
		};
		const uploader = createUploader({ initiate, storage: null, chunkSize: 10 });
		uploader.add([clip("a.mp4")]);
		await vi.waitUntil(() => tus.requests.includes("PATCH /uploads/video-1 @10"));
		uploader.add([clip("b.mp4"), clip("c.mp4")]);
		await vi.waitUntil(() => refused === 2 && `${statuses(uploader)}` === "uploading,waiting,waiting");
		uploader.pause("1");
		await vi.waitUntil(() => uploader.state.get().items[1]?.state.retryAt);
		const waits = { state: { status: "waiting", error: limit, canReplace: false } };
		expect(uploader.state.get().items.slice(1)).toMatchObject([waits, waits]);
		hangs = false;
		uploader.resume("1");
		await vi.waitUntil(() => statuses(uploader)[0] === "done");
		expect(refused).toBe(3);
		uploader.close();
		expect(statuses(uploader)).toEqual(["done", "idle", "idle"]);
	});

	it("for no twin of a file that failed or was let go", async () => {
		await using tus = await tusServer();
		const initiate = vi.fn(async () => ({ video: { id: "twin" }, upload: tus.ticket("twin") }));
		initiate.mockRejectedValueOnce(new Error("no"));
		initiate.mockReturnValueOnce(new Promise(() => {}));
		const uploader = createUploader({ initiate, storage: null });
		const file = clip("a.mp4");
		uploader.add([file]);
		await vi.waitUntil(() => statuses(uploader)[0] === "failed");
		uploader.add([file]);
		await vi.waitUntil(() => initiate.mock.calls.length === 2);
		uploader.close();
		uploader.add([file]);
		await vi.waitUntil(() => statuses(uploader)[2] === "done");
		expect(statuses(uploader)).toEqual(["failed", "idle", "done"]);
	});

	it("to send the same file once more until it was sent", async () => {
		await using tus = await tusServer();
		const { uploader, waiting } = uploaderOf(tus, 3);
		const [one, other] = [clip("same"), clip("other")];
		uploader.add([one, new File([one], "same", { lastModified: one.lastModified }), other]);
		expect(statuses(uploader)).toEqual(["preparing", "waiting", "preparing"]);
		await vi.waitUntil(() => waiting.size === 2);
		for (const answer of waiting.values()) answer();
		await vi.waitUntil(() => statuses(uploader)[1] === "preparing");
		expect(statuses(uploader)[0]).toBe("done");
	});
});

it("lets the browser ask before the page is left as long as any uploader of the page is busy", () => {
	const listeners = new Set<(event: Event) => void>();
	vi.stubGlobal("addEventListener", (_: string, listener: (event: Event) => void) => listeners.add(listener));
	vi.stubGlobal("removeEventListener", (_: string, listener: (event: Event) => void) => listeners.delete(listener));
	const [one, other] = [0, 1].map(() => createUploader({ initiate: () => new Promise(() => {}), storage: null }));
	one?.add([clip("a.mp4")]);
	other?.add([clip("b.mp4")]);
	one?.close();
	const event = new Event("beforeunload", { cancelable: true });
	Object.defineProperty(event, "returnValue", { value: "", writable: true });
	for (const listener of listeners) listener(event);
	expect(event).toMatchObject({ defaultPrevented: true, returnValue: true });
	other?.close();
	expect(listeners.size).toBe(0);
	vi.unstubAllGlobals();
});

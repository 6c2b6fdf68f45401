import { fromBackEnd } from "@reelmill/browser/back-end";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type AwaitedVideo, awaitVideo } from "../src/base/await-video.ts";

const window = new EventTarget();
const page = Object.assign(new EventTarget(), { hidden: false });
const answers: (() => Response)[] = [];
let told: string[];
let ended: AbortController;

beforeEach(() => {
	vi.useFakeTimers();
	// What a page has besides Node's globals.
	vi.stubGlobal("addEventListener", window.addEventListener.bind(window));
	vi.stubGlobal("document", Object.assign(page, { hidden: false }));
	vi.stubGlobal("fetch", async () => (answers.length > 1 ? answers.shift() : answers[0])?.());
	answers.length = 0;
	told = [];
	ended = new AbortController();
});
afterEach(() => {
	ended.abort();
	vi.useRealTimers();
	vi.unstubAllGlobals();
});

const answer = (body: object, status = 200, headers = {}) => Response.json(body, { status, headers });
const video = (state: string, outputs: object | null = null) => ({
	id: "video-1",
	visibility: "public",
	state,
	outputs,
});
const lost = () => {
	throw new TypeError("Failed to fetch");
};
const find = (known: object | null = null) =>
	awaitVideo<AwaitedVideo>({
		ask: () => fromBackEnd("https://page.example.com/video").video("video-1"),
		known: known as AwaitedVideo | null,
		waits: (wait) => told.push("error" in wait ? `${wait.reason}: ${wait.error.name}` : wait.reason),
		signal: ended.signal,
	});

describe("a video that the back end is asked for", () => {
	it("is waited for until it can be played", async () => {
		answers.push(
			() => answer(video("queued")),
			() => answer(video("encoding")),
			() => answer(video("available", {})),
		);
		const found = find(video("uploaded"));
		await vi.advanceTimersByTimeAsync(9000);
		expect([told, (await found)?.state]).toEqual([["preparing", "preparing", "preparing"], "available"]);
	});

	it("is waited for in a state that a later service has", async () => {
		answers.push(
			() => answer(video("from_the_future")),
			() => answer(video("available", {})),
		);
		const found = find(video("from_the_future"));
		await vi.advanceTimersByTimeAsync(9000);
		expect([told, (await found)?.state]).toEqual([["preparing", "preparing"], "available"]);
	});

	it.each(["failed", "timeout", "expired", "cancelled"])("is waited for no longer once it is %s", async (state) => {
		answers.push(
			() => answer(video("encoding")),
			() => answer(video(state)),
		);
		const found = find();
		await vi.advanceTimersByTimeAsync(3000);
		expect((await found)?.state).toBe(state);
	});

	it("is asked for again by itself after a lost connection, at once when the browser is online", async () => {
		answers.push(lost);
		const found = find();
		await vi.advanceTimersByTimeAsync(8000);
		expect(new Set(told)).toEqual(new Set(["offline: ConnectionError"]));
		answers[0] = () => answer(video("available", {}));
		window.dispatchEvent(new Event("online"));
		await vi.advanceTimersByTimeAsync(0);
		expect((await found)?.state).toBe("available");
	});

	it("is asked for again by itself when a busy service wants it", async () => {
		answers.push(() =>
			answer({ error: "rate_limited", retryAfter: new Date(0).toISOString() }, 429, { "retry-after": "60" }),
		);
		const found = find();
		await vi.advanceTimersByTimeAsync(1000);
		window.dispatchEvent(new Event("online"));
		await vi.advanceTimersByTimeAsync(58_000);
		expect(told).toEqual(["busy: ReelmillError"]);
		answers[0] = () => answer(video("available", {}));
		await vi.advanceTimersByTimeAsync(2000);
		expect((await found)?.state).toBe("available");
	});

	it("is not asked for again where that changes nothing, nor once nobody wants it", async () => {
		answers.push(() => answer({ error: "forbidden" }, 403));
		await expect(find()).rejects.toMatchObject({ code: "forbidden" });
		answers[0] = () => answer(video("encoding"));
		const found = find();
		await vi.advanceTimersByTimeAsync(0);
		ended.abort();
		expect([await found, told, vi.getTimerCount()]).toEqual([undefined, ["preparing"], 0]);
	});

	it("is asked for less and less often while nothing changes, and often again after a change", async () => {
		answers.push(() => answer(video("queued")));
		find();
		await vi.advanceTimersByTimeAsync(3_600_000);
		expect(told.length).toBeGreaterThan(100);
		expect(told.length).toBeLessThan(130);
		answers[0] = () => answer({ ...video("encoding"), progress: 1 + told.length });
		await vi.advanceTimersByTimeAsync(30_000);
		const before = told.length;
		await vi.advanceTimersByTimeAsync(12_000);
		expect(told.length - before).toBe(4);
	});

	it.each([
		["preparing", () => answer(video("queued"))],
		["offline: ConnectionError", lost],
	])("is not asked for while the page is hidden, and at once when it is seen (%s)", async (reason, first) => {
		answers.push(first);
		const found = find();
		await vi.advanceTimersByTimeAsync(0);
		page.hidden = true;
		await vi.advanceTimersByTimeAsync(3_600_000);
		expect([told, vi.getTimerCount()]).toEqual([[reason], 0]);
		answers[0] = () => answer(video("available", {}));
		page.hidden = false;
		page.dispatchEvent(new Event("visibilitychange"));
		await vi.advanceTimersByTimeAsync(0);
		expect((await found)?.state).toBe("available");
	});
});

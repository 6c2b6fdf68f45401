import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createVideoFollower, type VideoSource } from "../src/uploader/follow-videos.ts";

const window = new EventTarget();
beforeEach(() => {
	vi.useFakeTimers();
	// What a page has besides Node's globals.
	vi.stubGlobal("addEventListener", window.addEventListener.bind(window));
});
afterEach(() => {
	follower.stop();
	vi.useRealTimers();
	vi.unstubAllGlobals();
});

const encoding = async (id: string) => ({ id, state: "encoding" as const, outputs: null });
const changed = vi.fn();
const follower = createVideoFollower(changed);
/** What an uploader does while another of its uploads runs: each piece that is sent changes the list. */
async function sendPieces(source: VideoSource | null, ids = ["video-1"], pieces = 20) {
	for (let sent = 0; sent < pieces; sent++) {
		follower.follow(ids, source);
		await vi.advanceTimersByTimeAsync(100);
	}
}

describe("a video that is followed", () => {
	it.each(["forbidden", "unauthorized", "not_found"])(
		"is asked for once if the answer is %s, until another try is wanted",
		async (error) => {
			const fetched = vi.fn(async () => Response.json({ error }, { status: 403 }));
			vi.stubGlobal("fetch", fetched);
			await sendPieces("https://page.example.com/video");
			expect(fetched).toHaveBeenCalledTimes(1);
			follower.retry();
			await sendPieces("https://page.example.com/video");
			expect(fetched).toHaveBeenCalledTimes(2);
			await sendPieces("https://other.example.com/video");
			expect(fetched).toHaveBeenCalledTimes(3);
			await sendPieces(null);
			expect(fetched).toHaveBeenCalledTimes(3);
		},
	);

	it("is asked for once if the page's function throws, and again after a lost connection", async () => {
		const throwing = vi.fn(async () => Promise.reject(new Error("not here")));
		// A framework hands over a new function each time.
		await sendPieces(() => throwing());
		await sendPieces(() => throwing());
		expect(throwing).toHaveBeenCalledTimes(1);
		follower.retry();
		const lost = vi.fn(encoding).mockRejectedValueOnce(new TypeError("Failed to fetch"));
		await sendPieces(lost, ["video-1"], 40);
		expect([lost.mock.calls.length, follower.get("video-1")?.state]).toEqual([2, "encoding"]);
	});

	it("is asked for no longer once it is off the list, or nobody is to be asked", async () => {
		const asked = vi.fn(encoding);
		await sendPieces(asked, ["video-1", "video-2"], 1);
		await sendPieces(asked, ["video-2"], 1);
		asked.mockClear();
		await vi.advanceTimersByTimeAsync(7000);
		expect([...new Set(asked.mock.calls.map(([id]) => id))]).toEqual(["video-2"]);
		follower.follow(["video-2"], null);
		asked.mockClear();
		await vi.advanceTimersByTimeAsync(60_000);
		expect([asked.mock.calls.length, vi.getTimerCount()]).toEqual([0, 0]);
	});
});

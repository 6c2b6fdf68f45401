import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createLaterTries } from "../src/later-tries.ts";
import { PlayerError, type PlayerErrorDetails } from "../src/player-error.ts";

const page = { hidden: false };
const element = Object.assign(new EventTarget(), { paused: true }) as { paused: boolean } & HTMLMediaElement;
let ended: AbortController;
/** When the player tried again, in seconds. */
let tried: number[];

beforeEach(() => {
	vi.useFakeTimers({ now: 0 });
	vi.stubGlobal("document", Object.assign(page, { hidden: false }));
	vi.stubGlobal("navigator", { onLine: true });
	Object.assign(element, { paused: true });
	ended = new AbortController();
	tried = [];
});
afterEach(() => {
	ended.abort();
	vi.useRealTimers();
	vi.unstubAllGlobals();
});

/** A player whose every try fails in the same way. */
function failing(details: PlayerErrorDetails = { reason: "busy" }) {
	const tryLater = createLaterTries(element, ended.signal, () => {
		tried.push(Date.now() / 1000);
		fail();
	});
	const fail = () => tryLater(new PlayerError("internal_error", "No.", details));
	fail();
	return fail;
}
const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000);

describe("a player whose playback ended", () => {
	it("asks a busy service less and less often, and often again after a success", async () => {
		const fail = failing();
		await pass(930);
		expect(tried).toEqual([30, 90, 210, 450, 690, 930]);
		element.dispatchEvent(new Event("progress"));
		fail();
		await pass(30);
		expect(tried.at(-1)).toBe(960);
	});

	it("waits as long as the service says", async () => {
		failing({ reason: "busy", retryAfter: new Date(200_000).toISOString() });
		await pass(270);
		expect(tried).toEqual([200, 260]);
	});

	it("waits no longer than an hour, whatever the page's clock makes of the moment", async () => {
		failing({ reason: "busy", retryAfter: "9999-01-01T00:00:00.000Z" });
		await pass(3600);
		expect(tried).toEqual([3600]);
	});

	it("tries a network that the browser believes in, and nothing that stays as it is", async () => {
		failing({ reason: "offline" });
		failing({ reason: "revoked" });
		await pass(75);
		expect(tried).toEqual([5, 15, 35, 75]);
		ended.abort();
		vi.stubGlobal("navigator", { onLine: false });
		ended = new AbortController();
		failing({ reason: "offline" });
		expect(vi.getTimerCount()).toBe(0);
	});

	it("asks nothing while the page is hidden, unless the video plays on", async () => {
		failing();
		page.hidden = true;
		await pass(3600);
		expect(tried).toEqual([]);
		page.hidden = false;
		await pass(1);
		expect(tried).toEqual([3601]);
		element.paused = false;
		page.hidden = true;
		await pass(60);
		expect(tried).toEqual([3601, 3661]);
	});

	it("leaves no timer behind", async () => {
		failing();
		ended.abort();
		expect(vi.getTimerCount()).toBe(0);
		await pass(3600);
		expect(tried).toEqual([]);
	});
});

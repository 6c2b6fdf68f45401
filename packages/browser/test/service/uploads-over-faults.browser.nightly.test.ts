import { randomBytes } from "node:crypto";
import type { RuleHandle } from "@reelmill/fault-proxy";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { UploaderState, UploadState } from "../../src/upload.ts";
import { launchChromium } from "../support/chromium.ts";
import { openFirefox } from "../support/firefox.ts";
import { seeded } from "../support/seeded.ts";
import { sendLargeFile } from "./support/large-file.ts";
import { openUploadWorld, type UploadWorld } from "./support/upload-world.ts";

const chunk = 64 * 1024;
const hour = 3_600_000;
let world: UploadWorld;
let browser: Browser;
let context: BrowserContext;
beforeAll(async () => {
	[world, browser] = await Promise.all([openUploadWorld(), launchChromium()]);
});
afterAll(async () => {
	await browser?.close();
	await world?.close();
});
/** A browser of somebody else's, with nothing kept, and no faults. */
beforeEach(async () => {
	world.initiated.length = 0;
	context = await browser.newContext();
});
afterEach(async () => {
	world.proxy.clear();
	await context.close();
});

/** Opens a tab in which a file is chosen. */
async function tab(file: string): Promise<Page> {
	const page = await context.newPage();
	await page.goto(world.site);
	await page.setInputFiles("input", file);
	return page;
}
const clip = async (size: number) => {
	const bytes = randomBytes(size);
	return { bytes, file: await world.file("clip.mp4", bytes) };
};
const start = (page: Page, chunkSize = chunk) => page.evaluate(`actions.start(${chunkSize})`);
const state = (page: Page) => page.evaluate("actions.state()") as Promise<UploadState>;
const statuses = (page: Page) => page.evaluate("actions.statuses") as Promise<string[]>;
const within = (page: Page, condition: string) =>
	page.waitForFunction(`(({ status, bytesSent, inOtherTab }) => ${condition})(actions.state())`);
const over = async (page: Page) => {
	await within(page, '["done", "failed", "cancelled", "expired"].includes(status)');
	return state(page);
};
/** Holds the nth request that appends, in the middle of its bytes. */
const hold = (nth: number): RuleHandle =>
	world.proxy.use({
		when: { method: "PATCH" },
		nth,
		fault: { kind: "hold", direction: "request", afterBytes: chunk / 2 },
	});
const arrived = async (bytes: Buffer) => {
	expect(world.initiated).toHaveLength(1);
	expect((await world.bytes(world.initiated[0] as string)).equals(bytes)).toBe(true);
};
describe("an upload arrives whole", () => {
	it("over a connection that is cut in the middle of its bytes", async () => {
		const { bytes, file } = await clip(chunk * 4 + 17);
		for (const nth of [1, 3])
			world.proxy.use({
				when: { method: "PATCH" },
				nth,
				fault: { kind: "cut", direction: "request", afterBytes: chunk / 2 },
			});
		const page = await tab(file);
		await start(page);
		expect(await over(page)).toMatchObject({ status: "done", ended: "finished", endedElsewhere: false, error: null });
		expect(await statuses(page)).toContain("retrying");
		await arrived(bytes);
	});

	it("at 256 kbit/s, without a retry, and tells the speed", async () => {
		const { bytes, file } = await clip(128_000);
		world.proxy.use({
			when: { method: "PATCH" },
			fault: { kind: "slow", direction: "request", bytesPerSecond: 32_000 },
		});
		const page = await tab(file);
		await start(page, 32_000);
		await page.waitForFunction("actions.state().speedBytesPerSecond !== null && actions.state().bytesSent >= 96000");
		const { speedBytesPerSecond, secondsLeft } = await state(page);
		expect(speedBytesPerSecond).toBeGreaterThan(0);
		expect(secondsLeft).toBeGreaterThanOrEqual(0);
		expect((await over(page)).status).toBe("done");
		expect(await statuses(page)).toEqual(["preparing", "uploading", "done"]);
		await arrived(bytes);
	});

	it("where every fifth request fails, before or after the service acted", async () => {
		const { bytes, file } = await clip(chunk * 20);
		const when = { path: /^\/uploads/ };
		const random = seeded(16);
		world.proxy.use({ when, chance: { share: 0.1, random }, fault: { kind: "refuse", status: 503 } });
		world.proxy.use({ when, chance: { share: 0.1, random }, fault: { kind: "lose-answer" } });
		const page = await tab(file);
		await start(page);
		expect((await over(page)).status).toBe("done");
		expect(await statuses(page)).toContain("retrying");
		await arrived(bytes);
	});

	it("past the sign-in page of a hotel's network, which answers for the service", async () => {
		const { bytes, file } = await clip(chunk * 3);
		const page = await tab(file);
		const held = hold(2);
		await start(page);
		await held.hit();
		world.proxy.clear();
		world.proxy.use({ times: 2, fault: { kind: "refuse", status: 200 } });
		world.proxy.use({ times: 2, fault: { kind: "refuse", status: 511 } });
		// A page can't read these answers: they have no CORS headers. These it can:
		const headers = { "access-control-allow-origin": "*", "content-type": "text/html" };
		const [when, times] = [{ method: "HEAD" }, 1];
		world.proxy.use({ when, times, fault: { kind: "refuse", status: 200, headers } });
		const portal = world.proxy.use({ when, times, fault: { kind: "refuse", status: 511, headers } });
		held.release();
		// What was held goes on, and asks the portal with its next request.
		await portal.hit();
		expect((await over(page)).status).toBe("done");
		expect(await page.evaluate("actions.errors")).toEqual(["ConnectionError", "ReelmillError"]);
		await arrived(bytes);
	});

	it("from a service worker over HTTP/1.1, where one request is cut and PATCH is refused from then on", async () => {
		const { bytes, file } = await clip(chunk * 4 + 17);
		const when = { method: "PATCH" };
		world.proxy.use({ when, nth: 1, fault: { kind: "cut", direction: "request", afterBytes: chunk / 2 } });
		world.proxy.use({ when, fault: { kind: "refuse", status: 403 } });
		const page = await tab(file);
		const { status, error } = await page.evaluate<UploadState>(`actions.startInServiceWorker(${chunk})`);
		expect({ status, error }).toEqual({ status: "done", error: null });
		await arrived(bytes);
	});

	it("after a reload in its middle, without another video", async () => {
		const { bytes, file } = await clip(chunk * 4);
		const page = await tab(file);
		const held = hold(3);
		await start(page);
		await held.hit();
		await page.reload();
		world.proxy.clear();
		await page.setInputFiles("input", file);
		await start(page);
		const { status, resumedFromBytes } = await over(page);
		expect(status).toBe("done");
		expect(resumedFromBytes).toBeGreaterThanOrEqual(chunk * 2);
		await arrived(bytes);
	});

	it("from a later tab if its tab was closed in its middle", async () => {
		const { bytes, file } = await clip(chunk * 4);
		const page = await tab(file);
		const held = hold(3);
		await start(page);
		await held.hit();
		await page.close();
		world.proxy.clear();
		const later = await tab(file);
		await start(later);
		const { status, resumedFromBytes } = await over(later);
		expect(status).toBe("done");
		expect(resumedFromBytes).toBeGreaterThanOrEqual(chunk * 2);
		await arrived(bytes);
	});

	it("after the laptop slept in its middle, without waiting for what the connection lost", async () => {
		const { bytes, file } = await clip(chunk * 3);
		await context.clock.install();
		const page = await tab(file);
		const held = hold(2);
		await start(page);
		await held.hit();
		// The page has given away all bytes of the request: nothing more moves.
		await within(page, `bytesSent >= ${chunk * 2}`);
		await page.clock.fastForward("10:00");
		expect((await over(page)).status).toBe("done");
		expect(await statuses(page)).toContain("retrying");
		await arrived(bytes);
	});
});

describe("an upload that was ended elsewhere", () => {
	it.each([
		["cancelled", "POST", "/cancel"],
		["deleted", "DELETE", ""],
	])("ends where its video was %s, and a new one begins only when the page asks", async (_, method, path) => {
		const { file } = await clip(chunk * 3);
		const page = await tab(file);
		const held = hold(2);
		await start(page);
		await held.hit();
		await world.asTenant(method, `/v1/videos/${world.initiated[0]}${path}`);
		held.release();
		expect(await over(page)).toMatchObject({
			status: "cancelled",
			ended: "cancelled",
			endedElsewhere: true,
		});
		expect(await page.evaluate("actions.state().error.code")).toBe("upload_not_pending");
		expect(world.initiated).toHaveLength(1);
		world.proxy.clear();
		await page.evaluate("void actions.upload.start()");
		await within(page, 'status === "done"');
		expect(world.initiated).toHaveLength(2);
	});

	it("begins anew at once after a reload, and says so", async () => {
		const { file } = await clip(chunk * 3);
		const page = await tab(file);
		const held = hold(2);
		await start(page);
		await held.hit();
		await page.reload();
		world.proxy.clear();
		await world.asTenant("POST", `/v1/videos/${world.initiated[0]}/cancel`);
		await page.setInputFiles("input", file);
		await start(page);
		expect(await over(page)).toMatchObject({ status: "done", startedAnew: true, endedElsewhere: false });
		expect(world.initiated).toHaveLength(2);
	});

	it("says that it expired if the laptop slept for longer than its window", async () => {
		const { file } = await clip(chunk * 3);
		await context.clock.install();
		const page = await tab(file);
		const held = hold(2);
		await start(page);
		await held.hit();
		await within(page, `bytesSent >= ${chunk * 2}`);
		await world.service.clock.advance(2 * hour);
		await page.clock.fastForward("02:00:00");
		expect(await over(page)).toMatchObject({ status: "expired", ended: "expired", endedElsewhere: true });
		expect(world.initiated).toHaveLength(1);
	});
});

describe("two tabs with the same file", () => {
	/** Two tabs; the first one sends and is held in its middle, the second one follows. */
	async function two() {
		const { bytes, file } = await clip(chunk * 4);
		const first = await tab(file);
		const held = hold(2);
		await start(first);
		await held.hit();
		const second = await tab(file);
		await start(second);
		await within(second, 'inOtherTab && status === "uploading"');
		return { bytes, first, second, held };
	}

	it("send it once, and both see its progress and its end", async () => {
		const { bytes, first, second, held } = await two();
		expect(await state(second)).toMatchObject({ videoId: world.initiated[0], bytesTotal: chunk * 4 });
		held.release();
		expect(await over(first)).toMatchObject({ status: "done", endedElsewhere: false, inOtherTab: false });
		expect(await over(second)).toMatchObject({ status: "done", endedElsewhere: true, bytesSent: chunk * 4 });
		await arrived(bytes);
		expect(await second.evaluate("localStorage.length")).toBe(0);
	});

	it("go on in the second one if the first one is closed", async () => {
		const { bytes, first, second } = await two();
		await first.close();
		world.proxy.clear();
		expect(await over(second)).toMatchObject({ status: "done", endedElsewhere: false, inOtherTab: false });
		await arrived(bytes);
	});

	it("pause, go on and cancel it from either one", async () => {
		const { first, second, held } = await two();
		await second.evaluate("actions.upload.pause()");
		await within(first, 'status === "paused"');
		await within(second, 'status === "paused" && inOtherTab');
		held.release();
		const again = hold(1);
		await second.evaluate("actions.upload.resume()");
		await within(first, 'status === "uploading"');
		await again.hit();
		await second.evaluate("actions.upload.cancel()");
		expect(await over(first)).toMatchObject({ status: "cancelled", endedElsewhere: true });
		expect(await over(second)).toMatchObject({ status: "cancelled", endedElsewhere: false });
		expect((await world.video(world.initiated[0] as string)).state).toBe("cancelled");
		expect(await first.evaluate("localStorage.length")).toBe(0);
	});
});

/** A tab in which twenty files are chosen. */
async function twenty() {
	const files = await Promise.all(
		Array.from({ length: 20 }, async (_, index) => {
			const bytes = randomBytes(chunk + index);
			return { bytes, path: await world.file(`clip-${index}.mp4`, bytes) };
		}),
	);
	const page = await context.newPage();
	await page.goto(world.site);
	await page.setInputFiles(
		"input",
		files.map(({ path }) => path),
	);
	return { files, page };
}

it("sends twenty files at once, three at a time, each as a video of its own", async () => {
	const { files, page } = await twenty();
	await page.evaluate(`actions.startAll(${chunk})`);
	await page.waitForFunction("!actions.all().isBusy");
	const { items, bytesSent, bytesTotal } = (await page.evaluate("actions.all()")) as UploaderState;
	expect(items.map(({ state }) => state.status)).toEqual(files.map(() => "done"));
	expect(bytesSent).toBe(bytesTotal);
	expect(await page.evaluate("actions.most")).toBe(3);
	expect(world.initiated).toHaveLength(20);
	for (const [index, { bytes }] of files.entries()) {
		const id = items[index]?.state.videoId as string;
		expect((await world.bytes(id)).equals(bytes)).toBe(true);
	}
});

it("sends twenty files at once as uploads of their own, which wait for the browser's connections", async () => {
	const { files, page } = await twenty();
	const ids = await page.evaluate<string[]>(`actions.startEach(${chunk})`);
	expect(new Set(ids)).toEqual(new Set(world.initiated));
	for (const [index, { bytes }] of files.entries())
		expect((await world.bytes(ids[index] as string)).equals(bytes)).toBe(true);
});

it("hashes and sends a sparse file of 512 MiB with less than 150 MB of memory, as one of 4 GiB in the benchmark", async () => {
	expect((await sendLargeFile(browser, 512 * 1024 ** 2)).memory).toBeLessThan(150_000_000);
});

it("arrives from Firefox over a cut connection and a reload", async () => {
	const { bytes, file } = await clip(chunk * 4);
	await using firefox = await openFirefox();
	await firefox.goto(world.site);
	await firefox.setInputFiles("input", file);
	world.proxy.use({
		when: { method: "PATCH" },
		nth: 1,
		fault: { kind: "cut", direction: "request", afterBytes: chunk / 2 },
	});
	const held = world.proxy.use({
		when: { method: "PATCH" },
		nth: 3,
		fault: { kind: "hold", direction: "request", afterBytes: chunk / 2 },
	});
	await firefox.evaluate(`actions.start(${chunk})`);
	await held.hit();
	await firefox.goto(world.site);
	world.proxy.clear();
	await firefox.setInputFiles("input", file);
	await firefox.evaluate(`actions.start(${chunk})`);
	await firefox.waitForFunction('["done", "failed"].includes(actions.state().status)');
	const { status, resumedFromBytes } = (await firefox.evaluate("actions.state()")) as UploadState;
	expect(status).toBe("done");
	expect(resumedFromBytes).toBeGreaterThan(0);
	await arrived(bytes);
});

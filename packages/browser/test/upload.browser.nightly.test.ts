import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tusServer } from "../../client/test/support/tus-server.ts";
import type { UploadState } from "../src/upload.ts";
import { launchChromium } from "./support/chromium.ts";
import { pageServer } from "./support/page-server.ts";

const chunkSize = 256 * 1024;
const bytes = randomBytes(chunkSize * 5 + 17);
let browser: Browser;
let folder = "";
beforeAll(async () => {
	[browser, folder] = await Promise.all([launchChromium(), mkdtemp(join(tmpdir(), "reelmill-browser-"))]);
	await writeFile(join(folder, "clip.mp4"), bytes);
});
afterAll(async () => {
	await browser?.close();
	await rm(folder, { recursive: true, force: true });
});

/** Holds the PATCH at an offset until `release` is called. */
function gate(offset: number) {
	const reached = Promise.withResolvers<void>();
	const released = Promise.withResolvers<void>();
	const intercept = async (request: IncomingMessage) => {
		if (request.method !== "PATCH" || request.headers["upload-offset"] !== `${offset}`) return false;
		reached.resolve();
		await released.promise;
		return false;
	};
	return { intercept, reached: reached.promise, release: () => released.resolve() };
}

const state = (page: Page) => page.evaluate("actions.uploadState()") as Promise<UploadState>;
const finished = (page: Page) => page.waitForFunction('["done", "failed"].includes(actions.uploadState()?.status)');
const choose = (page: Page) => page.setInputFiles("input", join(folder, "clip.mp4"));

async function setting(held: ReturnType<typeof gate>) {
	const tus = await tusServer({ intercept: held.intercept });
	let initiated = 0;
	const initiate = () => {
		initiated++;
		return { video: { id: "video-1" }, upload: tus.ticket("video-1") };
	};
	const site = await pageServer({ "/initiate": initiate });
	const context = await browser.newContext();
	const page = await context.newPage();
	await page.goto(site.address);
	return {
		tus,
		page,
		initiated: () => initiated,
		async [Symbol.asyncDispose]() {
			await context.close();
			await site[Symbol.asyncDispose]();
			await tus[Symbol.asyncDispose]();
		},
	};
}

describe("an upload in Chromium", () => {
	it("goes on at the offset reached after the page was reloaded in the middle", async () => {
		const held = gate(chunkSize * 2);
		await using on = await setting(held);
		await choose(on.page);
		await on.page.evaluate(`actions.start(${chunkSize})`);
		await held.reached;
		await on.page.reload();
		held.release();
		expect(await state(on.page)).toBeUndefined();

		await choose(on.page);
		await on.page.evaluate(`actions.start(${chunkSize})`);
		await finished(on.page);
		const after = await state(on.page);
		expect(after).toMatchObject({ status: "done", videoId: "video-1", bytesSent: bytes.length, error: null });
		expect(after.resumedFromBytes).toBeGreaterThanOrEqual(chunkSize * 2);
		expect(on.initiated()).toBe(2);
		expect(on.tus.requests.filter((request) => request.endsWith("@0"))).toHaveLength(1);
		expect((await on.tus.bytes("video-1")).equals(bytes)).toBe(true);
		expect(await on.page.evaluate("localStorage.length")).toBe(0);
	});

	it("pauses and resumes on one page, showing its progress and speed", async () => {
		const held = gate(chunkSize * 2);
		await using on = await setting(held);
		await choose(on.page);
		await on.page.evaluate(`actions.start(${chunkSize})`);
		await held.reached;
		await on.page.evaluate("actions.upload.pause()");
		held.release();
		const paused = await state(on.page);
		expect(paused).toMatchObject({ status: "paused", speedBytesPerSecond: null });
		expect(paused.bytesSent).toBeGreaterThanOrEqual(chunkSize * 2);
		await on.page.evaluate("actions.upload.resume()");
		await finished(on.page);
		expect(await state(on.page)).toMatchObject({ status: "done", secondsLeft: null });
		expect((await on.tus.bytes("video-1")).equals(bytes)).toBe(true);
	});

	it("waits while it is offline and goes on when it is online again", async () => {
		const held = gate(chunkSize * 2);
		await using on = await setting(held);
		await choose(on.page);
		await on.page.evaluate(`actions.start(${chunkSize})`);
		await held.reached;
		await on.page.context().setOffline(true);
		held.release();
		await on.page.waitForFunction('actions.uploadState().status === "retrying"');
		expect((await state(on.page)).error).not.toBeNull();
		await on.page.context().setOffline(false);
		await finished(on.page);
		expect(await state(on.page)).toMatchObject({ status: "done", error: null });
		expect((await on.tus.bytes("video-1")).equals(bytes)).toBe(true);
	});
});

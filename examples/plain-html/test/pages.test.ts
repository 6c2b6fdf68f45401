import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createTestReelmill, type TestReelmill } from "@reelmill/testing";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchChromium } from "../../../packages/browser/test/support/chromium.ts";
import { bundleForScriptTag } from "../../../scripts/packages/script-tag.ts";
import { buildPage as buildReactPage } from "../../react-vite/src/build-page.ts";
import { buildPage as buildVuePage } from "../../vue/src/build-page.ts";
import { startBackEnd } from "../src/back-end.ts";

let browser: Browser;
let service: TestReelmill;
beforeAll(async () => {
	[browser, service] = await Promise.all([launchChromium(), createTestReelmill()]);
});
afterAll(async () => {
	await browser?.close();
	await service?.close();
});

async function plainPages(): Promise<string[]> {
	const elements = await mkdtemp(join(tmpdir(), "reelmill-plain-html-"));
	await bundleForScriptTag(elements);
	return [fileURLToPath(new URL("../page", import.meta.url)), elements];
}

it.each([
	["plain HTML", plainPages],
	["React", async () => [await buildReactPage()]],
	["Vue", async () => [await buildVuePage()]],
])("uploads to the real service from a page of %s, and shows the video when it is there", async (_name, build) => {
	const pages = await build();
	const backEnd = await startBackEnd({ reelmill: service.reelmill, pages, port: 0 });
	await service.reelmill.domain.updateConfig({ cors_origins: [backEnd.address] });
	const page = await browser.newPage();
	const errors: string[] = [];
	page.on("pageerror", ({ message }) => errors.push(message));
	try {
		await page.goto(backEnd.address);
		const bytes = Buffer.from(`the bytes of a video of ${_name}`);
		const file = { name: "clip.mp4", mimeType: "video/mp4", buffer: bytes };
		await page.locator("reelmill-uploader input[type=file]").setInputFiles(file);
		await page.getByText("This video is being prepared.", { exact: false }).waitFor();
		const id = await page.locator("reelmill-player").getAttribute("video-id");
		expect((await service.reelmill.videos.get(id ?? "")).file_size).toBe(bytes.length);
		await service.finish(id ?? "");
		await page.getByText("This video is being prepared.", { exact: false }).waitFor({ state: "hidden" });
		expect(errors).toEqual([]);
	} finally {
		await page.close();
		await backEnd.close();
		for (const folder of pages.filter((each) => each.startsWith(tmpdir()))) await rm(folder, { recursive: true });
	}
});

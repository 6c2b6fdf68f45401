import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createReelmill } from "@reelmill/node";
import { openTestDatabase } from "@reelmill/postgres/testing";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchChromium } from "../../../packages/browser/test/support/chromium.ts";
import { openPage, playElement, timeMoves } from "./support/play-through.ts";
import { makeShortClip } from "./support/short-clip.ts";
import { startExample } from "./support/start-example.ts";

let directory: string;
let clip: string;
let database: Awaited<ReturnType<typeof openTestDatabase>>;
let browser: Browser;
/** The example that starts its own Reelmill. The others are told of that one. */
let express: Awaited<ReturnType<typeof startExample>>;
beforeAll(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-examples-"));
	[clip, database, browser] = await Promise.all([
		makeShortClip(directory),
		openTestDatabase({
			serverUrl: process.env.REELMILL_TEST_DATABASE_URL,
			template: process.env.REELMILL_TEST_DATABASE_TEMPLATE,
		}),
		launchChromium(),
	]);
	express = await startExample("express-backend", { DIRECTORY: directory, DATABASE_URL: database.url });
});
afterAll(async () => {
	await browser?.close();
	await express?.stop();
	await database?.close();
	await rm(directory, { recursive: true });
});

it("takes a lesson of the back end in Express from sign-in to play", async () => {
	const { page, complaints } = await openPage(browser, express.page);
	await page.fill("#name", "ada");
	await page.getByText("Sign in", { exact: true }).click();
	await page.getByText("Signed in as ada.").waitFor();
	await page.setInputFiles("#file", clip);
	await page.getByText("The lesson is published.").waitFor();
	await page.getByText("Play My lesson").click();
	await timeMoves(page, "#player");
	expect(complaints).toEqual([]);
	await page.close();
});

const pages = ["plain-html", "react-vite", "vue", "angular"];
// The one in Angular installs 300 MB first.
it.each(pages)("uploads a video to a real server from %s, and plays it", { timeout: 900_000 }, async (name) => {
	const service = { baseUrl: express.service, apiKey: (await readFile(join(directory, "tenant.key"), "utf8")).trim() };
	const example = await startExample(name, { SERVICE_URL: service.baseUrl, SERVICE_KEY: service.apiKey });
	try {
		const { page, complaints } = await openPage(browser, example.page);
		await page.locator("reelmill-uploader input[type=file]").setInputFiles(clip);
		const preparing = page.getByText("This video is being prepared.", { exact: false });
		await preparing.waitFor();
		const id = await page.locator("reelmill-player").getAttribute("video-id");
		const video = await createReelmill(service).videos.get(id ?? "");
		expect(video).toMatchObject({ file_size: (await stat(clip)).size, visibility: "private" });
		await preparing.waitFor({ state: "hidden" });
		await playElement(page);
		expect(complaints).toEqual([]);
		await page.close();
	} finally {
		expect(await example.stop()).toBe(0);
	}
});

it("stops the back end in Express with the Reelmill that it started", async () => {
	expect(await express.stop()).toBe(0);
	await expect(fetch(express.service)).rejects.toThrow();
});

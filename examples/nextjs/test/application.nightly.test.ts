import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { launchChromium } from "../../../packages/browser/test/support/chromium.ts";
import { openPage, playElement } from "../../plain-html/test/support/play-through.ts";
import { makeShortClip } from "../../plain-html/test/support/short-clip.ts";
import { startApplication } from "./application.ts";

const directory = await mkdtemp(join(tmpdir(), "reelmill-nextjs-"));
// What it installs and builds takes minutes, which count for no test.
const { address, said, stop } = await startApplication(join(directory, "data"));
afterAll(async () => {
	await stop();
	await rm(directory, { recursive: true });
});

it("lets a person sign in, upload a video, see it in the list by a webhook, and play it, and nobody else", async () => {
	const browser = await launchChromium();
	try {
		const clip = await makeShortClip(directory);
		const { page, complaints } = await openPage(browser, address);
		const lesson = page.locator("li", { hasText: "clip.mp4" });
		await page.getByLabel("Your name").fill(`ada ${randomUUID()}`);
		await page.getByRole("button", { name: "Sign in" }).click();
		await page.getByText("There is no lesson yet.").waitFor();

		await page.locator("reelmill-uploader input[type=file]").setInputFiles(clip);
		await lesson.getByText("being prepared").waitFor();
		await lesson.getByText("2 s").waitFor({ timeout: 90_000 });

		await page.getByRole("link", { name: "clip.mp4" }).click();
		await playElement(page);

		const other = await (await browser.newContext()).newPage();
		await other.goto(address);
		await other.getByLabel("Your name").fill(`bob ${randomUUID()}`);
		await other.getByRole("button", { name: "Sign in" }).click();
		await other.getByText("There is no lesson yet.").waitFor();
		for (const path of [page.url(), `${address}/videos/${randomUUID()}`, `${address}/videos/no-id`]) {
			await other.goto(path);
			await other.getByText("could not be found", { exact: false }).waitFor();
		}
		expect(complaints).toEqual([]);
		expect(said()).not.toMatch(/error/i);
	} finally {
		await browser.close();
	}
});

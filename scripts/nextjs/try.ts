import { deepStrictEqual, ok } from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openPage, playElement } from "../../examples/plain-html/test/support/play-through.ts";
import { makeShortClip } from "../../examples/plain-html/test/support/short-clip.ts";
import { launchChromium } from "../../packages/browser/test/support/chromium.ts";
import type { Program } from "../program.ts";

/**
 * Goes through the application in Chromium as a user does: sign in, upload a video, see it in the list when a webhook
 * says that it is ready, play it. Rejects if one of these fails, or if the browser or the application complains.
 */
export async function tryApplication(address: string, { said }: Program): Promise<void> {
	const directory = await mkdtemp(join(tmpdir(), "reelmill-nextjs-"));
	const browser = await launchChromium();
	try {
		const clip = await makeShortClip(directory);
		const { page, complaints } = await openPage(browser, address);
		await page.getByLabel("Your name").fill(`ada ${randomUUID()}`);
		await page.getByRole("button", { name: "Sign in" }).click();
		await page.getByText("There is no lesson yet.").waitFor();
		console.log("  Sign-in  ✓");

		await page.locator("reelmill-uploader input[type=file]").setInputFiles(clip);
		await page.locator("li", { hasText: "clip.mp4" }).getByText("being prepared").waitFor();
		console.log("  Upload   ✓ listed as being prepared");
		await page.locator("li", { hasText: "clip.mp4" }).getByText("2 s").waitFor({ timeout: 90_000 });
		console.log("  Webhook  ✓ listed as ready");

		await page.getByRole("link", { name: "clip.mp4" }).click();
		await playElement(page);
		console.log("  Playback ✓");

		const lesson = page.url();
		const other = await (await browser.newContext()).newPage();
		await other.goto(address);
		await other.getByLabel("Your name").fill(`bob ${randomUUID()}`);
		await other.getByRole("button", { name: "Sign in" }).click();
		await other.getByText("There is no lesson yet.").waitFor();
		for (const path of [lesson, `${address}/videos/${randomUUID()}`, `${address}/videos/no-id`]) {
			await other.goto(path);
			await other.getByText("could not be found", { exact: false }).waitFor();
		}
		console.log("  Privacy  ✓ another person finds nothing, nor does who guesses");
		deepStrictEqual(complaints, []);
		ok(!/error/i.test(said()), said());
	} finally {
		await browser.close();
		await rm(directory, { recursive: true });
	}
}

import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { type Browser, chromium } from "playwright-core";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/**
 * Starts this machine's Chromium without a window, with `more` arguments.
 * @throws {Error} when there is none; the message says what to install
 */
export async function launchChromium(more: readonly string[] = []): Promise<Browser> {
	const candidates = names.flatMap((name) =>
		(process.env["PATH"] ?? "").split(delimiter).map((folder) => join(folder, name)),
	);
	for (const executablePath of candidates) {
		const found = await access(executablePath, constants.X_OK).then(
			() => true,
			() => false,
		);
		if (!found) continue;
		const args = [
			"--no-sandbox",
			"--disable-gpu",
			"--no-first-run",
			"--disable-background-networking",
			"--disable-component-update",
			"--disable-sync",
			...more,
		];
		const browser = await chromium.launch({ executablePath, headless: true, args });
		// Playwright waits 30 s, which a busy machine can take to draw a page.
		browser.on("context", (context) => context.setDefaultTimeout(120_000));
		return browser;
	}
	throw new Error(
		"These tests need Chromium: install it (Debian, Ubuntu: apt-get install chromium) so that PATH leads to it.",
	);
}

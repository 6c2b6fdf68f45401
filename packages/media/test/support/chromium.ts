import { type Browser, chromium } from "playwright-core";
import { findProgram } from "../../src/run/find-program.ts";

/** Chromium of this machine, headless. Throws a sentence that says what to install where there is none. */
export async function launchChromium(): Promise<Browser> {
	const executablePath = (await findProgram("chromium")) ?? (await findProgram("google-chrome"));
	if (executablePath === null)
		throw new Error("This test needs Chromium: install it (Debian, Ubuntu: apt-get install chromium).");
	const browser = await chromium.launch({
		executablePath,
		headless: true,
		args: ["--no-sandbox", "--disable-gpu", "--autoplay-policy=no-user-gesture-required"],
	});
	// Playwright waits 30 s, which a busy machine can take to draw a page.
	browser.on("context", (context) => context.setDefaultTimeout(120_000));
	return browser;
}

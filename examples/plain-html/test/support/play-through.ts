import type { Browser, Page } from "playwright-core";

/** Opens a page of its own, which collects what the browser complains of. */
export async function openPage(browser: Browser, address: string): Promise<{ page: Page; complaints: string[] }> {
	const page = await browser.newPage();
	const complaints: string[] = [];
	page.on("pageerror", ({ message }) => complaints.push(message));
	page.on("console", (message) => {
		if (["error", "warning"].includes(message.type()))
			complaints.push(`${message.text()} ${message.location().url}`.trim());
	});
	await page.goto(address);
	return { page, complaints };
}

/** Plays the video of `<reelmill-player>` by its button, and resolves when its time moves. */
export async function playElement(page: Page): Promise<void> {
	await page.locator("reelmill-player media-play-button").first().click();
	await timeMoves(page, "reelmill-player");
}

/** Resolves when the video that a selector names has played for a fifth of a second. */
export async function timeMoves(page: Page, selector: string): Promise<void> {
	await page.waitForFunction(
		(name) => (document.querySelector<HTMLVideoElement>(name)?.currentTime ?? 0) > 0.2,
		selector,
	);
}

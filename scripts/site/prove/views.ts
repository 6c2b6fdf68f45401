import assert from "node:assert/strict";
import { join } from "node:path";
import type { Browser, Page } from "./browser.ts";

const views = [
	["home", "/"],
	["contents", "/contents.html"],
	["api", "/api/"],
	["api-videos", "/api/videos.html"],
	["api-operators", "/api/operators.html"],
	["schemas", "/api/schemas.html"],
	["cost", "/guides/cost.html"],
	["upgrade", "/guides/upgrade.html"],
	["support", "/project/support.html"],
] as const;

/** Proves that pages are no wider than a phone, say nothing on the console, and that calculator and search work. */
export async function provePages(browser: Browser, site: string, pictures: string): Promise<void> {
	for (const [size, width, colorScheme] of [
		["wide", 1280, "light"],
		["narrow", 390, "light"],
		["dark", 1280, "dark"],
		["narrow-dark", 390, "dark"],
	] as const) {
		const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
		const page = await context.newPage();
		const said: string[] = [];
		page.on("console", (message) => {
			if (message.type() === "error" || message.type() === "warning") said.push(message.text());
		});
		page.on("pageerror", (error) => said.push(error.message));
		for (const [name, path] of views) {
			await page.goto(`${site}${path}`);
			await page.waitForLoadState("networkidle");
			if (name === "api-videos") await page.locator("details.try-it > summary").first().click();
			if (name === "cost") await reckon(page);
			const wide = await page.evaluate("document.documentElement.scrollWidth");
			assert.ok(Number(wide) <= width, `${path} is ${wide} wide at ${width}.`);
			await page.screenshot({ path: join(pictures, `${name}-${size}.png`) });
		}
		assert.deepEqual(said, []);
		await context.close();
	}
	await search(browser, site);
	console.log(`${views.length} pages fit a phone and say nothing on the console; search and calculator answer.`);
}

async function reckon(page: Page): Promise<void> {
	const calculator = page.getByRole("region", { name: "Calculator" });
	await calculator.getByLabel("Minutes uploaded").fill("300000");
	await calculator.getByLabel("A core, a month").fill("10");
	await calculator
		.getByRole("row", { name: /cores to encode/ })
		.getByText("55", { exact: true })
		.waitFor();
	await calculator.getByRole("row", { name: /together/ }).waitFor();
}

async function search(browser: Browser, site: string): Promise<void> {
	const page = await browser.newPage();
	await page.goto(`${site}/`);
	await page.getByRole("button", { name: "Search" }).first().click();
	await page.getByRole("searchbox").fill("Mint a playback key");
	await page.locator('#localsearch-list a[href*="/api/"]').first().waitFor();
	await page.close();
}

import assert from "node:assert/strict";
import { join } from "node:path";
import type { Browser } from "./browser.ts";

/** Proves that the switch leads to the same page of the other version, and to its first page if it has none. */
export async function proveVersions(browser: Browser, site: string, pictures: string): Promise<void> {
	const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
	const choose = async (version: string) => {
		await page.getByRole("combobox", { name: "Version" }).selectOption(version);
		await page.waitForLoadState("networkidle");
	};
	const path = () => new URL(page.url()).pathname;
	await page.goto(`${site}/guides/limits.html`);
	assert.equal(await page.locator(".version-notice").count(), 0);
	await choose("0.1.0");
	await page.waitForURL(`${site}/v/0.1.0/guides/limits.html`);
	assert.equal(await page.locator('meta[name="robots"]').getAttribute("content"), "noindex");
	const notice = page.locator(".version-notice");
	await notice.getByText("newer one, 0.2.0").waitFor();
	await page.screenshot({ path: join(pictures, "older-version.png") });
	await notice.getByRole("link", { name: "this page in it" }).click();
	await page.waitForURL(`${site}/guides/limits.html`);

	await page.goto(`${site}/guides/cost.html`);
	await choose("0.1.0");
	await page.waitForURL(`${site}/v/0.1.0/`);
	await page.goto(`${site}/v/0.1.0/guides/outros.html`);
	await notice.getByRole("link", { name: "its first page" }).waitFor();
	// A move inside of a version stays there.
	await page.locator(".VPSidebar").getByRole("link", { name: "Limits and defaults", exact: true }).click();
	await page.getByRole("heading", { level: 1, name: "Limits and defaults" }).waitFor();
	assert.equal(path(), "/v/0.1.0/guides/limits.html");

	await page.setViewportSize({ width: 800, height: 800 });
	assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 800);
	await page.screenshot({ path: join(pictures, "versions-tablet.png"), animations: "disabled" });
	await page.setViewportSize({ width: 390, height: 844 });
	await page.getByRole("button", { name: "mobile navigation" }).click();
	await page.screenshot({ path: join(pictures, "versions-narrow.png"), animations: "disabled" });
	await choose("0.2.0");
	await page.waitForURL(`${site}/guides/limits.html`);

	await page.route("**/versions.json", (route) => route.fulfill({ status: 404 }));
	await page.goto(`${site}/guides/limits.html`);
	await page.waitForLoadState("networkidle");
	assert.equal(await page.getByRole("combobox", { name: "Version" }).count(), 0);
	await page.close();
	console.log("The switch of versions leads to the same page, and to the first one without it.");
}

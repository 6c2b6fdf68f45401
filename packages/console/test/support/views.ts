import type { Page } from "playwright-core";
import { expect } from "vitest";

/** Resolves when the view of the page is there with all that it reads first. */
export async function shown(page: Page): Promise<void> {
	await page.getByRole("heading", { level: 1 }).waitFor();
	await expect.poll(() => page.locator("[aria-busy=true], [aria-label=Loading]").count()).toBe(0);
}

/** The paths below `/console` that the side bar leads to, those of the operator included. */
export async function viewsOf(page: Page, url: string): Promise<string[]> {
	const links = page.locator("nav a:is([href^='/console/d/'], [href^='/console/operator/'])");
	const places = new Set<string>();
	for (const area of ["/d/default", "/operator/queue"]) {
		await page.goto(`${url}/console${area}`);
		await page.locator("main#main").waitFor();
		const found = await links.evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
		for (const place of found.filter((link) => !link.includes("?"))) places.add(place.slice("/console".length));
	}
	expect(places.size).toBeGreaterThan(15);
	return [...places];
}

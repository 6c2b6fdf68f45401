import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { checkAccessible } from "./support/accessible.ts";
import { consoleSecret, openConsole } from "./support/console.ts";
import { uploadVideo } from "./support/jobs.ts";
import { faultsOf, noteShifts } from "./support/view-checks.ts";
import { shown, viewsOf } from "./support/views.ts";

const console = openConsole();

/** Notes each heading of the first level that the page ever shows. */
const noteHeadings = (page: Page) =>
	page.addInitScript(() => {
		const seen = new Set<string>();
		Object.assign(globalThis, { seen });
		new MutationObserver(() => {
			for (const { textContent } of document.querySelectorAll("h1")) seen.add(textContent ?? "");
		}).observe(document, { childList: true, subtree: true, characterData: true });
	});
const headings = (page: Page) => page.evaluate(() => [...(globalThis as unknown as { seen: Set<string> }).seen].sort());

it("signs in, and every view that a link leads to shows itself, in one page", async () => {
	const id = await uploadVideo(console.url, console.tenant, { external_ref: "lesson-1" });
	const page = await console.open("/sign-in", { reducedMotion: "reduce" });
	await noteHeadings(page);
	await noteShifts(page);
	await page.goto(`${console.url}/console/d/default/videos`);
	await page.getByLabel("Console secret").waitFor();
	// Who is not signed in sees nothing but the way to sign in.
	expect(await headings(page)).toEqual(["Reelmill", "Sign in"]);
	await shown(page);
	await checkAccessible(page, ["light"]);
	await page.getByLabel("Console secret").fill(consoleSecret);
	await page.keyboard.press("Enter");
	await page.locator("main#main").waitFor();
	for (const place of await viewsOf(page, console.url)) {
		await page.locator(`nav a[href="/console${place}"]`).first().click();
		await page.waitForURL(`${console.url}/console${place}`);
		await shown(page);
	}
	await page.goto(`${console.url}/console/d/default/videos/${id}`);
	await shown(page);
	await checkAccessible(page, ["light"]);
	await page.goto(`${console.url}/console/d/default`);
	await shown(page);
	expect(await faultsOf(page)).toEqual({});
	await page.context().request.delete(`${console.url}/console/v1/session`, { headers: { "x-service-console": "1" } });
	await page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));
	await page.getByLabel("Console secret").waitFor();
	expect(await headings(page)).toEqual(["Overview", "Reelmill", "Sign in"]);
});

import { expect, it } from "vitest";
import { checkAccessible } from "./support/accessible.ts";
import { consoleSecret, openConsole } from "./support/console.ts";
import { uploadVideo } from "./support/jobs.ts";

const console = openConsole();

it("signs in, and every view that a link leads to shows itself, in one page", async () => {
	const id = await uploadVideo(console.url, console.tenant, { external_ref: "lesson-1" });
	const page = await console.open("/d/default/videos", { reducedMotion: "reduce" });
	const heading = page.getByRole("heading", { level: 1 });
	const seen: string[] = [];
	const look = async () => {
		await heading.waitFor();
		await expect.poll(() => page.locator("[aria-busy=true]").count()).toBe(0);
	};
	await look();
	await checkAccessible(page, ["light"]);
	await page.getByLabel("Console secret").fill(consoleSecret);
	await page.keyboard.press("Enter");
	await page.locator("main#main").waitFor();
	const links = page.locator("nav a:is([href^='/console/d/'], [href^='/console/operator/'])");
	for (const area of ["/d/default", "/operator/queue"]) {
		await page.goto(`${console.url}/console${area}`);
		await page.locator("main#main").waitFor();
		const places = await links.evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
		for (const place of new Set(places.filter((link) => !link.includes("?")))) {
			await page.locator(`nav a[href="${place}"]`).first().click();
			await page.waitForURL(`${console.url}${place}`);
			await look();
			seen.push(place);
		}
	}
	await page.goto(`${console.url}/console/d/default/videos/${id}`);
	await look();
	await checkAccessible(page, ["light"]);
	expect(new Set(seen).size).toBeGreaterThan(15);
});

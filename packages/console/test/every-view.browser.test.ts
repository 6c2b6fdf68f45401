import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { checkAccessible } from "./support/accessible.ts";
import { consoleSecret, openConsole } from "./support/console.ts";
import { createWorker, uploadVideo } from "./support/jobs.ts";
import { look } from "./support/look.ts";
import { faultsOf, noteShifts } from "./support/view-checks.ts";

const console = openConsole({ WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8" });

/** Notes each heading of the first level that the page ever shows. */
const noteHeadings = (page: Page) =>
	page.addInitScript(() => {
		const shown = new Set<string>();
		Object.assign(globalThis, { shown });
		new MutationObserver(() => {
			for (const { textContent } of document.querySelectorAll("h1")) shown.add(textContent ?? "");
		}).observe(document, { childList: true, subtree: true, characterData: true });
	});
const headings = (page: Page) => page.evaluate(() => [...(globalThis as unknown as { shown: Set<string> }).shown]);

/** Lets answers of the API come one after another, so that whatever one of them pushes about is seen. */
async function stagger(page: Page): Promise<void> {
	let last = Promise.resolve();
	await page.route(/\/(v1|admin\/v1)\//, async (route) => {
		last = last.then(() => new Promise((resolve) => setTimeout(resolve, 30)));
		await last;
		await route.continue().catch(() => undefined);
	});
}

it("signs in, and every view shows itself whole: by keyboard, in forced colours and on a small phone", async () => {
	const id = await uploadVideo(console.url, console.tenant, { external_ref: "lesson-1" });
	await uploadVideo(console.url, console.tenant);
	const worker = await createWorker(console.url, console.admin, "rack", "slot-14.rack-2.eu-central.example");
	const [job, spoiled] = [await worker.claim(), await worker.claim()];
	if (job === null || spoiled === null) throw new Error("two videos wait");
	await worker.heartbeat(job, 40);
	await worker.fail(spoiled, "The file ends after 23.8 s.");
	const { id: domainId } = await console.tenant.call("getDomain", {});
	await console.tenant.call("updateDomainConfig", {
		body: { webhook_url: "http://127.0.0.1:9/hook", webhook_secret: "whsec_test", moderation_frames: true },
	});
	const delivery = await console.tenant.call("sendTestWebhook", {});
	const page = await console.open("/d/default/videos", { reducedMotion: "reduce" });
	const heading = page.getByRole("heading", { level: 1 });
	const settle = async () => {
		await heading.waitFor();
		await page.getByRole("status", { name: "Loading" }).first().waitFor({ state: "detached" });
		await page.waitForLoadState("networkidle");
		await expect.poll(() => page.locator("[aria-busy=true]").count()).toBe(0);
	};
	await settle();
	await checkAccessible(page, ["light"]);
	const faults: Record<string, unknown> = { "sign-in": await faultsOf(page) };
	await look(page, "sign-in");
	await page.getByLabel("Console secret").fill(consoleSecret);
	await page.keyboard.press("Enter");
	await page.locator("main#main").waitFor();
	await noteShifts(page);
	await stagger(page);
	const links = page.locator("nav a:is([href^='/console/d/'], [href^='/console/operator/'])");
	const places = new Set<string>();
	for (const area of ["/d/default", "/operator/queue"]) {
		await page.goto(`${console.url}/console${area}`);
		await page.locator("main#main").waitFor();
		const found = await links.evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
		for (const place of found.filter((link) => !link.includes("?"))) places.add(place);
	}
	expect(places.size).toBeGreaterThan(15);
	const inside = [
		`/d/default/videos/${id}`,
		"/d/default/upload",
		`/d/default/webhooks/${delivery.id}`,
		`/operator/domains/${domainId}`,
	];
	for (const place of [...places, ...inside.map((path) => `/console${path}`)]) {
		await page.goto(`${console.url}${place}`);
		await settle();
		faults[place] = await faultsOf(page);
		await look(page, place.replaceAll("/", "-").slice("-console-".length, 40));
	}
	expect(Object.entries(faults).filter(([, found]) => Object.keys(found as object).length > 0)).toEqual([]);
	await page.goto(`${console.url}/console/d/default/videos/${id}`);
	await settle();
	await checkAccessible(page, ["light"]);
});

it("shows who is not signed in, or no longer, nothing but the way to sign in", async () => {
	const page = await console.signIn("/d/default/videos", { reducedMotion: "reduce" });
	await noteHeadings(page);
	await page.reload();
	await page.getByRole("heading", { name: "Videos", level: 1 }).waitFor();
	await page.context().request.delete(`${console.url}/console/v1/session`, { headers: { "x-service-console": "1" } });
	await page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));
	await page.getByLabel("Console secret").waitFor();
	expect((await headings(page)).toSorted()).toEqual(["Reelmill", "Sign in", "Videos"]);
	await page.goto(`${console.url}/console/operator/queue`);
	await page.getByLabel("Console secret").waitFor();
	expect((await headings(page)).toSorted()).toEqual(["Reelmill", "Sign in"]);
	await page.context().close();
});

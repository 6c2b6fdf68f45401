import assert from "node:assert/strict";
import { mkdirSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { launchChromium } from "../../../packages/browser/test/support/chromium.ts";
import { createTestReelmill } from "../../../packages/testing/src/index.ts";
import { root } from "../../../scripts/setup/paths.mjs";

type Browser = Awaited<ReturnType<typeof launchChromium>>;
type Page = Awaited<ReturnType<Browser["newPage"]>>;

const types: Readonly<Record<string, string>> = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };
const views = { home: "/", api: "/api/", reference: "/api/docs.html", cost: "/guides/cost.html" };

/**
 * Goes through a site in Chromium: narrow and dark pages, the search, the calculator, and the API's reference
 * against a real service. Pictures lie in `dist/site-pictures`.
 * @throws {Error} what isn't as it should be
 */
export async function trySite(folder: string): Promise<void> {
	const pictures = join(root, "dist/site-pictures");
	mkdirSync(pictures, { recursive: true });
	const server = createServer(({ url = "/" }, response) => {
		const file = join(folder, new URL(url, "http://site").pathname.replace(/\/$/, "/index.html"));
		const isFile = statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
		response.writeHead(isFile ? 200 : 404, { "content-type": types[extname(file)] ?? "application/octet-stream" });
		response.end(isFile ? readFileSync(file) : undefined);
	}).listen(0, "127.0.0.1");
	const browser = await launchChromium();
	try {
		const site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
		for (const [width, colorScheme] of [
			[1280, "dark"],
			[390, "light"],
		] as const) {
			const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
			const said: string[] = [];
			page.on("console", (message) => ["error", "warning"].includes(message.type()) && said.push(message.text()));
			page.on("pageerror", (error) => said.push(error.message));
			for (const [name, path] of Object.entries(views)) {
				await page.goto(`${site}${path}`, { waitUntil: "networkidle" });
				if (name === "cost") await reckon(page);
				const wide = await page.evaluate("document.documentElement.scrollWidth");
				assert.ok(Number(wide) <= width, `${path} is ${wide} wide at ${width}.`);
				await page.screenshot({ path: join(pictures, `${name}-${width}.png`) });
			}
			assert.deepEqual(said, []);
			await page.close();
		}
		await search(await browser.newPage(), site);
		await sendRequests(await browser.newPage(), site);
		console.log(`The site works in Chromium. Its pictures are in ${pictures}.`);
	} finally {
		await browser.close();
		server.close();
	}
}

async function reckon(page: Page): Promise<void> {
	const calculator = page.getByRole("region", { name: "Calculator" });
	await calculator.getByLabel("Minutes uploaded").fill("300000");
	const row = calculator.getByRole("row", { name: /cores to encode/ });
	await row.getByText("55", { exact: true }).waitFor();
}

async function search(page: Page, site: string): Promise<void> {
	await page.goto(`${site}/`);
	await page.getByRole("button", { name: "Search" }).first().click();
	await page.getByRole("searchbox").fill("Mint a playback key");
	await page.locator('#localsearch-list a[href*="/api/"]').first().waitFor();
}

/** Gets a sandbox session from the reference and lists its videos by it; no host but the service is asked. */
async function sendRequests(page: Page, site: string): Promise<void> {
	const service = await createTestReelmill();
	const hosts = new Set<string>();
	page.on("request", (request) => hosts.add(new URL(request.url()).origin));
	try {
		await page.goto(`${site}/api/docs.html#tenants/tag/videos/GET/v1/videos`);
		const panel = page.getByRole("region", { name: "Try it" });
		await panel.getByRole("textbox", { name: "Server" }).fill(service.baseUrl);
		await panel.getByRole("button", { name: "Get a sandbox session" }).click();
		await panel.getByText("good until").waitFor();
		await page.locator('section[id="tenants/tag/videos/GET/v1/videos"]').getByRole("button", { name: /^Test/ }).click();
		const client = page.getByRole("dialog", { name: "API Client" });
		await client.locator("[data-addressbar-action=send]:visible").click();
		await client.getByText("next_cursor").first().waitFor();
		assert.doesNotMatch(String(await page.evaluate("JSON.stringify([localStorage, document.cookie])")), /ek_/);
		assert.deepEqual([...hosts].sort(), [site, service.baseUrl].sort());
	} finally {
		await service.close();
	}
}

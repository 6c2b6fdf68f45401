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
const views = { home: "/", api: "/api/", videos: "/api/videos.html", cost: "/guides/cost.html" };

/**
 * Goes through a site in Chromium: narrow and dark pages, the search, the calculator, and the forms of the API against
 * a real service. Pictures lie in `dist/site-pictures`.
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

/** Gets a sandbox session from a page and creates a video with it; no host but the service is asked. */
async function sendRequests(page: Page, site: string): Promise<void> {
	const service = await createTestReelmill();
	const hosts = new Set<string>();
	page.on("request", (request) => hosts.add(new URL(request.url()).origin));
	const send = async (id: string, button: string, status: RegExp): Promise<void> => {
		const form = page.locator(`h2#${id} ~ details.try-it`).first();
		if ((await form.getAttribute("open")) === null) await form.locator("> summary").press("Enter");
		if (id === "createvideo") {
			await form.getByRole("textbox", { name: "Server" }).fill(service.baseUrl);
			await form.getByRole("button", { name: "Get a sandbox session" }).press("Enter");
			await form.getByText("Sandbox session at").waitFor();
			// The example's options are no sandbox's.
			await form.getByRole("textbox", { name: /^Body/ }).fill('{ "content_type": "video/mp4", "file_size": 20 }');
		}
		await form.getByRole("button", { name: button }).press("Enter");
		assert.match((await form.locator(".answer strong").textContent()) ?? "", status);
	};
	try {
		await page.goto(`${site}/api/videos.html`);
		await send("createvideo", "Send POST", /201/);
		await send("getvideo", "Send GET", /200/);
		await page.goto(`${site}/api/domain.html`);
		await send("getdomain", "Send GET", /403/);
		assert.doesNotMatch(String(await page.evaluate("JSON.stringify([localStorage, document.cookie])")), /ek_/);
		assert.deepEqual([...hosts].sort(), [site, service.baseUrl].sort());
	} finally {
		await service.close();
	}
}

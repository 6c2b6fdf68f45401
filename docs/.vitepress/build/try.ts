import assert from "node:assert/strict";
import { mkdirSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { launchChromium } from "../../../packages/browser/test/support/chromium.ts";
import { createTestReelmill } from "../../../packages/testing/src/index.ts";
import { root } from "../../../scripts/setup/paths.mjs";

type Browser = Awaited<ReturnType<typeof launchChromium>>;
type Page = Awaited<ReturnType<Browser["newPage"]>>;

const types: Readonly<Record<string, string>> = {
	".html": "text/html",
	".js": "text/javascript",
	".css": "text/css",
	".mp4": "video/mp4",
	".webp": "image/webp",
};
/** One page of each kind. */
const views = {
	home: "/",
	about: "/about.html",
	tabs: "/guides/ten-minutes.html",
	tables: "/guides/encoding.html",
	cost: "/guides/cost.html",
	diagram: "/project/video-states.html",
	api: "/api/",
	reference: "/api/docs.html",
	packages: "/reference/",
	package: "/reference/@reelmill/node.html",
	missing: "/404.html",
};
const axe = readFileSync(
	createRequire(join(root, "packages/console/package.json")).resolve("axe-core/axe.min.js"),
	"utf8",
);

/**
 * Goes through a site in Chromium: narrow and dark pages, what axe finds, the keyboard, forced colours, tabs, the
 * player, the search, the calculator, and the API's reference against a real service. Pictures lie in
 * `dist/site-pictures`.
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
			[1440, "dark"],
			[390, "light"],
		] as const) {
			const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
			const said: string[] = [];
			page.on("console", (message) => ["error", "warning"].includes(message.type()) && said.push(message.text()));
			page.on("pageerror", (error) => said.push(error.message));
			for (const [name, path] of Object.entries(views)) {
				await page.goto(`${site}${path}`, { waitUntil: "networkidle" });
				if (name === "cost") await reckon(page);
				await page.screenshot({ path: join(pictures, `${name}-${width}.png`) });
				if (width === 390) {
					await page.setViewportSize({ width: 320, height: 900 });
					const wide = await page.evaluate("document.documentElement.scrollWidth");
					assert.ok(Number(wide) <= 320, `${path} is ${wide} wide at 320.`);
				}
				await checkAccessible(page, path, colorScheme);
				await page.setViewportSize({ width, height: 900 });
			}
			assert.deepEqual(said, []);
			await page.close();
		}
		await chooseTabs(await browser.newPage(), site);
		await moveByKeys(await browser.newPage({ forcedColors: "active" }), site);
		await play(await browser.newPage(), site);
		await readWithoutScript(await browser.newPage({ javaScriptEnabled: false }), site);
		await search(await browser.newPage(), site);
		await sendRequests(await browser.newPage(), site);
		console.log(`The site works in Chromium. Its pictures are in ${pictures}.`);
	} finally {
		await browser.close();
		server.close();
	}
}

/** What axe says of a page. */
type Found = {
	readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
};

/** axe finds nothing: in light all of its rules, in dark those about contrast, which are all that the colours change. */
async function checkAccessible(page: Page, path: string, scheme: "light" | "dark"): Promise<void> {
	await page.evaluate(axe);
	const rules = { resultTypes: ["violations"], ...(scheme === "dark" && { runOnly: ["color-contrast"] }) };
	const { violations } = await page.evaluate<Found>(`axe.run("html", ${JSON.stringify(rules)})`);
	const found = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
	assert.deepEqual(found, [], `axe at ${path} in ${scheme}`);
}

/** A choice switches all tabs of a page, is remembered on others, and yields to the address. */
async function chooseTabs(page: Page, site: string): Promise<void> {
	const shown = (text: string) => page.locator(".vp-code-group .active").getByText(text).first();
	await page.goto(`${site}/guides/ten-minutes.html`);
	await page.getByText("Next.js", { exact: true }).and(page.locator("label")).click();
	await shown("npm install next").waitFor();
	await shown("app/page.tsx").waitFor();
	await page.goto(`${site}/`);
	await page.getByText("React", { exact: true }).and(page.locator("label")).click();
	await page.goto(`${site}/guides/ten-minutes.html`);
	await shown("npm install next").waitFor();
	await page.goto(`${site}/guides/ten-minutes.html#hono`);
	await shown("npm install hono").waitFor();
	await page.goto(`${site}/`);
	await shown("ReelmillUploader").waitFor();
	await page.close();
}

/** Each stop of the keyboard is seen, also where forced colours leave no other sign. */
async function moveByKeys(page: Page, site: string): Promise<void> {
	for (const path of [views.home, views.tabs]) {
		await page.goto(`${site}${path}`, { waitUntil: "networkidle" });
		for (let stop = 0; stop < 24; stop++) {
			await page.keyboard.press("Tab");
			const seen = await page.evaluate<string | null>(`(() => {
				const { activeElement: element } = document;
				// What the player shows lies in its own tree.
				if (element === document.body || element.shadowRoot) return null;
				const marked = element.matches(".tabs input") ? element.nextElementSibling : element;
				const { outlineStyle, outlineWidth } = getComputedStyle(marked);
				return outlineStyle !== "none" && outlineWidth !== "0px" ? null : element.outerHTML.slice(0, 200);
			})()`);
			assert.equal(seen, null, `The focus isn't seen at ${path}.`);
		}
	}
	await page.close();
}

/** The player of the first page plays. */
async function play(page: Page, site: string): Promise<void> {
	await page.goto(`${site}/`);
	await page.locator("reelmill-player video").waitFor();
	await page.evaluate("Object.assign(document.querySelector('reelmill-player'), { muted: true }).play()");
	await page.waitForFunction("document.querySelector('reelmill-player').currentTime > 0");
	await page.close();
}

/** Without script all pages are read, their tabs are shown one below another, and the clip still plays. */
async function readWithoutScript(page: Page, site: string): Promise<void> {
	await page.goto(`${site}/guides/ten-minutes.html`);
	for (const text of ["npm install express", "npm install hono", "npm install next"])
		await page.locator("code").getByText(text).first().waitFor();
	await page.getByText("Decisions", { exact: true }).and(page.locator("summary *")).click();
	await page.getByRole("link", { name: "Why is ", exact: false }).or(page.locator("details[open] a")).first().waitFor();
	await page.goto(`${site}/`);
	await page.locator("video[controls]").waitFor();
	await page.close();
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
	await page.getByRole("searchbox").fill("verifyWebhook");
	await page.locator('#localsearch-list a[href*="/reference/"]').first().waitFor();
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

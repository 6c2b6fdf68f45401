import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { bundleForScriptTag } from "../../../../scripts/packages/script-tag.ts";
import { launchChromium } from "../../../browser/test/support/chromium.ts";

export type ElementsForTests = {
	readonly browser: Browser;
	/** Opens a page with this body. The language and the direction are those of its `<html>`. */
	open(
		body: string,
		options?: { lang?: string; dir?: string } & BrowserContextOptions,
		/** The whole page, in place of one with the body. */
		whole?: string,
		/** The page's back end: answers what is sent to `/video`. */
		backEnd?: (call: unknown) => object,
	): Promise<Page>;
	/** What the pages did that none may: violations of the policy, and errors that nothing caught. */
	readonly unexpected: readonly string[];
	close(): Promise<void>;
};

/** The hash of an empty style: axe copies what selectors find as `style`, which has no text, into one of its own. */
const emptyStyle = "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";

/** No inline script and no inline style; `blob:` is what private pictures, captions and Media Source are made of. */
const policy = [
	"default-src 'none'",
	"script-src 'self'",
	"style-src 'self'",
	"img-src 'self' blob:",
	"media-src 'self' blob:",
	"worker-src blob:",
].join("; ");

/**
 * Serves pages that have nothing but the one script tag, under a strict content security policy. They may speak to the
 * origins in `speaksTo`. One Chromium opens them.
 */
export async function openElements(speaksTo: readonly string[]): Promise<ElementsForTests> {
	const folder = await mkdtemp(join(tmpdir(), "reelmill-elements-"));
	await bundleForScriptTag(folder);
	await build({
		entryPoints: [fileURLToPath(new URL("./page-sdk.ts", import.meta.url))],
		bundle: true,
		outfile: join(folder, "sdk.js"),
	});
	let given: { whole: string | undefined; answer: ((call: unknown) => object) | undefined };
	const server = createServer(async (request, response) => {
		const url = new URL(request.url ?? "/", "http://page");
		if (url.pathname.endsWith(".js")) {
			const script = await readFile(join(folder, url.pathname)).catch(() => undefined);
			return void response.writeHead(script ? 200 : 404, { "content-type": "text/javascript" }).end(script);
		}
		if (url.pathname === "/page.css") {
			const style = "body { margin: 24px; background: Canvas; color: CanvasText } :root { color-scheme: light dark }";
			return void response.setHeader("content-type", "text/css").end(style);
		}
		if (url.pathname === "/video") {
			const answer = given.answer?.(await json(request)) ?? {};
			return void response.setHeader("content-type", "application/json").end(JSON.stringify(answer));
		}
		const [lang, dir, body] = ["lang", "dir", "body"].map((name) => url.searchParams.get(name) ?? "");
		response
			.setHeader("content-type", "text/html; charset=utf-8")
			.setHeader("content-security-policy", `${policy}; connect-src 'self' blob: ${speaksTo.join(" ")}`)
			.end(
				given.whole ??
					`<!doctype html><html lang="${lang}" dir="${dir}"><meta name="viewport" content="width=device-width"><title>Page</title><link rel="stylesheet" href="/page.css"><script type="module" src="/elements.js"></script><main><h1>Page</h1>${body}</main>`,
			);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const browser = await launchChromium(["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]);
	const unexpected: string[] = [];
	return {
		browser,
		unexpected,
		async open(body, { lang = "en", dir = "ltr", ...options } = {}, whole, answer) {
			given = { whole, answer };
			const context = await browser.newContext({ viewport: { width: 720, height: 640 }, ...options });
			const page = await context.newPage();
			page.on("pageerror", (error) => unexpected.push(`${error.stack ?? error.message}`));
			page.on("console", (message) => {
				const text = message.text();
				if (/Content Security Policy|Media Chrome/.test(text) && !text.includes(emptyStyle)) unexpected.push(text);
			});
			await page.goto(`${address}/?${new URLSearchParams({ lang, dir, body })}`);
			await page.waitForFunction('customElements.get("reelmill-uploader") !== undefined');
			return page;
		},
		async close() {
			await browser.close();
			server.closeAllConnections();
			server.close();
			await rm(folder, { recursive: true, force: true });
		},
	};
}

/** Takes a picture, for whoever works on the look: into the folder that `REELMILL_ELEMENTS_PICTURES` names. */
export async function look(page: Page, name: string): Promise<void> {
	const folder = process.env["REELMILL_ELEMENTS_PICTURES"];
	if (folder === undefined) return;
	await mkdir(folder, { recursive: true });
	await page.screenshot({ path: join(folder, `${name}.png`) });
}

/** The name of what has the focus, also in a shadow root. */
export const focused = (page: Page) =>
	page.evaluate(() => {
		let active = document.activeElement;
		while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
		return active?.getAttribute("aria-label") ?? active?.textContent;
	});

import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { Browser } from "playwright-core";
import { launchChromium } from "../../packages/browser/test/support/chromium.ts";
import { deliveryServer } from "../../packages/browser/test/support/delivery-server.ts";
import { playedClip } from "./clip.ts";

type Case = { readonly name: string; readonly player: string; readonly settings?: object };
const cases: readonly Case[] = [
	{ name: "ours, preload none", player: "ours", settings: { preload: "none" } },
	{ name: "ours, preload metadata", player: "ours" },
	{ name: "ours, preload auto", player: "ours", settings: { preload: "auto" } },
	{ name: "hls.js by default", player: "hls.js" },
	{ name: "Mux's player", player: "mux" },
];
const seconds = 10;
const many = 16;

/**
 * How many bytes of a video a page loads in Chromium: in ten seconds in which nobody plays it, in the first ten seconds
 * of a playback, and in ten seconds of a page with sixteen players, on a connection without a limit. Ours stands beside
 * hls.js with its defaults and Mux's player. Scripts are not counted.
 */
export async function playerBytes(): Promise<void> {
	const { outputFiles } = await build({
		entryPoints: [fileURLToPath(new URL("./page.ts", import.meta.url))],
		...{ bundle: true, format: "esm", platform: "browser", target: "es2023", write: false },
		define: { "process.env.NODE_ENV": '"production"' },
	});
	const script = outputFiles[0]?.text ?? "";
	await using delivery = await deliveryServer(await playedClip(), new Set([""]));
	const browser = await launchChromium();
	try {
		for (const each of cases) {
			const measure = (count: number, plays: boolean) => load(browser, script, delivery.origin, each, count, plays);
			const [before, playing, page] = [await measure(1, false), await measure(1, true), await measure(many, false)];
			console.log(
				`player-bytes: ${each.name}: ${kB(before)} before the play, ${kB(playing)} after ${seconds} s of it, ${kB(page)} on a page with ${many} players`,
			);
		}
	} finally {
		await browser.close();
	}
}

const kB = (bytes: number) => `${Math.round(bytes / 1000)} kB`;

async function load(
	browser: Browser,
	script: string,
	origin: string,
	{ player, settings = {} }: Case,
	count: number,
	plays: boolean,
): Promise<number> {
	const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
	try {
		const page = await context.newPage();
		const session = await context.newCDPSession(page);
		const ours = new Set<string>();
		let bytes = 0;
		session.on("Network.requestWillBeSent", ({ requestId, request }) => {
			if (request.url.startsWith(origin) && !request.url.startsWith(`${origin}/page.`)) ours.add(requestId);
		});
		session.on("Network.dataReceived", ({ requestId, dataLength }) => {
			if (ours.has(requestId)) bytes += dataLength;
		});
		await session.send("Network.enable");
		await page.route(`${origin}/page.*`, (route) =>
			route.request().url().endsWith(".js")
				? route.fulfill({ contentType: "text/javascript", body: script })
				: route.fulfill({
						contentType: "text/html",
						body: '<!doctype html><body><script type="module" src="/page.js"></script>',
					}),
		);
		await page.goto(`${origin}/page.html`);
		const call = `players[${JSON.stringify(player)}](${JSON.stringify(origin)}, ${JSON.stringify(settings)})`;
		await page.evaluate(`(async () => { for (let n = 0; n < ${count}; n++) await ${call}; })()`);
		if (plays) {
			await page.evaluate("playFirst()?.catch(() => {})");
			await page.waitForFunction(`document.querySelector("video, mux-player").currentTime >= ${seconds}`, undefined, {
				timeout: 60_000,
			});
		} else await page.waitForTimeout(seconds * 1000);
		return bytes;
	} finally {
		await context.close();
	}
}

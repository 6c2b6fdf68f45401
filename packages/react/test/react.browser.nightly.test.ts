import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { json } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { ReelmillPlayer, ReelmillUploader } from "@reelmill/elements";
import { build } from "esbuild";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchChromium } from "../../browser/test/support/chromium.ts";
import { deliveryServer } from "../../browser/test/support/delivery-server.ts";
import { tusServer } from "../../client/test/support/tus-server.ts";

const folder = fileURLToPath(new URL("./support/", import.meta.url));
const resolve = createRequire(import.meta.url).resolve;
const packageFolder = (name: string) => dirname(resolve(`${name}/package.json`));

/** Bundles a file with this version of React, as a user's bundler does in development: there React warns. */
async function bundle(file: string, platform: "browser" | "node", suffix: string): Promise<string> {
	const { outputFiles } = await build({
		entryPoints: [join(folder, file)],
		bundle: true,
		platform,
		format: platform === "node" ? "cjs" : "esm",
		target: "es2022",
		jsx: "automatic",
		write: false,
		define: { "process.env.NODE_ENV": '"development"', "import.meta.url": '"file:///"' },
		alias: { react: packageFolder(`react${suffix}`), "react-dom": packageFolder(`react-dom${suffix}`) },
	});
	return outputFiles[0]?.text ?? "";
}

let browser: Browser;
let tus: Awaited<ReturnType<typeof tusServer>>;
let delivery: Awaited<ReturnType<typeof deliveryServer>>;
beforeAll(async () => {
	tus = await tusServer();
	// Any file will do: it is loaded, and not read.
	delivery = await deliveryServer(fileURLToPath(new URL("../../node/test", import.meta.url)), new Set(["k1"]));
	browser = await launchChromium();
});
afterAll(async () => {
	await browser?.close();
	await tus?.[Symbol.asyncDispose]();
	await delivery?.[Symbol.asyncDispose]();
});

describe.each([
	["18", "-18"],
	["19", ""],
])("React %s", (version, suffix) => {
	let address = "";
	let close = () => {};
	let initiated = 0;
	let html = "";
	let warnings = "";
	beforeAll(async () => {
		const [page, server] = await Promise.all([
			bundle("page.tsx", "browser", suffix),
			bundle("server.tsx", "node", suffix),
		]);
		const program = join(await mkdtemp(join(tmpdir(), "reelmill-react-")), "server.cjs");
		await writeFile(program, server);
		const rendered = await promisify(execFile)(process.execPath, [program]);
		html = rendered.stdout.trim();
		warnings = rendered.stderr;
		await rm(dirname(program), { recursive: true });
		const outputs = { hls_url: null, mp4_url: `${delivery.origin}/clip.mp4`, thumbnail_url: null, renditions: [] };
		const answers: Record<string, () => object> = {
			upload: () => {
				const id = `video-${version}-${++initiated}`;
				return { video: { id }, upload: tus.ticket(id), resumed: false };
			},
			video: () => ({ id: "video-1", visibility: "public", state: "available", outputs }),
			playback_key: () => ({ playback_key: "k1", expires_at: "2099-01-01T00:00:00.000Z" }),
		};
		const site = createServer(async (request, response) => {
			if (request.url === "/page.js") return void response.setHeader("content-type", "text/javascript").end(page);
			if (request.url === "/video") {
				const { action } = (await json(request)) as { action: string };
				return void response.setHeader("content-type", "application/json").end(JSON.stringify(answers[action]?.()));
			}
			response
				.setHeader("content-type", "text/html")
				.end(`<!doctype html><div id="root">${html}</div><script type="module" src="/page.js"></script>`);
		});
		await new Promise<void>((listening) => site.listen(0, "127.0.0.1", listening));
		address = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
		close = () => {
			site.closeAllConnections();
			site.close();
		};
	});
	afterAll(() => close());

	it("renders on the server, takes over without a complaint, and uploads and plays once in strict mode", async () => {
		expect(warnings).toBe("");
		expect(html).toContain('<reelmill-uploader back-end="/video" camera=""></reelmill-uploader>');
		const page = await browser.newPage();
		const complaints: string[] = [];
		page.on("console", (message) => {
			if (["error", "warning"].includes(message.type())) complaints.push(message.text());
		});
		page.on("pageerror", (error) => complaints.push(error.message));
		await page.goto(address);
		const file = () => ({ name: "clip.mp4", mimeType: "video/mp4", buffer: randomBytes(50_000) });

		await page.getByLabel("own").setInputFiles(file());
		await page.getByText("done", { exact: true }).waitFor();
		expect(initiated).toBe(1);

		await page.locator("#root > reelmill-uploader input[type=file]").setInputFiles(file());
		await page.locator("reelmill-player").waitFor({ state: "attached" });
		expect(initiated).toBe(2);
		expect(await page.locator("reelmill-player").getAttribute("video-id")).toBe(`video-${version}-2`);
		expect((await tus.bytes(`video-${version}-2`)).length).toBe(50_000);

		await page.locator("article input[type=file]").setInputFiles([file(), { ...file(), name: "other.mp4" }]);
		await page.getByRole("button", { name: "Leave" }).click();
		expect(await page.locator("article reelmill-uploader").count()).toBe(0);
		await page.getByRole("button", { name: "Return" }).click();
		await page.getByText("outer: done,done").waitFor();
		await page.locator("article").getByText("2 of 2 uploaded", { exact: true }).waitFor();
		expect(initiated).toBe(4);

		await page.getByRole("button", { name: "Watch" }).click();
		await page.locator("data[value=paused]").waitFor({ state: "attached" });

		const { shown, seen } = await passed(page);
		const attributes = { class: "one two", style: "width: 200px;", "data-step": "1", tabindex: "0", itemprop: "video" };
		const player = { ...attributes, "back-end": "/video", "video-id": "video-1", "aria-busy": "true", autoplay: "" };
		expect(shown[0]).toMatchObject({ attributes: player, isMuted: true, words: { play: "Go" } });
		expect(shown[0]).toMatchObject({ uploader: { hidden: "", disabled: "" }, hasInitiate: true });
		const { autoplay, ...without } = { ...player, style: "width: 300px;", "data-step": "2", "aria-busy": "false" };
		expect(shown[1]).toMatchObject({ attributes: without, isMuted: false, words: null });
		expect(shown[1]?.attributes).not.toHaveProperty("autoplay");
		expect(shown[1]).toMatchObject({ uploader: {}, hasInitiate: false });
		expect(seen).toMatchObject({ click: 1 });
		expect(seen["volumechange"]).toBeGreaterThan(0);
		// In development strict mode attaches twice, in React 19 the ref as well.
		expect(seen["cleaned"]).toBe(version === "18" ? 1 : 2);
		expect(complaints.filter((text) => !/Failed to load resource|media/i.test(text))).toEqual([]);
		await page.close();
	});
});

/** What the components show at each step of the page's last part, and what happened. */
async function passed(page: Page) {
	const next = page.getByRole("button", { name: "Next" });
	const look = () =>
		page.evaluate(() => {
			const player = document.querySelector("section > reelmill-player") as ReelmillPlayer;
			const uploader = document.querySelector("section > reelmill-uploader") as ReelmillUploader;
			const of = (element: Element) =>
				Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value]));
			const { muted: isMuted, words } = player;
			return {
				attributes: of(player),
				isMuted,
				words,
				uploader: of(uploader),
				hasInitiate: uploader.initiate !== null,
			};
		});
	await next.click();
	const first = await look();
	await page.locator("section > reelmill-player").click();
	await next.click();
	const second = await look();
	await next.click();
	const seen = await page.evaluate(() => (globalThis as { seen?: Record<string, number> }).seen ?? {});
	return { shown: [first, second], seen };
}

it("shows a component in the README that the tests render", async () => {
	const [readme, example] = await Promise.all(
		["../README.md", "./readme-example.tsx"].map((path) => readFile(new URL(path, import.meta.url), "utf8")),
	);
	expect(readme).toContain(`\`\`\`tsx\n${example}\`\`\``);
});

import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { serve } from "@hono/node-server";
import { build } from "esbuild";
import { type Context, Hono } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchChromium } from "../../../browser/test/support/chromium.ts";
import { makeClip } from "../../../browser/test/support/clip.ts";
import { systemClock } from "../../../engine/src/index.ts";
import { once as bytes, completion, openService, type Service } from "../../../http/test/support/open-service.ts";
import { uploadRoutes } from "../../src/frameworks/hono.ts";
import { createReelmill, type Reelmill } from "../../src/index.ts";

let service: Service;
let reelmill: Reelmill;
let browser: Browser;
let folder = "";
let site: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "reelmill-routes-"));
	// The page has the machine's time, and a key has an end.
	[service, browser] = await Promise.all([
		openService({}, () => ({ clock: systemClock })),
		launchChromium(),
		makeClip(folder),
	]);
	const { apiKey } = await service.tenant();
	reelmill = createReelmill({ baseUrl: service.url, apiKey });
	site = await openSite();
});
afterAll(async () => {
	await browser?.close();
	await site?.close();
	await service?.close();
	await rm(folder, { recursive: true, force: true });
});

/** A tenant's site: a page, a session in a cookie, and the one route. */
async function openSite() {
	const { outputFiles } = await build({
		entryPoints: [fileURLToPath(new URL("./page.ts", import.meta.url))],
		bundle: true,
		format: "esm",
		target: "es2022",
		write: false,
	});
	const app = new Hono();
	app.get("/", (context) => {
		const person = context.req.query("person");
		if (person) setCookie(context, "session", person, { httpOnly: true, sameSite: "Lax" });
		return context.html(
			'<!doctype html><title>shop</title><input type="file"><video></video><script type="module" src="/page.js"></script>',
		);
	});
	app.get("/page.js", (context) =>
		context.body(outputFiles[0]?.text ?? "", 200, { "content-type": "text/javascript" }),
	);
	const authorize = (context: Context) => {
		const ref = getCookie(context, "session");
		return ref === undefined ? null : { ref };
	};
	app.all("/video", uploadRoutes({ reelmill, authorize, describe: ({ about }) => ({ external_ref: String(about) }) }));
	const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" });
	await once(server, "listening");
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
		close: () => new Promise((resolve) => server.close(resolve)),
	};
}

/** A page of the site in a browser of its own, signed in as this person. */
async function openPage(person: string) {
	const context = await browser.newContext();
	const page = await context.newPage();
	await page.goto(person === "" ? site.url : `${site.url}?person=${person}`);
	const choose = (file: string) => page.setInputFiles("input", join(folder, file));
	const act = (call: string) => page.evaluate(`actions.${call}`) as Promise<Record<string, unknown>>;
	return { page, choose, act, [Symbol.asyncDispose]: () => context.close() };
}

/** Does a worker's part with the clip's files. */
async function process(id: string): Promise<void> {
	const { engine } = service;
	const account = { accountId: "00000000-0000-4000-8000-000000000000", name: "worker" };
	const { lock } = await engine.jobs.claimById(account, id, { worker: "w" });
	const files = (await readdir(folder))
		.filter((name) => !name.endsWith(".vtt"))
		.map((name) => {
			const [, , ending = ""] = /^(.*)\.(\w+)$/.exec(name) ?? [];
			const place = ending === "m3u8" ? "hls/" : name === "web.mp4" || ending === "jpg" ? "" : "media/";
			return { name, path: `${place}${name}` };
		});
	async function* entries() {
		for (const { name, path } of files) {
			const content = await readFile(join(folder, name));
			// The clip's playlists name files beside them, and captions that it has none of.
			const text =
				name === "master.m3u8"
					? content.toString().replaceAll(/#EXT-X-MEDIA:TYPE=SUBTITLES.*\n|,SUBTITLES="captions"/g, "")
					: content.toString().replaceAll(/(?<=["\n])(?=\w+\.mp4)/g, "../media/");
			yield { path, bytes: bytes(name.endsWith(".m3u8") ? text : content) };
		}
	}
	await engine.jobs.replaceOutputs(id, lock, entries());
	const done = completion(
		lock,
		files.map(({ path }) => path),
	);
	await engine.jobs.complete(id, { ...done, media: { ...done.media, duration_seconds: 8 } });
}

it("takes a page from the file to the playing private video through one route", async () => {
	await using ada = await openPage("ada");
	await ada.choose("web.mp4");
	const sent = await ada.act('send("lesson-1")');
	expect(sent).toMatchObject({ status: "done", error: null });
	const id = String(sent["videoId"]);
	expect(await reelmill.videos.get(id)).toMatchObject({
		uploader_ref: "ada",
		external_ref: "lesson-1",
		visibility: "private",
		file_size: (await readFile(join(folder, "web.mp4"))).length,
	});

	await process(id);
	await ada.act(`play("${id}")`);
	await ada.page.waitForFunction("actions.playing().currentTime > 0.3");
	expect(await ada.act("playing()")).toMatchObject({ status: "ready", source: "hls" });
});

it("shows in the uploader's state what the service says", async () => {
	await using bo = await openPage("bo");
	const { video } = await reelmill.videos.create({ content_type: "video/mp4", file_size: 1, uploader_ref: "bo" });
	await bo.choose("og.jpg");
	expect(await bo.act('send("a")')).toMatchObject({ status: "failed", error: { code: "invalid_content_type" } });
	await bo.choose("web.mp4");
	expect(await bo.act('send("b")')).toMatchObject({
		status: "failed",
		error: { code: "concurrent_upload_exists", status: 409, extras: { existing_video_id: video.id } },
	});
	let pending = video.id;
	for (let made = 1; made < 5; made++) {
		await reelmill.videos.cancel(pending);
		pending = (await reelmill.videos.create({ content_type: "video/mp4", file_size: 1, uploader_ref: "bo" })).video.id;
	}
	await reelmill.videos.cancel(pending);
	expect(await bo.act('send("c")')).toMatchObject({
		error: { code: "rate_limited", status: 429, extras: { retryAfter: expect.stringMatching(/^\d{4}-/) } },
	});

	await using nobody = await openPage("");
	await nobody.choose("web.mp4");
	expect(await nobody.act('send("d")')).toMatchObject({ status: "failed", error: { code: "unauthorized" } });
});

it("continues on another device what the first one began", async () => {
	await using first = await openPage("cy");
	await first.choose("web.mp4");
	await first.act('beginAndPause("lesson-1")');
	const { videoId } = await first.act("upload.state.get()");
	await using second = await openPage("cy");
	await second.choose("web.mp4");
	expect(await second.act('send("lesson-1")')).toMatchObject({ status: "done", videoId });
});

it("plays for nobody to whom the back end gives no key, and says why", async () => {
	await using dee = await openPage("dee");
	await dee.choose("web.mp4");
	const id = String((await dee.act('send("lesson-1")'))["videoId"]);
	await process(id);
	const other = (await reelmill.videos.create({ content_type: "video/mp4", file_size: 1 })).video.id;
	await dee.act(`play("${id}", "${other}")`);
	await dee.page.waitForFunction('actions.playing().status === "failed"');
	expect(await dee.act("playing()")).toMatchObject({ error: "forbidden", reason: "locked" });

	// The delivery plane tells nobody that a private video was deleted. The back end asks the tenant plane, which does.
	await dee.act("player.destroy()");
	await dee.act(`play("${id}", "${id}", 1)`);
	await dee.page.waitForFunction(
		'actions.playing().currentTime > 0.3 && (document.querySelector("video").pause(), true)',
	);
	await reelmill.videos.delete(id);
	await dee.page.evaluate('void document.querySelector("video").play().catch(() => {})');
	await dee.page.waitForFunction('actions.playing().status === "failed"');
	expect(await dee.act("playing()")).toMatchObject({ error: "video_not_found", reason: "deleted" });
});

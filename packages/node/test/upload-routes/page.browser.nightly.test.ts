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

/** How many milliseconds the service is ahead of the machine. */
let later = 0;
let service: Service;
let reelmill: Reelmill;
let browser: Browser;
let folder = "";
let site: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "reelmill-routes-"));
	// The page has the machine's time, and a key has an end.
	[service, browser] = await Promise.all([
		openService({}, () => ({ clock: { ...systemClock, now: () => Date.now() + later } })),
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
			'<!doctype html><title>shop</title><input type="file" multiple><video></video><script type="module" src="/page.js"></script>',
		);
	});
	app.get("/page.js", (context) =>
		context.body(outputFiles[0]?.text ?? "", 200, { "content-type": "text/javascript" }),
	);
	const authorize = (context: Context) => {
		const ref = getCookie(context, "session");
		return ref === undefined ? null : { ref };
	};
	app.all(
		"/video",
		uploadRoutes({
			reelmill,
			authorize,
			describe: ({ about }) => (typeof about === "string" ? { external_ref: about } : {}),
		}),
	);
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

it("takes an upload that is kept for what it was for, and for whom, and lets the person send another one instead", async () => {
	await using browser = await openPage("fay");
	await browser.choose("web.mp4");
	await browser.act('beginAndPause("lesson-1")');
	const { videoId: first } = await browser.act("upload.state.get()");
	const reload = async (person: string) => {
		await browser.page.goto(`${site.url}?person=${person}`);
		await browser.choose("web.mp4");
	};

	// Another person at the same browser.
	await reload("gil");
	const ofGil = await browser.act('send("lesson-1")');
	expect(ofGil).toMatchObject({ status: "done", error: null, startedAnew: false });
	expect(ofGil["videoId"]).not.toBe(first);
	expect(await reelmill.videos.get(String(ofGil["videoId"]))).toMatchObject({ uploader_ref: "gil" });

	// The same person, for another lesson: the domain allows one pending upload.
	await reload("fay");
	expect(await browser.act('send("lesson-2")')).toMatchObject({
		status: "failed",
		error: { code: "concurrent_upload_exists", extras: { existing_video_id: first } },
		canReplace: true,
	});
	expect((await reelmill.videos.get(String(first))).state).toBe("pending_upload");

	// And for the lesson that it was for.
	await reload("fay");
	expect(await browser.act('send("lesson-1")')).toMatchObject({ status: "done", videoId: first, startedAnew: false });

	await reload("fay");
	await browser.act('beginAndPause("lesson-3")');
	const { videoId: left } = await browser.act("upload.state.get()");
	await reload("fay");
	expect(await browser.act('send("lesson-2")')).toMatchObject({ status: "failed", canReplace: true });
	const second = await browser.act("replace()");
	expect(second).toMatchObject({ status: "done", error: null });
	expect((await reelmill.videos.get(String(left))).state).toBe("cancelled");
	expect(await reelmill.videos.get(String(second["videoId"]))).toMatchObject({ external_ref: "lesson-2" });

	// It was cancelled elsewhere while the person was away.
	await reload("fay");
	await browser.act('beginAndPause("lesson-4")');
	const { videoId: cancelled } = await browser.act("upload.state.get()");
	await reelmill.videos.cancel(String(cancelled));
	await reload("fay");
	expect(await browser.act('send("lesson-4")')).toMatchObject({ status: "done", startedAnew: true, error: null });
	// One on another device: the back end cancels it.
	await using phone = await openPage("hans");
	await phone.choose("web.mp4");
	await phone.act('beginAndPause("lesson-1")');
	await using desk = await openPage("hans");
	await desk.choose("web.mp4");
	expect(await desk.act('send("lesson-2")')).toMatchObject({ status: "failed", canReplace: true });
	expect(await desk.act("replace()")).toMatchObject({ status: "done", error: null });
});

it("sends seven files of two tabs through a domain as it is created, and says when the last ones go", async () => {
	await using one = await openPage("ivy");
	const other = await one.page.context().newPage();
	await other.goto(site.url);
	const pages = [one.page, other];
	const content = await readFile(join(folder, "web.mp4"));
	const files = Array.from({ length: 7 }, (_, index) => ({
		name: `${index}.mp4`,
		mimeType: "video/mp4",
		buffer: content,
	}));
	for (const [page, some] of [[one.page, files.slice(0, 4)] as const, [other, files.slice(4)] as const]) {
		await page.clock.install();
		await page.setInputFiles("input", some);
	}
	await Promise.all(pages.map((page) => page.evaluate("actions.queue()")));
	const queued = async () => {
		const states = await Promise.all(pages.map((page) => page.evaluate("actions.queued()")));
		return states.flat() as { status: string; code?: string; retryAt: number | null }[];
	};
	const waiting = { status: "waiting", code: "rate_limited", retryAt: expect.any(Number) };
	await expect
		.poll(
			async () => (await queued()).filter(({ code, status }) => status === "done" || code === "rate_limited").length,
			{
				timeout: 120_000,
			},
		)
		.toBe(7);
	const now = await queued();
	expect(now.filter(({ status }) => status === "done")).toHaveLength(5);
	const left = now.filter(({ status }) => status !== "done");
	expect(left).toEqual([waiting, waiting]);
	const minutes = ((left[0]?.retryAt ?? 0) - Date.now()) / 60_000;
	expect(minutes).toBeGreaterThan(50);
	expect(minutes).toBeLessThanOrEqual(60);
	later = 3_600_000;
	await Promise.all(pages.map((page) => page.clock.fastForward("01:00:00")));
	await expect
		.poll(async () => (await queued()).filter(({ status }) => status === "done").length, { timeout: 120_000 })
		.toBe(7);
	later = 0;
	expect(await Array.fromAsync(reelmill.videos.list({ uploaderRef: "ivy" }))).toHaveLength(7);
});

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Video } from "@reelmill/contracts";
import { type FaultProxy, openFaultProxy } from "@reelmill/fault-proxy";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openService, type Service } from "../../http/test/support/open-service.ts";
import { launchChromium } from "./support/chromium.ts";
import { makeClip } from "./support/clip.ts";
import { openFirefox } from "./support/firefox.ts";
import type { Actions } from "./support/page.ts";
import { pageServer } from "./support/page-server.ts";
import { seeded } from "./support/seeded.ts";
import { serveClip } from "./support/served-clip.ts";

type Tenant = Awaited<ReturnType<Service["tenant"]>>;
type Playing = ReturnType<Actions["playing"]> & { readonly level: number | null };
let browser: Browser;
let folder = "";
let service: Service;
let proxy: FaultProxy;
let tenant: Tenant;
let site: Awaited<ReturnType<typeof pageServer>>;
let video: Video;
/** What the page's back end answers when it is asked for a key; null refuses. */
let answer: { playback_key: string; expires_at: string } | null = null;

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "reelmill-playback-"));
	[browser, service] = await Promise.all([launchChromium(), openService(), makeClip(folder, { captioned: true })]);
	service.clock.step(Date.now() - service.clock.now());
	proxy = await openFaultProxy({ target: service.url });
	site = await pageServer({ "/my-backend/playback-key": () => answer });
	tenant = await service.tenant();
	video = await ready();
});
afterAll(async () => {
	await browser?.close();
	await site?.[Symbol.asyncDispose]();
	await proxy?.close();
	await service?.close();
	await rm(folder, { recursive: true, force: true });
});

afterEach(() => proxy?.clear());

/** Makes a private video that plays, with its addresses at the proxy. */
async function ready(): Promise<Video> {
	const id = await serveClip(service, tenant.auth, folder);
	const { text } = await service.send({ method: "GET", path: `/v1/videos/${id}`, headers: tenant.auth });
	return JSON.parse(text.replaceAll(service.url, proxy.url)) as Video;
}

async function mint(viewer: string): Promise<NonNullable<typeof answer>> {
	const json = { viewer_ref: viewer, ttl_seconds: 60 };
	const minted = await service.send({ method: "POST", path: "/v1/playback-keys", headers: tenant.auth, json });
	return minted.json as NonNullable<typeof answer>;
}

async function open(options: object = {}, of = video) {
	const context = await browser.newContext();
	const page = await context.newPage();
	await page.goto(site.address);
	await page.evaluate(`actions.playWithBackEnd(${JSON.stringify(of)}, ${JSON.stringify(options)})`);
	return {
		page,
		look: () => page.evaluate("actions.playing()") as Promise<Playing>,
		[Symbol.asyncDispose]: () => context.close(),
	};
}
/** Headers of an answer that a page can read. */
const readable = { "access-control-allow-origin": "*", "access-control-expose-headers": "Retry-After" };
const until = (page: Page, condition: string) => page.waitForFunction(condition);
/** Pauses as soon as the playback is past `seconds`, so that a busy machine doesn't come to the end of the clip. */
const standAfter = (page: Page, seconds: number) =>
	until(page, `actions.playing().currentTime > ${seconds} && (document.querySelector("video").pause(), true)`);
const goOn = (page: Page) => page.evaluate('void document.querySelector("video").play().catch(() => {})');

describe("the player in Chromium against the real service", () => {
	it("plays on when its key ends, and is refused a revoked one with a reason", async () => {
		answer = await mint("anna");
		await using on = await open({ maxBufferSeconds: 1 });
		await standAfter(on.page, 0.2);
		answer = await mint("anna");
		await service.clock.advance(61_000);
		answer = await mint("anna");
		await goOn(on.page);
		await standAfter(on.page, 4.2);
		expect(await on.look()).toMatchObject({ error: null, minted: 2 });
		await service.send({
			method: "POST",
			path: "/v1/playback-keys/revoke",
			headers: tenant.auth,
			json: { viewer_ref: "anna" },
		});
		await service.clock.advance(5000);
		await goOn(on.page);
		await until(on.page, 'actions.playing().status === "failed"');
		expect(await on.look()).toMatchObject({ error: "playback_key_invalid", reason: "revoked" });
		// A key that was minted after the revocation opens the video again, where it was.
		answer = await mint("anna");
		await on.page.evaluate("actions.player.retry()");
		await until(on.page, "actions.playing().ended");
	});

	it("says that a key ended for which the page has no newer one", async () => {
		answer = { ...(await mint("berta")), expires_at: new Date(Date.now() - 1000).toISOString() };
		await service.clock.advance(61_000);
		await using on = await open();
		await until(on.page, 'actions.playing().status === "failed"');
		expect(await on.look()).toMatchObject({ error: "playback_key_invalid", reason: "expired" });
	});

	it("says that the video is gone, and that no key came", async () => {
		const gone = await ready();
		answer = await mint("carla");
		await using on = await open({ maxBufferSeconds: 1 }, gone);
		await standAfter(on.page, 0.2);
		await service.send({ method: "DELETE", path: `/v1/videos/${gone.id}`, headers: tenant.auth });
		await service.clock.advance(5000);
		await goOn(on.page);
		await until(on.page, 'actions.playing().status === "failed"');
		// The service tells nobody whether a private video was deleted: it refuses the key, as for any id that isn't there.
		expect(await on.look()).toMatchObject({ error: "playback_key_invalid", reason: "revoked" });
		answer = null;
		await using none = await open();
		await until(none.page, 'actions.playing().status === "failed"');
		expect(await none.look()).toMatchObject({ error: "key_unavailable", reason: "locked" });
	});

	it("goes on by itself after cut connections, and when the browser is online again", async () => {
		answer = await mint("dora");
		const lost = proxy.use({
			when: { method: "GET", path: /media/ },
			times: 3,
			fault: { kind: "cut", direction: "answer", afterBytes: 100 },
		});
		await using on = await open({ maxBufferSeconds: 1 });
		await standAfter(on.page, 2.5);
		// hls.js gives up a request of its own now and then: not each of the three need be cut.
		expect(lost.hits).toBeGreaterThan(0);
		expect(await on.look()).toMatchObject({ error: null });
		await on.page.context().setOffline(true);
		await goOn(on.page);
		await until(on.page, 'actions.playing().status === "failed"');
		expect(await on.look()).toMatchObject({ error: "network_error", reason: "offline" });
		await on.page.context().setOffline(false);
		await until(on.page, 'actions.playing().ended && actions.playing().status === "ready"');
	});

	it("asks a busy service again when the service wants it", async () => {
		answer = await mint("jana");
		const when = { method: "GET", path: /audio.m4a/ };
		const headers = { ...readable, "retry-after": "3" };
		// Two requests for the sound are sent at once.
		const busy = proxy.use({ when, times: 2, fault: { kind: "refuse", status: 429, headers } });
		const answered = proxy.use({ when, fault: { kind: "pass" } });
		await using on = await open();
		await busy.hit();
		const refusedAt = performance.now();
		await answered.hit();
		// hls.js by itself would ask after a second.
		expect(performance.now() - refusedAt).toBeGreaterThan(2900);
		await until(on.page, "actions.playing().currentTime > 0.2");
		expect(await on.look()).toMatchObject({ error: null });
	});

	it.each([
		["which the browser takes for the network", {}],
		["which the player can read", readable],
	])("goes on by itself after a hotel's sign-in page, %s", async (_, more) => {
		answer = await mint("gerda");
		const errorRetry = { maxNumRetry: 1, retryDelayMs: 100, maxRetryDelayMs: 100 };
		const policy = { maxTimeToFirstByteMs: 60_000, maxLoadTimeMs: 60_000, timeoutRetry: errorRetry, errorRetry };
		await using on = await open({ maxBufferSeconds: 1, hlsConfig: { fragLoadPolicy: { default: policy } } });
		await standAfter(on.page, 0.2);
		proxy.use({ fault: { kind: "refuse", status: 200, headers: { "content-type": "text/html", ...more } } });
		await goOn(on.page);
		await until(on.page, 'actions.playing().status === "failed"');
		expect(await on.look()).toMatchObject({ error: "network_error", reason: "offline" });
		proxy.clear();
		const { currentTime } = await on.look();
		await until(
			on.page,
			`actions.playing().status === "ready" && actions.playing().currentTime > ${currentTime + 0.5}`,
		);
	});

	it("plays at 256 kbit/s, in the smallest level", async () => {
		answer = await mint("hanna");
		proxy.use({
			when: { method: "GET" },
			fault: { kind: "slow", direction: "answer", bytesPerSecond: 32_000 },
		});
		await using on = await open();
		await until(on.page, "actions.playing().currentTime > 1");
		expect(await on.look()).toMatchObject({ error: null, videoWidth: 320 });
	});

	it("plays on where every fifth request fails", async () => {
		answer = await mint("ida");
		const when = { method: "GET", path: /^.videos/ };
		const random = seeded(16);
		const faults = [
			proxy.use({ when, chance: { share: 0.1, random }, fault: { kind: "refuse", status: 503, headers: readable } }),
			proxy.use({
				when,
				chance: { share: 0.1, random },
				fault: { kind: "cut", direction: "answer", afterBytes: 100 },
			}),
		];
		await using on = await open();
		await until(on.page, "actions.playing().currentTime > 2.5");
		expect(await on.look()).toMatchObject({ error: null });
		for (const { hits } of faults) expect(hits).toBeGreaterThan(0);
	});

	it("seeks, and changes quality and codec on the way", async () => {
		answer = await mint("emma");
		await using on = await open();
		await until(on.page, "actions.player.state.get().level !== null");
		await on.page.evaluate('document.querySelector("video").pause(), actions.player.setSpeed(0.5)');
		for (const seconds of [6, 4, 1]) expect(await on.page.evaluate(`actions.seek(${seconds})`)).toBeCloseTo(seconds, 1);
		await on.page.evaluate('actions.player.setLevel(360), void document.querySelector("video").play()');
		await until(on.page, "actions.playing().videoWidth === 640");
		await on.page.evaluate('actions.player.setCodec("av1")');
		await until(on.page, 'actions.playing().codec === "av1" && actions.playing().videoWidth === 320');
		await until(on.page, "actions.playing().currentTime > 1 && !actions.playing().waiting");
		expect(await on.look()).toMatchObject({ error: null, captions: [{ language: "de" }] });
		await on.page.evaluate("actions.player.loadStoryboard()");
		expect(await on.page.evaluate("actions.player.state.get().storyboard.length")).toBe(2);
	});
});

it("plays a private video in Firefox: first picture, playback, seek, and the end of the key", async () => {
	answer = await mint("frida");
	await using firefox = await openFirefox();
	await firefox.goto(site.address);
	await firefox.evaluate(`actions.playWithBackEnd(${JSON.stringify(video)}, { maxBufferSeconds: 1 }, false)`);
	await firefox.waitForFunction('actions.playing().status === "ready"');
	expect(await firefox.evaluate("actions.playing()")).toMatchObject({ error: null, duration: 8, videoWidth: 320 });
	await firefox.evaluate('void document.querySelector("video").play().catch(() => {})');
	await firefox.waitForFunction(
		'actions.playing().currentTime > 0.3 && (document.querySelector("video").pause(), true)',
	);
	await service.clock.advance(61_000);
	answer = await mint("frida");
	expect(await firefox.evaluate("actions.seek(5)")).toBeCloseTo(5, 1);
	await firefox.evaluate('void document.querySelector("video").play().catch(() => {})');
	await firefox.waitForFunction("actions.playing().ended");
	expect(await firefox.evaluate("actions.playing()")).toMatchObject({ error: null, source: "hls", minted: 2 });
});

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchChromium } from "./support/chromium.ts";
import { makeClip } from "./support/clip.ts";
import { deliveryServer } from "./support/delivery-server.ts";
import type { Actions } from "./support/page.ts";
import { pageServer } from "./support/page-server.ts";

type Playing = ReturnType<Actions["playing"]>;
type Delivery = Awaited<ReturnType<typeof deliveryServer>>;
let browser: Browser;
let folder = "";
let site: Awaited<ReturnType<typeof pageServer>>;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "reelmill-player-"));
	[browser, site] = await Promise.all([launchChromium(), pageServer(), makeClip(folder)]);
});
afterAll(async () => {
	await browser?.close();
	await site?.[Symbol.asyncDispose]();
	await rm(folder, { recursive: true, force: true });
});

const rendition = (codec: "h264" | "av1") => ({
	name: `${codec}_720`,
	codec,
	width: 320,
	height: 180,
	bitrate: 900_000,
});
const video = ({ origin }: Delivery, outputs: object, visibility: string) => ({
	id: "video-1",
	visibility,
	outputs: {
		hls_url: `${origin}/master.m3u8`,
		dash_url: null,
		mp4_url: `${origin}/web.mp4`,
		thumbnail_url: `${origin}/og.jpg`,
		storyboard_url: null,
		web_mp4_outro_id: null,
		renditions: [rendition("h264"), rendition("av1")],
		...outputs,
	},
});

async function playing(
	delivery: Delivery,
	{
		codec = "h264",
		keys = ["k1"],
		outputs = {},
		visibility = "private",
	}: { codec?: string; keys?: string[]; outputs?: object; visibility?: string },
) {
	const context = await browser.newContext();
	const page = await context.newPage();
	await page.goto(site.address);
	await page.evaluate(
		`actions.play(${JSON.stringify(video(delivery, outputs, visibility))}, "${codec}", ${JSON.stringify(keys)})`,
	);
	return {
		page,
		look: () => page.evaluate("actions.playing()") as Promise<Playing>,
		[Symbol.asyncDispose]: () => context.close(),
	};
}
const advances = (page: Page, beyond = 0.3) =>
	page.waitForFunction(`actions.playing().currentTime > ${beyond}`, undefined, { timeout: 60_000 });
const paths = ({ requests }: Delivery) => new Set(requests.map(({ path }) => path));

describe("the player in Chromium", () => {
	it("plays a private video's H.264 with the key on every request, shows its poster, and seeks", async () => {
		await using delivery = await deliveryServer(folder, new Set(["k1"]));
		await using on = await playing(delivery, {});
		await advances(on.page);
		expect(await on.page.evaluate("actions.seek(6)")).toBeCloseTo(6, 1);
		await advances(on.page, 6.2);
		const look = await on.look();
		expect(look).toMatchObject({
			status: "ready",
			source: "hls",
			codec: "h264",
			minted: 1,
			error: null,
			videoWidth: 320,
		});
		expect(look.poster).toMatch(/^blob:/);
		expect(delivery.requests.every(({ authorization }) => authorization === "Bearer k1")).toBe(true);
		expect(paths(delivery)).toContain("/h264.mp4");
		expect(paths(delivery)).toContain("/audio.mp4");
		expect(paths(delivery)).not.toContain("/av1.mp4");
	});

	it("plays the AV1 variant when told", async () => {
		await using delivery = await deliveryServer(folder, new Set(["k1"]));
		await using on = await playing(delivery, { codec: "av1" });
		await advances(on.page);
		expect(await on.look()).toMatchObject({ status: "ready", codec: "av1", error: null, videoWidth: 320 });
		expect(paths(delivery)).toContain("/av1.mp4");
		expect(paths(delivery)).not.toContain("/h264.mp4");
	});

	it("gets a new key, once for all requests, when the service refuses the old one in the middle", async () => {
		const accepted = new Set(["k0"]);
		await using delivery = await deliveryServer(folder, accepted, (path) => {
			if (path !== "/h264.mp4" || !accepted.delete("k0")) return;
			accepted.add("k1");
		});
		await using on = await playing(delivery, { keys: ["k0", "k1"] });
		await advances(on.page, 3);
		expect(await on.look()).toMatchObject({ status: "ready", minted: 2, error: null });
		const used = (key: string, status: number) =>
			delivery.requests.filter((request) => request.authorization === `Bearer ${key}` && request.status === status)
				.length;
		expect(used("k0", 206)).toBeGreaterThan(0);
		expect(used("k0", 401)).toBeGreaterThan(0);
		expect(used("k1", 206)).toBeGreaterThan(0);
		expect(used("k1", 401)).toBe(0);
	});

	it("plays nothing without a key, and says why", async () => {
		await using delivery = await deliveryServer(folder, new Set(["k1"]));
		for (const [keys, code] of [
			[[], "playback_key_required"],
			[["wrong"], "playback_key_invalid"],
		] as const) {
			await using on = await playing(delivery, { keys: [...keys] });
			await on.page.waitForFunction('actions.playing().status === "failed"');
			expect(await on.look()).toMatchObject({ error: code, currentTime: 0 });
		}
		expect(delivery.requests.some(({ status }) => status < 400)).toBe(false);
	});

	it("plays a public video without any key, and leaves casting to the page", async () => {
		await using delivery = await deliveryServer(folder, new Set([""]));
		await using on = await playing(delivery, { visibility: "public" });
		await advances(on.page);
		const look = await on.look();
		expect(look).toMatchObject({
			status: "ready",
			source: "hls",
			minted: 0,
			error: null,
			poster: `${delivery.origin}/og.jpg`,
		});
		expect(delivery.requests.every(({ authorization }) => authorization === undefined)).toBe(true);
		expect(await on.page.evaluate('document.querySelector("video").disableRemotePlayback')).toBe(false);
	});

	it("plays the MP4 from a blob where there is no HLS", async () => {
		await using delivery = await deliveryServer(folder, new Set(["k1"]));
		await using on = await playing(delivery, { outputs: { hls_url: null } });
		await advances(on.page);
		const look = await on.look();
		expect(look).toMatchObject({ status: "ready", source: "file", error: null });
		expect(look.src).toMatch(/^blob:/);
	});

	it("says that there is nothing to play, and leaves the element empty when destroyed", async () => {
		await using delivery = await deliveryServer(folder, new Set(["k1"]));
		await using none = await playing(delivery, { outputs: { hls_url: null, mp4_url: null } });
		await none.page.waitForFunction('actions.playing().status === "failed"');
		expect(await none.look()).toMatchObject({ error: "not_playable" });

		await using on = await playing(delivery, {});
		await advances(on.page);
		expect(await on.page.evaluate('document.querySelector("video").disableRemotePlayback')).toBe(true);
		await on.page.evaluate("actions.player.destroy(), actions.player.destroy()");
		expect(await on.look()).toMatchObject({ status: "destroyed", src: "", poster: "", error: null });
		expect(await on.page.evaluate('document.querySelector("video").disableRemotePlayback')).toBe(false);
	});
});

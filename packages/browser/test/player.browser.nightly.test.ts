import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
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
	[browser, site] = await Promise.all([launchChromium(), pageServer(), makeClip(folder, { captioned: true })]);
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
		chapters_url: null,
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
		options = {},
		begin = true,
		before = "",
	}: {
		codec?: string;
		keys?: string[];
		outputs?: object;
		visibility?: string;
		options?: object;
		begin?: boolean;
		before?: string;
	},
) {
	const context = await browser.newContext();
	const page = await context.newPage();
	if (before) await page.addInitScript(before);
	await page.goto(site.address);
	const values = [video(delivery, outputs, visibility), codec, keys, options, begin].map((value) =>
		JSON.stringify(value),
	);
	await page.evaluate(`actions.play(${values.join()})`);
	return {
		page,
		look: () => page.evaluate("actions.playing()") as Promise<Playing>,
		[Symbol.asyncDispose]: () => context.close(),
	};
}
const advances = (page: Page, beyond = 0.3) => page.waitForFunction(`actions.playing().currentTime > ${beyond}`);
const paths = ({ requests }: Delivery) => new Set(requests.map(({ path }) => path));

describe("the player in Chromium", () => {
	it("plays a private video's H.264 with the key on every request, shows its poster, and seeks", async () => {
		await using delivery = await deliveryServer(folder, new Set(["k1"]));
		await using on = await playing(delivery, {});
		await advances(on.page);
		// It plays on meanwhile.
		expect(await on.page.evaluate("actions.seek(6)")).toBeGreaterThan(5.95);
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

	it("begins with the opening of a private video that is still encoded, and plays on to the end when its playlists have grown", async () => {
		await using delivery = await deliveryServer(folder, new Set(["k1"]));
		/** Writes the playlists of the opening: the first two segments of each track, or all. */
		const write = async (isWhole: boolean) => {
			for (const track of ["h264", "audio"]) {
				const lines = (await readFile(join(folder, `${track}.m3u8`), "utf8")).trim().split("\n");
				const third = lines.flatMap((line, n) => (line.startsWith("#EXTINF") ? [n] : []))[2];
				const text = lines.slice(0, isWhole ? undefined : third).join("\n");
				const grows = "#EXT-X-PLAYLIST-TYPE:EVENT\n#EXT-X-START:TIME-OFFSET=0";
				await writeFile(join(folder, `opening_${track}.m3u8`), text.replace("#EXT-X-PLAYLIST-TYPE:VOD", grows));
			}
		};
		await write(false);
		const master = `#EXTM3U
#EXT-X-VERSION:7
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="sound",NAME="sound",DEFAULT=YES,AUTOSELECT=YES,URI="opening_audio.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=900000,RESOLUTION=320x180,CODECS="avc1.4D400D,mp4a.40.2",AUDIO="sound"
opening_h264.m3u8
`;
		await writeFile(join(folder, "opening.m3u8"), master);
		const outputs = { hls_url: `${delivery.origin}/opening.m3u8`, mp4_url: null, renditions: [rendition("h264")] };
		await using on = await playing(delivery, { outputs });
		await on.page.waitForFunction("actions.playing().currentTime > 3.5 && actions.playing().readyState < 3");
		await write(true);
		await on.page.waitForFunction("document.querySelector('video').ended");
		expect(await on.look()).toMatchObject({ status: "ready", source: "hls", error: null });
		expect((await on.look()).currentTime).toBeCloseTo(8, 0);
		const asked = delivery.requests.filter(({ path, status }) => path === "/opening.m3u8" && status === 200);
		expect(asked.length).toBeLessThan(3);
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

	it("says that a public video is gone, when the service no longer gives it to everybody", async () => {
		const accepted = new Set([""]);
		await using delivery = await deliveryServer(folder, accepted);
		await using on = await playing(delivery, { visibility: "public", keys: [], options: { maxBufferSeconds: 1 } });
		await until(on.page, 'actions.playing().currentTime > 0.3 && (document.querySelector("video").pause(), true)');
		accepted.clear();
		await on.page.evaluate('void document.querySelector("video").play().catch(() => {})');
		await until(on.page, 'actions.playing().status === "failed"');
		expect(await on.look()).toMatchObject({ error: "playback_key_required", reason: "deleted" });
		accepted.add("");
		await on.page.evaluate("actions.player.retry()");
		await advances(on.page, 5);
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

const until = (page: Page, condition: string) => page.waitForFunction(condition);
const bytesOf = ({ requests }: Delivery) => requests.reduce((sum, { bytes }) => sum + bytes, 0);

describe("what a player in Chromium loads", () => {
	it("is the poster alone before the play with preload none, and the video from the keyboard's play on", async () => {
		await using delivery = await deliveryServer(folder, new Set(["k1"]));
		await using on = await playing(delivery, { options: { preload: "none" }, begin: false });
		await until(on.page, 'actions.playing().poster !== ""');
		expect([...paths(delivery)]).toEqual(["/og.jpg"]);
		expect(await on.look()).toMatchObject({ status: "idle", source: "hls", readyState: 0 });
		await on.page.evaluate('document.querySelector("video").controls = true');
		await on.page.focus("video");
		await on.page.keyboard.press("Space");
		await advances(on.page);
		expect(await on.look()).toMatchObject({ status: "ready", error: null });
	});

	it("is poster, duration and first picture before the play by default, at most 300 kB, and no sound", async () => {
		await using delivery = await deliveryServer(folder, new Set(["k1"]));
		await using on = await playing(delivery, { begin: false });
		await until(on.page, 'actions.playing().status === "ready"');
		await until(on.page, 'document.querySelector("video").readyState >= 2');
		const look = await on.look();
		expect(look).toMatchObject({
			videoWidth: 320,
			currentTime: 0,
			error: null,
			bufferedAhead: expect.any(Number),
		});
		expect(look.readyState).toBeGreaterThanOrEqual(2);
		expect(look.duration).toBeCloseTo(8, 0);
		expect(look.levels).toEqual([
			{ width: 320, height: 180, bitrate: 900_000 },
			{ width: 640, height: 360, bitrate: 2_500_000 },
		]);
		expect(paths(delivery)).toContain("/og.jpg");
		expect(paths(delivery)).not.toContain("/audio.mp4");
		expect(bytesOf(delivery)).toBeLessThanOrEqual(300_000);
		await on.page.evaluate('void document.querySelector("video").play().catch(() => {})');
		await advances(on.page);
	});

	it("is no more of a small video than there is, though its picture takes long to be decoded", async () => {
		const input = [
			"-v",
			"error",
			"-f",
			"lavfi",
			"-i",
			"color=s=320x180:r=30:d=2",
			"-c:v",
			"libx264",
			"-profile:v",
			"main",
		];
		const single = ["-hls_segment_type", "fmp4", "-hls_flags", "single_file", "-hls_segment_filename", "small.mp4"];
		await promisify(execFile)("ffmpeg", [...input, "-f", "hls", ...single, "small.m3u8"], { cwd: folder });
		const variant = '#EXT-X-STREAM-INF:BANDWIDTH=9000,RESOLUTION=320x180,CODECS="avc1.4D400D"';
		await writeFile(join(folder, "one.m3u8"), `#EXTM3U\n${variant}\nsmall.m3u8\n`);
		await using delivery = await deliveryServer(folder, new Set(["k1"]));
		await using on = await playing(delivery, {
			begin: false,
			outputs: { hls_url: `${delivery.origin}/one.m3u8` },
			before: 'Object.defineProperty(HTMLMediaElement.prototype, "readyState", { get: () => 1 })',
		});
		await until(on.page, 'actions.playing().status === "ready"');
		await on.page.waitForLoadState("networkidle");
		expect(delivery.requests.filter(({ path }) => path === "/small.mp4")).toHaveLength(1);
		expect(await on.look()).toMatchObject({ status: "ready", error: null });
	});

	it.each([
		["private", 200_000, true],
		["public", 200_000, true],
		["private", 400_000, false],
		["public", 400_000, false],
	])("stays below 300 kB with the poster of a %s video that has %i bytes", async (visibility, size, isShown) => {
		// What comes after the end of a JPEG is no part of the picture.
		const picture = await readFile(join(folder, "og.jpg"));
		await writeFile(join(folder, "poster.jpg"), Buffer.concat([picture, Buffer.alloc(size - picture.length)]));
		await using delivery = await deliveryServer(folder, new Set([visibility === "private" ? "k1" : ""]));
		const outputs = { poster_url: `${delivery.origin}/poster.jpg` };
		await using on = await playing(delivery, { begin: false, visibility, outputs });
		await until(on.page, 'actions.playing().status === "ready"');
		if (isShown) await until(on.page, 'actions.playing().poster !== ""');
		await on.page.waitForLoadState("networkidle");
		expect((await on.look()).poster !== "").toBe(isShown);
		expect(paths(delivery)).toContain("/h264.mp4");
		// The picture of a link has another shape, and bars.
		expect(paths(delivery)).not.toContain("/og.jpg");
		expect(bytesOf(delivery)).toBeLessThanOrEqual(300_000);
	});

	it("is for the players in view, of sixteen on a page", async () => {
		await using delivery = await deliveryServer(folder, new Set(["k1"]));
		const context = await browser.newContext({ viewport: { width: 800, height: 600 } });
		const page = await context.newPage();
		await page.goto(site.address);
		await page.evaluate(`actions.many(16, ${JSON.stringify(video(delivery, {}, "private"))}, "k1")`);
		await until(page, 'actions.statuses().includes("ready")');
		const inView = ((await page.evaluate("actions.statuses()")) as string[]).filter((status) => status !== "idle");
		expect(inView.length).toBeLessThanOrEqual(2);
		expect(bytesOf(delivery)).toBeLessThanOrEqual(600_000);
		await page.evaluate("scrollTo(0, document.body.scrollHeight)");
		await until(page, 'actions.statuses().at(-1) === "ready"');
		expect(((await page.evaluate("actions.statuses()")) as string[])[8]).toBe("idle");
		await context.close();
	});

	it("stays bounded ahead of the playback and behind it", async () => {
		await using delivery = await deliveryServer(folder, new Set(["k1"]));
		await using on = await playing(delivery, { options: { maxBufferSeconds: 2 } });
		await until(on.page, 'actions.playing().currentTime > 0.1 && (document.querySelector("video").pause(), true)');
		await until(on.page, "actions.playing().bufferedAhead >= 2");
		expect(((await on.page.evaluate("actions.loaded()")) as number[])[1]).toBeLessThan(7);
		await on.page.evaluate(
			'void (document.querySelector("video").playbackRate = 2, document.querySelector("video").play())',
		);
		await until(on.page, "actions.loaded()[0] >= 2");
	});

	it("stops when nobody sees or hears the player, and goes on in view", async () => {
		await using delivery = await deliveryServer(folder, new Set(["k1"]));
		await using on = await playing(delivery, { options: { maxBufferSeconds: 2 } });
		const hide = 'document.querySelector("video").style.cssText = "position: absolute; top: 5000px"';
		await until(on.page, `actions.playing().currentTime > 0.1 && (${hide})`);
		await until(on.page, "actions.playing().waiting");
		const { currentTime } = await on.look();
		expect(currentTime).toBeLessThan(7);
		await on.page.evaluate('document.querySelector("video").scrollIntoView()');
		await advances(on.page, currentTime + 0.3);
	});
});

describe("what a viewer can choose in Chromium", () => {
	it("is a level, the codec, the sound alone and the speed, in the middle of the playback", async () => {
		await using delivery = await deliveryServer(folder, new Set(["k1"]));
		await using on = await playing(delivery, {});
		await until(on.page, "actions.player.state.get().level !== null");
		await on.page.evaluate("actions.player.setLevel(360)");
		await until(on.page, "actions.playing().videoWidth === 640");
		expect(await on.look()).toMatchObject({ chosenLevel: 360, codecs: ["h264", "av1"] });
		await on.page.evaluate("actions.player.setSpeed(0.5)");
		await until(on.page, "actions.playing().currentTime > 1");
		await on.page.evaluate('actions.player.setCodec("av1")');
		await until(on.page, 'actions.playing().codec === "av1" && actions.playing().status === "ready"');
		await until(on.page, "actions.playing().videoWidth === 320 && actions.playing().currentTime > 1.1");
		expect(await on.look()).toMatchObject({ speed: 0.5, error: null });
		await on.page.evaluate("actions.player.setAudioOnly(true), actions.player.setSpeed(1)");
		await until(on.page, "actions.playing().videoWidth === 0");
		const pictures = delivery.requests.filter(({ path }) => path === "/av1.mp4").length;
		await until(on.page, "actions.playing().currentTime > 2");
		expect(await on.look()).toMatchObject({ audioOnly: true, error: null });
		expect(delivery.requests.filter(({ path }) => path === "/av1.mp4")).toHaveLength(pictures);
		await on.page.evaluate("actions.player.setAudioOnly(false)");
		await until(on.page, "actions.playing().videoWidth === 320");
		expect(await on.page.evaluate("typeof actions.player.hls.loadLevel")).toBe("number");
	});

	it("is captions with their languages, a storyboard and chapters, all fetched with the key", async () => {
		await using delivery = await deliveryServer(folder, new Set(["k1"]));
		const master = await readFile(join(folder, "master.m3u8"), "utf8");
		const [own = ""] = /#EXT-X-MEDIA:TYPE=SUBTITLES.*\n/.exec(master) ?? [];
		const further = own
			.replace("Deutsch", "Français")
			.replace('"de"', '"fr"')
			.replace("captions.m3u8", "captions_2.m3u8");
		const forced = further.replace("Français", "Panneaux").replace("DEFAULT=NO", "DEFAULT=NO,FORCED=YES");
		await writeFile(join(folder, "several.m3u8"), master.replace(own, own + further + forced));
		await writeFile(join(folder, "captions_2.m3u8"), "#EXTM3U\n#EXTINF:8,\ncaptions_2.vtt\n#EXT-X-ENDLIST\n");
		await writeFile(
			join(folder, "captions_2.vtt"),
			"WEBVTT\n\n00:00.000 --> 00:01.000\nUn\n\n00:01.000 --> 00:02.000\nDeux\n",
		);
		await writeFile(join(folder, "chapters.vtt"), "WEBVTT\n\n00:00:04.000 --> 00:00:08.000\nQ &amp; A\n");
		await using on = await playing(delivery, {
			outputs: {
				hls_url: `${delivery.origin}/several.m3u8`,
				storyboard_url: `${delivery.origin}/storyboard.vtt`,
				chapters_url: `${delivery.origin}/chapters.vtt`,
			},
			begin: false,
		});
		await until(on.page, "actions.playing().captions.length === 2");
		const captions = [
			{ language: "de", label: "Deutsch" },
			{ language: "fr", label: "Français" },
		];
		expect(await on.look()).toMatchObject({ captions, shownCaptions: null });
		expect(await on.page.evaluate("actions.player.loadChapters()")).toEqual([{ title: "Q & A", start: 4 }]);
		await on.page.evaluate("actions.player.showCaptions(1)");
		await until(on.page, '[...document.querySelector("video").textTracks].some(({ cues }) => cues?.length === 2)');
		expect(paths(delivery)).not.toContain("/transcript.vtt");
		expect(paths(delivery)).not.toContain("/storyboard.vtt");
		await on.page.evaluate("actions.player.showCaptions(0)");
		await until(on.page, '[...document.querySelector("video").textTracks].some(({ cues }) => cues?.length === 1)');
		expect(await on.look()).toMatchObject({ shownCaptions: 0 });
		const [language, address] = (await on.page.evaluate(
			'(({ srclang, src }) => [srclang, src])(document.querySelector("track"))',
		)) as string[];
		expect(language).toBe("de");
		expect(address).toMatch(/^blob:/);
		await on.page.evaluate("actions.player.showCaptions(null)");
		await until(on.page, "actions.playing().shownCaptions === null");
		const pictures = (await on.page.evaluate("actions.player.loadStoryboard()")) as { from: number; image: string }[];
		expect(pictures.map(({ from }) => from)).toEqual([0, 4]);
		expect(pictures[0]?.image).toMatch(/^blob:/);
		await until(
			on.page,
			'[...document.querySelector("video").textTracks].some(({ label, cues }) => label === "thumbnails" && cues?.length === 2)',
		);
		expect(delivery.requests.every(({ authorization }) => authorization === "Bearer k1")).toBe(true);
	});

	it("is a fetch with the key for another player, and a play before anything is loaded", async () => {
		await using delivery = await deliveryServer(folder, new Set(["k2"]));
		await using on = await playing(delivery, { keys: ["k1", "k2"], options: { preload: "none" }, begin: false });
		const fetched = `actions.player.fetch("${delivery.origin}/audio.mp4", { headers: { range: "bytes=0-9" } })`;
		expect(
			await on.page.evaluate(`${fetched}.then(async (answer) => [answer.status, (await answer.blob()).size])`),
		).toEqual([206, 10]);
		// The promise of a play that comes before everything else waits for the video.
		await on.page.evaluate('document.querySelector("video").play()');
		expect(await on.look()).toMatchObject({ status: "ready", waiting: false });
	});
});

describe("a browser with less than Chromium has", () => {
	const managed =
		"globalThis.ManagedMediaSource = class extends MediaSource { streaming = true }; delete globalThis.MediaSource;";
	const none = "delete globalThis.MediaSource; delete globalThis.ManagedMediaSource;";

	it("plays by a managed Media Source, as on iPhones", async () => {
		await using delivery = await deliveryServer(folder, new Set(["k1"]));
		await using on = await playing(delivery, { before: managed });
		await advances(on.page);
		expect(await on.look()).toMatchObject({ source: "hls", error: null });
	});

	it("leaves a public video to the browser's own HLS without Media Source", async () => {
		await using delivery = await deliveryServer(folder, new Set([""]));
		const before = `${none} HTMLMediaElement.prototype.canPlayType = () => "maybe";`;
		await using on = await playing(delivery, { before, visibility: "public", begin: false });
		await until(on.page, 'document.querySelector("video").preload === "metadata"');
		expect(await on.look()).toMatchObject({ source: "native", src: `${delivery.origin}/master.m3u8` });
	});

	it("plays a private MP4 whole without Media Source, from the play on and up to a size", async () => {
		await using delivery = await deliveryServer(folder, new Set(["k1"]));
		await using on = await playing(delivery, { before: none, begin: false });
		await until(on.page, 'actions.playing().status === "ready" && actions.playing().poster !== ""');
		expect([...paths(delivery)]).toEqual(["/og.jpg"]);
		await on.page.click("video");
		await advances(on.page);
		expect(await on.look()).toMatchObject({ source: "file", error: null });
		await using small = await playing(delivery, { before: none, options: { maxWholeFileBytes: 1000 } });
		await until(small.page, 'actions.playing().status === "failed"');
		expect(await small.look()).toMatchObject({ error: "unsupported", reason: "too_large" });
	});
});

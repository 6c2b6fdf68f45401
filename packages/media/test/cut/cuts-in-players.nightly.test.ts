import { cutVideo } from "@reelmill/media";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchChromium } from "../support/chromium.ts";
import { openCuts, rate } from "../support/cuts.ts";
import { type Player, serveFolder } from "../support/serve-folder.ts";
import { type Folder, openFolder, tools } from "../support/sources.ts";

/** From the middle of a group of pictures to the middle of another one, with sound that begins within a packet. */
const [first, end] = [37, 163];
const seconds = (end - first) / rate;

let folder: Folder;
let server: Awaited<ReturnType<typeof serveFolder>>;
let browser: Browser;
beforeAll(async () => {
	folder = await openFolder();
	const { directory: source } = await openCuts(folder, 7);
	const directory = folder.outputs();
	await cutVideo({ source, directory, tools, startSeconds: first / rate, endSeconds: end / rate });
	server = await serveFolder(directory, "<title>cut</title><video muted></video>");
	browser = await launchChromium();
});
afterAll(async () => {
	await browser?.close();
	server?.close();
	await folder?.close();
});

async function inPage<Answer>(player: Player | null, script: string): Promise<Answer> {
	const page = await browser.newPage();
	try {
		await page.goto(server.address);
		if (player !== null) await page.addScriptTag({ url: `/${player}` });
		return (await page.evaluate(
			`(async () => { const video = document.querySelector("video"); ${script} })()`,
		)) as Answer;
	} finally {
		await page.close();
	}
}

/** Plays to the end what `start` loads, at half the speed. `moments` are those of the pictures that were shown. */
const play = (player: Player | null, start: string) =>
	inPage<{ duration: number; moments: number[]; buffered: number[][]; jumps: string[]; decoded: number }>(
		player,
		`const [moments, jumps, ranges] = [[], [], []];
		const seen = (_, { mediaTime }) => (moments.push(mediaTime), video.requestVideoFrameCallback(seen));
		video.requestVideoFrameCallback(seen);
		video.onerror = () => jumps.push(video.error.message);
		video.onseeking = () => jumps.push("seeks at " + video.currentTime);
		${start}
		video.playbackRate = 0.5;
		const over = new Promise((resolve) => (video.onended = resolve));
		await video.play();
		await over;
		for (let n = 0; n < video.buffered.length; n++) ranges.push([video.buffered.start(n), video.buffered.end(n)]);
		return { duration: video.duration, moments, jumps, buffered: ranges, decoded: video.webkitAudioDecodedByteCount };`,
	);

describe.each(["avc1", "av01"])("a cut in %s", (codec) => {
	const players: readonly (readonly [string, Player | null, string])[] = [
		[
			"hls.js",
			"hls.js",
			`const hls = new Hls({ enableWorker: false });
			hls.on(Hls.Events.ERROR, (_, { details }) => details !== "bufferStalledError" && jumps.push(details));
			hls.loadSource("/hls/master.m3u8");
			hls.attachMedia(video);
			await new Promise((resolve) => hls.once(Hls.Events.MANIFEST_PARSED, resolve));
			hls.currentLevel = hls.levels.findIndex((one) => one.videoCodec.startsWith("${codec}"));`,
		],
		...["/hls/master.m3u8", "/dash/manifest.mpd"].map(
			(manifest) =>
				[
					`Shaka Player from ${manifest}`,
					"shaka.js",
					`shaka.polyfill.installAll();
					const player = new shaka.Player();
					player.configure({ abr: { enabled: false }, preferredVideo: [] });
					player.configure("preferredVideoCodecs", ["${codec}"]);
					player.addEventListener("error", ({ detail }) => jumps.push("Shaka " + detail.code));
					await player.attach(video);
					await player.load("${manifest}");
					const variant = player.getVariantTracks().find(({ videoCodec }) => videoCodec.startsWith("${codec}"));
					if (!variant) jumps.push("no such variant");
					player.selectVariantTrack(variant, true);`,
				] as const,
		),
		...(codec === "avc1" ? [["Chromium from web.mp4", null, 'video.src = "/web.mp4";'] as const] : []),
	];
	it.each(players)("plays in %s through both seams, without a gap", async (_, player, start) => {
		const played = await play(player, start);
		expect(played.jumps.filter((jump) => !jump.startsWith("seeks at 0"))).toEqual([]);
		expect(Math.abs(played.duration - seconds)).toBeLessThan(0.05);
		expect(played.buffered).toHaveLength(1);
		expect(played.buffered[0]?.[0]).toBe(0);
		expect(Math.abs((played.buffered[0]?.[1] ?? 0) - seconds)).toBeLessThan(0.03);
		const shown = played.moments.map((moment) => Math.round(moment * rate));
		expect(shown).toEqual([...shown].sort((a, b) => a - b));
		expect(shown.at(-1)).toBeGreaterThan(end - first - 6);
		expect(played.decoded).toBeGreaterThan(10_000);
	});
});

it.each([
	["h264_90.mp4", 'video/mp4; codecs="avc1.64000C"', 1 / 1000],
	["av1_90.mp4", 'video/mp4; codecs="av01.0.00M.08"', 1 / 1000],
	["audio.m4a", 'audio/mp4; codecs="mp4a.40.2"', 1024 / 48_000],
])("lasts in a browser's buffer as long as it is: %s", async (file, type, off) => {
	const buffered = await inPage<number[]>(
		null,
		`const source = new MediaSource();
		video.src = URL.createObjectURL(source);
		await new Promise((resolve) => (source.onsourceopen = resolve));
		const buffer = source.addSourceBuffer('${type}');
		buffer.appendBuffer(await (await fetch("/media/${file}")).arrayBuffer());
		await new Promise((resolve) => (buffer.onupdateend = resolve));
		return [buffer.buffered.length, buffer.buffered.start(0), buffer.buffered.end(0)];`,
	);
	expect(buffered.slice(0, 2)).toEqual([1, 0]);
	expect(Math.abs((buffered[2] ?? 0) - seconds)).toBeLessThan(off + 0.001);
});

import { execFile } from "node:child_process";
import { chmod, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCommandTranscriber, processVideo } from "../src/index.ts";
import { launchChromium } from "./support/chromium.ts";
import { serveFolder } from "./support/serve-folder.ts";
import { everything, type Folder, job, openFolder, tools } from "./support/sources.ts";

const seconds = 3;
const { resolve } = createRequire(import.meta.url);
const scripts = {
	"hls.js": resolve("hls.js/dist/hls.min.js"),
	"shaka.js": resolve("shaka-player/dist/shaka-player.compiled.js"),
	"dash.js": resolve("dashjs"),
};

let folder: Folder;
let browser: Browser;
let server: Awaited<ReturnType<typeof serveFolder>>;
beforeAll(async () => {
	folder = await openFolder();
	const listener = folder.path("listener");
	await writeFile(listener, '#!/bin/sh\nprintf "WEBVTT\\n\\n00:00.500 --> 00:02.500\\nWords that were spoken\\n"\n');
	await chmod(listener, 0o755);
	const directory = folder.outputs();
	const { plan, limits } = job(["h264_720", "h264_1080", "av1_720", "av1_1080"], everything);
	await processVideo({
		source: await folder.source("source.mp4", { size: "1920x1080", rate: "15", seconds }),
		directory,
		tools,
		job: { plan: { ...plan, transcript: true }, limits },
		transcriber: await createCommandTranscriber({ program: listener }),
	});
	server = await serveFolder(directory, "<title>player</title><video muted></video>", scripts);
	browser = await launchChromium();
});
afterAll(async () => {
	await browser?.close();
	server?.close();
	await folder.close();
});

type Played = {
	end: number;
	duration: number;
	frames: number;
	sound: number;
	width: number;
	words: string[];
	complaints: string[];
};

/**
 * Runs `start` in a page with the player's script: it loads what is to be played into `video`, and pushes what goes
 * wrong to `complaints`. Plays to the end.
 */
async function play(script: keyof typeof scripts, start: string): Promise<Played> {
	const page: Page = await browser.newPage();
	try {
		await page.goto(server.address);
		await page.addScriptTag({ url: `/${script}` });
		const played = await page.evaluate(`(async () => {
			const video = document.querySelector("video");
			const complaints = [];
			const words = new Set();
			video.onerror = () => complaints.push(video.error.message);
			video.ontimeupdate = () => {
				for (const track of video.textTracks) for (const cue of track.activeCues ?? []) words.add(cue.text);
			};
			// Now and then a video played by dash.js stands at its last microsecond and says no end.
			const isAtEnd = () => video.currentTime > 0 && video.currentTime >= video.duration - 0.01;
			const over = new Promise((resolve) => {
				video.onended = resolve;
				setInterval(() => isAtEnd() && resolve(), 1000);
			});
			const late = new Promise((resolve) => setTimeout(() => complaints.push("stopped at " + video.currentTime) && resolve(), 200_000));
			${start}
			await video.play();
			await Promise.race([over, late]);
			const { totalVideoFrames: frames } = video.getVideoPlaybackQuality();
			const { currentTime: end, duration, webkitAudioDecodedByteCount: sound, videoWidth: width } = video;
			return { end, duration, frames, sound, width, words: [...words], complaints };
		})()`);
		return played as Played;
	} finally {
		await page.close();
	}
}

function expectWhole(played: Played, width: number): void {
	expect(played.complaints).toEqual([]);
	expect(played.duration).toBeCloseTo(seconds, 1);
	expect(played.end).toBeCloseTo(played.duration, 1);
	expect(played.width).toBe(width);
	// A busy machine shows fewer pictures than there are, and the sound is there from the first segment on.
	expect(played.frames).toBeGreaterThan(10);
	expect(played.sound).toBeGreaterThan(10_000);
}

const variants = [
	{ codec: "avc1", width: 1280 },
	{ codec: "avc1", width: 1920 },
	{ codec: "av01", width: 1280 },
	{ codec: "av01", width: 1920 },
];

describe("one master playlist of H.264 and AV1", () => {
	it.each(variants)(
		"is played by hls.js to its end in $codec, $width wide, with sound and captions",
		async ({ codec, width }) => {
			const played = await play(
				"hls.js",
				`const hls = new Hls({ enableWorker: false });
			hls.on(Hls.Events.ERROR, (_, { details, reason }) => details !== Hls.ErrorDetails.BUFFER_STALLED_ERROR && complaints.push(details + " " + reason));
			hls.loadSource("/hls/master.m3u8");
			hls.attachMedia(video);
			await new Promise((resolve) => hls.once(Hls.Events.MANIFEST_PARSED, resolve));
			hls.subtitleDisplay = true;
			hls.subtitleTrack = 0;
			const level = hls.levels.findIndex((one) => one.videoCodec.startsWith("${codec}") && one.width === ${width});
			if (level < 0) complaints.push("no such level");
			hls.currentLevel = level;`,
			);
			expectWhole(played, width);
			expect(played.words).toEqual(["Words that were spoken"]);
		},
	);

	it.each(variants.slice(1, 3))(
		"is played by Shaka Player to its end in $codec, $width wide, with sound and captions",
		async ({ codec, width }) => {
			const played = await play("shaka.js", shaka("/hls/master.m3u8", codec, width));
			expectWhole(played, width);
			expect(played.words).toEqual(["Words that were spoken"]);
		},
	);

	it.each([...variants.keys()])("is played by ffplay to its end without a complaint, variant %d", async (variant) => {
		const env = { ...process.env, SDL_VIDEODRIVER: "dummy", SDL_AUDIODRIVER: "dummy" };
		const options = ["-v", "error", "-stats", "-autoexit", "-vst", `v:${variant}`];
		const { stderr } = await promisify(execFile)("ffplay", [...options, `${server.address}hls/master.m3u8`], { env });
		const said = stderr.split(/[\r\n]+/).filter((line) => line.trim() !== "");
		const seen = said.map((line) => /^ *(nan|-?\d+\.\d+) (?:A-V|M-A|M-V| {3}):/.exec(line)?.[1] ?? line);
		expect(seen.filter((time) => time !== "nan" && Number.isNaN(Number(time)))).toEqual([]);
		expect(said.at(-1)).toContain("A-V");
		expect(Number(seen.at(-1))).toBeGreaterThan(seconds - 0.3);
	});

	it.each([
		["h264_720.mp4", 'video/mp4; codecs="avc1.64001F"'],
		["av1_720.mp4", 'video/mp4; codecs="av01.0.05M.08"'],
		["audio.m4a", 'audio/mp4; codecs="mp4a.40.2"'],
	])("begins at 0 in each track, as a browser reads it: %s", async (track, type) => {
		const page = await browser.newPage();
		await page.goto(server.address);
		const begin = await page.evaluate(`(async () => {
			const source = new MediaSource();
			document.querySelector("video").src = URL.createObjectURL(source);
			await new Promise((resolve) => (source.onsourceopen = resolve));
			const buffer = source.addSourceBuffer('${type}');
			buffer.appendBuffer(await (await fetch("/media/${track}")).arrayBuffer());
			await new Promise((resolve) => (buffer.onupdateend = resolve));
			return buffer.buffered.start(0);
		})()`);
		await page.close();
		expect(begin).toBe(0);
	});

	it.each([
		[
			"hls.js",
			`const hls = new Hls({ enableWorker: false, abrEwmaDefaultEstimate: 1000, testBandwidth: false });
			hls.loadSource("/hls/master.m3u8");
			hls.attachMedia(video);
			const first = await new Promise((resolve) => {
				hls.on(Hls.Events.FRAG_LOADING, (_, { frag }) => frag.type === "main" && resolve(frag.level));
			});
			return { sizes: hls.levels.map(({ height }) => height), loaded: hls.levels[first].height };`,
		],
		[
			"shaka.js",
			`const player = new shaka.Player();
			player.configure({ abr: { defaultBandwidthEstimate: 1000, useNetworkInformation: false } });
			await player.attach(video);
			await player.load("/hls/master.m3u8");
			const tracks = player.getVariantTracks();
			return { sizes: tracks.map(({ height }) => height), loaded: tracks.find(({ active }) => active).height };`,
		],
	] as const)("shows a picture in %s, which plays no sound alone, even on the worst line", async (script, start) => {
		const page = await browser.newPage();
		await page.goto(server.address);
		await page.addScriptTag({ url: `/${script}` });
		const found = (await page.evaluate(
			`(async () => { const video = document.querySelector("video"); ${start} })()`,
		)) as {
			sizes: number[];
			loaded: number;
		};
		await page.close();
		expect(new Set(found.sizes)).toEqual(new Set([720, 1080]));
		expect(found.loaded).toBe(720);
	});

	it("lets hls.js show the picture of any moment from the playlists of key frames", async () => {
		const page = await browser.newPage();
		await page.goto(server.address);
		await page.addScriptTag({ url: "/hls.js" });
		const shown = await page.evaluate(`(async () => {
			const hls = new Hls({ enableWorker: false });
			hls.loadSource("/hls/master.m3u8");
			await new Promise((resolve) => hls.once(Hls.Events.MANIFEST_PARSED, resolve));
			const frames = hls.createIFramePlayer({ autoStartLoad: true });
			const loaded = [];
			frames.on(Hls.Events.FRAG_LOADED, (_, { frag }) => loaded.push([new URL(frag.url).pathname, frag.stats.loaded]));
			const video = document.querySelector("video");
			frames.attachMedia(video);
			const seeked = new Promise((resolve) => (video.onseeked = resolve));
			// A finger on the bar asks again and again: hls.js may drop what is asked while the medium is being attached.
			const show = () => frames.loadMediaAt(2.5, { seekOnAppend: true });
			show();
			const finger = setInterval(show, 1000);
			await seeked;
			clearInterval(finger);
			const { videoWidth, readyState, currentTime } = video;
			return { variants: hls.iframeVariants.length, loaded, videoWidth, readyState, currentTime };
		})()`);
		await page.close();
		const {
			variants: count,
			loaded,
			...picture
		} = shown as {
			variants: number;
			loaded: [string, number][];
			[key: string]: unknown;
		};
		expect(count).toBe(4);
		expect(picture).toEqual({ videoWidth: expect.any(Number), readyState: expect.any(Number), currentTime: 2.5 });
		expect(picture.videoWidth).toBeGreaterThanOrEqual(1280);
		expect(picture.readyState).toBeGreaterThanOrEqual(2);
		expect(loaded.every(([path]) => path.startsWith("/media/"))).toBe(true);
	});

	it("lets hls.js change from rendition to rendition while it plays", async () => {
		const played = await play(
			"hls.js",
			`const hls = new Hls({ enableWorker: false, maxBufferLength: 1, maxMaxBufferLength: 1 });
			hls.on(Hls.Events.ERROR, (_, { details, reason }) => details !== Hls.ErrorDetails.BUFFER_STALLED_ERROR && complaints.push(details + " " + reason));
			hls.loadSource("/hls/master.m3u8");
			hls.attachMedia(video);
			await new Promise((resolve) => hls.once(Hls.Events.MANIFEST_PARSED, resolve));
			hls.loadLevel = hls.levels.findIndex((level) => level.videoCodec.startsWith("avc1") && level.width === 1280);
			hls.on(Hls.Events.FRAG_CHANGED, () => (hls.nextLevel = hls.levels.findIndex((level) => level.videoCodec.startsWith("avc1") && level.width === 1920)));`,
		);
		expectWhole(played, 1920);
	});
});

describe("one DASH manifest of H.264 and AV1", () => {
	it.each(variants.slice(1, 3))(
		"is played by Shaka Player to its end in $codec, $width wide, with sound and captions",
		async ({ codec, width }) => {
			const played = await play("shaka.js", shaka("/dash/manifest.mpd", codec, width));
			expectWhole(played, width);
			expect(played.words).toEqual(["Words that were spoken"]);
		},
	);

	it.each(variants.slice(1, 3))(
		"is played by dash.js to its end in $codec, $width wide, with sound and captions",
		async ({ codec, width }) => {
			const played = await play(
				"dash.js",
				`const player = dashjs.MediaPlayer().create();
			player.updateSettings({ debug: { logLevel: 0 }, streaming: { abr: { autoSwitchBitrate: { video: false } } } });
			player.on("error", ({ error }) => complaints.push(error.message ?? String(error)));
			player.registerCustomCapabilitiesFilter((one) => one.width === undefined || (one.width === ${width} && one.codecs.startsWith("${codec}")));
			player.initialize(video, "/dash/manifest.mpd", false);
			await new Promise((resolve) => player.on("streamInitialized", resolve));
			const [representation, ...others] = player.getRepresentationsByType("video");
			if (!representation?.codecs.includes("${codec}") || others.length > 0) complaints.push("no such representation");`,
			);
			expectWhole(played, width);
			expect(played.words).toEqual(["Words that were spoken"]);
		},
	);
});

it("lets dash.js change from H.264 to AV1 while it plays, and takes AV1 for the better of two of a size", async () => {
	const played = await play(
		"dash.js",
		`const player = dashjs.MediaPlayer().create();
		player.updateSettings({
			debug: { logLevel: 0 },
			streaming: { abr: { autoSwitchBitrate: { video: false } }, buffer: { bufferTimeDefault: 1 } },
		});
		player.on("error", ({ error }) => complaints.push(error.message ?? String(error)));
		player.initialize(video, "/dash/manifest.mpd", false);
		await new Promise((resolve) => player.on("streamInitialized", resolve));
		const ids = player.getRepresentationsByType("video").map(({ id }) => id);
		if (ids.join() !== "h264_720,av1_720,h264_1080,av1_1080") complaints.push(ids.join());
		player.setRepresentationForTypeById("video", "h264_720", true);
		const rendered = [];
		player.on("qualityChangeRendered", ({ mediaType, newRepresentation }) => {
			if (mediaType === "video") rendered.push(newRepresentation.id);
		});
		let changed = false;
		// Slowly, so that the change is asked for before the second segment is, on a busy machine as well.
		video.playbackRate = 0.2;
		player.on("playbackTimeUpdated", () => {
			if (changed || video.currentTime < 0.1) return;
			changed = true;
			video.playbackRate = 1;
			if (player.getCurrentRepresentationForType("video").id !== "h264_720") complaints.push("did not begin with H.264");
			player.setRepresentationForTypeById("video", "av1_1080", true);
		});
		video.addEventListener("ended", () => {
			if (player.getCurrentRepresentationForType("video").id !== "av1_1080") complaints.push(rendered.join());
		});`,
	);
	expectWhole(played, 1920);
});

describe("the storyboard in the DASH manifest", () => {
	it.each([
		[
			"shaka.js",
			`const player = new shaka.Player();
			await player.attach(video);
			await player.load("/dash/manifest.mpd");
			const [{ id }] = player.getImageTracks();
			for (const time of times) {
				const { uris, positionX: x, positionY: y, width, height } = await player.getThumbnails(id, time);
				found.push({ url: uris[0], x, y, width, height });
			}`,
		],
		[
			"dash.js",
			`const player = dashjs.MediaPlayer().create();
			player.updateSettings({ debug: { logLevel: 0 } });
			player.initialize(video, "/dash/manifest.mpd", false);
			await new Promise((resolve) => player.on("streamInitialized", resolve));
			for (const time of times)
				found.push(await new Promise((resolve) => player.provideThumbnail(time, resolve)));`,
		],
	] as const)("gives %s the picture of each moment that storyboard.vtt gives", async (script, start) => {
		const page = await browser.newPage();
		await page.goto(server.address);
		await page.addScriptTag({ url: `/${script}` });
		const { cues, found } = (await page.evaluate(`(async () => {
			const video = document.querySelector("video");
			const text = await (await fetch("/storyboard.vtt")).text();
			const cues = text.split("\\n").filter((line) => line.includes("#xywh="));
			const times = [0.5, 2.5];
			const found = [];
			${start}
			return { cues, found };
		})()`)) as { cues: string[]; found: Record<string, number | string>[] };
		await page.close();
		expect(cues).toHaveLength(2);
		const named = found.map(({ url, x, y, width, height }) => {
			return `${new URL(String(url), server.address).pathname.slice(1)}#xywh=${x},${y},${width},${height}`;
		});
		expect(named).toEqual(cues);
	});
});

function shaka(manifest: string, codec: string, width: number): string {
	return `shaka.polyfill.installAll();
		const player = new shaka.Player();
		player.configure({ abr: { enabled: false }, preferredVideo: [], streaming: { bufferingGoal: 10 } });
		player.addEventListener("error", ({ detail }) => complaints.push("Shaka " + detail.code + " " + detail.data));
		player.configure("preferredVideoCodecs", ["${codec}"]);
		await player.attach(video);
		await player.load("${manifest}");
		const variant = player.getVariantTracks().find((track) => track.videoCodec.startsWith("${codec}") && track.width === ${width});
		if (!variant) complaints.push("no such variant");
		player.selectVariantTrack(variant, true);
		const [captions] = player.getTextTracks();
		player.selectTextTrack(captions);`;
}

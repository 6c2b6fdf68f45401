import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchChromium } from "./support/chromium.ts";
import { made } from "./support/made.ts";
import { type Player, serveFolder } from "./support/serve-folder.ts";

let seconds: number;
let server: Awaited<ReturnType<typeof serveFolder>>;
let browser: Browser;
beforeAll(async () => {
	const { directory, media } = await made("the whole ladder");
	seconds = media.duration_seconds;
	server = await serveFolder(directory, "<title>player</title><video muted></video>");
	browser = await launchChromium();
});
afterAll(async () => {
	await browser?.close();
	server?.close();
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

/** Evaluates a script in a page of its own, which has a player's script if there is one. */
async function inPage<Answer>(player: Player | null, script: string): Promise<Answer> {
	const page = await browser.newPage();
	try {
		await page.goto(server.address);
		if (player !== null) await page.addScriptTag({ url: `/${player}` });
		return (await page.evaluate(script)) as Answer;
	} finally {
		await page.close();
	}
}

/**
 * Runs `start` in a page with the player's script: it loads what is to be played into `video`, and pushes what goes
 * wrong to `complaints`. Plays to the end.
 */
const play = (player: Player, start: string): Promise<Played> =>
	inPage(
		player,
		`(async () => {
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
		})()`,
	);
function expectWhole(played: Played, width: number): void {
	expect(played.complaints).toEqual([]);
	expect(played.duration).toBeCloseTo(seconds, 1);
	expect(played.end).toBeCloseTo(played.duration, 1);
	expect(played.width).toBe(width);
	// A busy machine shows fewer of the 26 pictures, and the sound is there from the first segment on.
	expect(played.frames).toBeGreaterThan(10);
	expect(played.sound).toBeGreaterThan(10_000);
}
async function expectWholeWithCaptions(player: Player, start: string, width: number): Promise<void> {
	const played = await play(player, start);
	expectWhole(played, width);
	expect(played.words).toEqual(["Words that were spoken"]);
}

/** Makes hls.js load the master playlist into `video`. */
const hlsJs = (options = "{ enableWorker: false }") => `const hls = new Hls(${options});
	hls.on(Hls.Events.ERROR, (_, { details, reason }) => details !== Hls.ErrorDetails.BUFFER_STALLED_ERROR && complaints.push(details + " " + reason));
	hls.loadSource("/hls/master.m3u8");
	hls.attachMedia(video);
	await new Promise((resolve) => hls.once(Hls.Events.MANIFEST_PARSED, resolve));`;

/** Makes hls.js play one variant, with captions. */
const hlsJsVariant = (codec: string, width: number) => `${hlsJs()}
	hls.subtitleDisplay = true;
	hls.subtitleTrack = 0;
	const level = hls.levels.findIndex((one) => one.videoCodec.startsWith("${codec}") && one.width === ${width});
	if (level < 0) complaints.push("no such level");
	hls.currentLevel = level;`;

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

const variants = [
	{ codec: "avc1", width: 1280 },
	{ codec: "avc1", width: 1920 },
	{ codec: "av01", width: 1280 },
	{ codec: "av01", width: 1920 },
];

describe("one master playlist of H.264 and AV1", () => {
	it.each(variants)(
		"is played by hls.js to its end in $codec, $width wide, with sound and captions",
		({ codec, width }) => expectWholeWithCaptions("hls.js", hlsJsVariant(codec, width), width),
	);

	it.each(variants.slice(1, 3))(
		"is played by Shaka Player to its end in $codec, $width wide, with sound and captions",
		({ codec, width }) => expectWholeWithCaptions("shaka.js", shaka("/hls/master.m3u8", codec, width), width),
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
		const found = await inPage<{ sizes: number[]; loaded: number }>(
			script,
			`(async () => { const video = document.querySelector("video"); ${start} })()`,
		);
		expect(new Set(found.sizes)).toEqual(new Set([720, 1080]));
		expect(found.loaded).toBe(720);
	});

	it("lets hls.js change from rendition to rendition while it plays", async () => {
		const played = await play(
			"hls.js",
			`${hlsJs("{ enableWorker: false, maxBufferLength: 1, maxMaxBufferLength: 1 }")}
			hls.loadLevel = hls.levels.findIndex((level) => level.videoCodec.startsWith("avc1") && level.width === 1280);
			hls.on(Hls.Events.FRAG_CHANGED, () => (hls.nextLevel = hls.levels.findIndex((level) => level.videoCodec.startsWith("avc1") && level.width === 1920)));`,
		);
		expectWhole(played, 1920);
	});

	it.each([
		["h264_720.mp4", 'video/mp4; codecs="avc1.64001F"'],
		["av1_720.mp4", 'video/mp4; codecs="av01.0.05M.08"'],
		["audio.m4a", 'audio/mp4; codecs="mp4a.40.2"'],
	])("begins at 0 in each track, as a browser reads it: %s", async (track, type) => {
		const script = `(async () => {
			const source = new MediaSource();
			document.querySelector("video").src = URL.createObjectURL(source);
			await new Promise((resolve) => (source.onsourceopen = resolve));
			const buffer = source.addSourceBuffer('${type}');
			buffer.appendBuffer(await (await fetch("/media/${track}")).arrayBuffer());
			await new Promise((resolve) => (buffer.onupdateend = resolve));
			return buffer.buffered.start(0);
		})()`;
		expect(await inPage(null, script)).toBe(0);
	});

	it("lets hls.js show the picture of any moment from the playlists of key frames", async () => {
		type Shown = { variants: number; loaded: [string, number][]; [key: string]: unknown };
		const {
			variants: count,
			loaded,
			...picture
		} = await inPage<Shown>(
			"hls.js",
			`(async () => {
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
			const show = () => frames.loadMediaAt(2.3, { seekOnAppend: true });
			show();
			const finger = setInterval(show, 1000);
			await seeked;
			clearInterval(finger);
			const { videoWidth, readyState, currentTime } = video;
			return { variants: hls.iframeVariants.length, loaded, videoWidth, readyState, currentTime };
		})()`,
		);
		expect(count).toBe(4);
		expect(picture).toEqual({ videoWidth: expect.any(Number), readyState: expect.any(Number), currentTime: 2.3 });
		expect(picture.videoWidth).toBeGreaterThanOrEqual(1280);
		expect(picture.readyState).toBeGreaterThanOrEqual(2);
		expect(loaded.every(([path]) => path.startsWith("/media/"))).toBe(true);
	});
});

describe("one DASH manifest of H.264 and AV1", () => {
	it.each(variants.slice(1, 3))(
		"is played by Shaka Player to its end in $codec, $width wide, with sound and captions",
		({ codec, width }) => expectWholeWithCaptions("shaka.js", shaka("/dash/manifest.mpd", codec, width), width),
	);

	it.each(variants.slice(1, 3))(
		"is played by dash.js to its end in $codec, $width wide, with sound and captions",
		async ({ codec, width }) => {
			await expectWholeWithCaptions(
				"dash.js",
				`const player = dashjs.MediaPlayer().create();
			player.updateSettings({ debug: { logLevel: 0 }, streaming: { abr: { autoSwitchBitrate: { video: false } } } });
			player.on("error", ({ error }) => complaints.push(error.message ?? String(error)));
			player.registerCustomCapabilitiesFilter((one) => one.width === undefined || (one.width === ${width} && one.codecs.startsWith("${codec}")));
			player.initialize(video, "/dash/manifest.mpd", false);
			await new Promise((resolve) => player.on("streamInitialized", resolve));
			const [representation, ...others] = player.getRepresentationsByType("video");
			if (!representation?.codecs.includes("${codec}") || others.length > 0) complaints.push("no such representation");`,
				width,
			);
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
		const { cues, found } = await inPage<{ cues: string[]; found: Record<string, number | string>[] }>(
			script,
			`(async () => {
			const video = document.querySelector("video");
			const text = await (await fetch("/storyboard.vtt")).text();
			const cues = text.split("\\n").filter((line) => line.includes("#xywh="));
			const times = [0.5, 2.3];
			const found = [];
			${start}
			return { cues, found };
		})()`,
		);
		expect(cues).toHaveLength(2);
		const named = found.map(({ url, x, y, width, height }) => {
			return `${new URL(String(url), server.address).pathname.slice(1)}#xywh=${x},${y},${width},${height}`;
		});
		expect(named).toEqual(cues);
	});
});

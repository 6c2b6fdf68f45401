import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { processVideo } from "../src/index.ts";
import { launchChromium } from "./support/chromium.ts";
import { type Player, serveFolder } from "./support/serve-folder.ts";
import { everything, type Folder, job, lavfi, openFolder, streamsOf, tools } from "./support/sources.ts";

let folder: Folder;
let directory: string;
let browser: Browser;
let server: Awaited<ReturnType<typeof serveFolder>>;

const english = "0.4*sin(2*PI*500*t)";
const german = "0.4*sin(2*PI*2000*t)";
const seconds = 4;

beforeAll(async () => {
	folder = await openFolder();
	directory = folder.outputs();
	const inputs = [
		...lavfi(
			`testsrc2=size=160x90:rate=10:duration=${seconds}`,
			`aevalsrc='${english}|${english}|0|0|0|0:c=5.1:s=48000:d=${seconds}'`,
			`aevalsrc='${german}:s=48000:d=${seconds}'`,
		),
		...["-map", "0", "-map", "1", "-map", "2"],
	];
	const tags = [
		"-metadata:s:a:0",
		"title=Original",
		"-metadata:s:a:0",
		"language=eng",
		"-metadata:s:a:1",
		"language=ger",
	];
	const source = await folder.source("sounds.mkv", { inputs, args: ["-c:a", "pcm_s16le", ...tags] });
	await processVideo({ source, directory, tools, job: job(["h264_720"], everything) });
	server = await serveFolder(directory, "<title>player</title><video></video>");
	browser = await launchChromium();
});
afterAll(async () => {
	await browser?.close();
	server?.close();
	await folder.close();
});

type Heard = {
	/** Title, language and number of channels of each sound. */
	offered: string[];
	/** The frequency that is heard at first, after German is chosen, and after 5.1 is. */
	tones: number[];
	/** The files of sound that were loaded before anything was chosen. */
	loaded: string[];
	/** By how much the browser is told to move the fragments that reach it. */
	moved: number[];
	complaints: string[];
};

/**
 * Plays in a page. `start` loads into `video`, and sets `offered` and the functions `chooseGerman` and
 * `chooseSurround`.
 */
async function listen(script: Player, start: string): Promise<Heard> {
	const page = await browser.newPage();
	try {
		await page.goto(server.address);
		await page.addScriptTag({ url: `/${script}` });
		return (await page.evaluate(`(async () => {
			const complaints = [];
			const moved = new Set();
			const append = SourceBuffer.prototype.appendBuffer;
			SourceBuffer.prototype.appendBuffer = function (data) {
				const bytes = new Uint8Array(data.buffer ?? data, data.byteOffset ?? 0, data.byteLength);
				const at = bytes.findIndex((byte, n) => byte === 0x74 && String.fromCharCode(...bytes.subarray(n, n + 4)) === "tfdt");
				if (at >= 0) moved.add(this.timestampOffset);
				return append.call(this, data);
			};
			const video = document.querySelector("video");
			video.onended = () => {
				video.currentTime = 0;
				video.play();
			};
			const context = new AudioContext();
			const analyser = context.createAnalyser();
			context.createMediaElementSource(video).connect(analyser).connect(context.destination);
			await context.resume();
			const levels = new Float32Array(analyser.frequencyBinCount);
			const frequency = () => {
				analyser.getFloatFrequencyData(levels);
				const loudest = levels.reduce((best, level, n) => (level > levels[best] ? n : best), 0);
				const hertz = (loudest * context.sampleRate) / analyser.fftSize;
				return levels[loudest] < -60 ? 0 : Math.round(hertz / 100) * 100;
			};
			const loaded = () => performance.getEntriesByType("resource").flatMap(({ name }) => /[^/]+\\.m4a$/.exec(name) ?? []);
			const until = async (what, isHeard) => {
				for (let n = 0; n < 1200; n += 1) {
					const tone = frequency();
					if (isHeard(tone)) return tone;
					await new Promise((resolve) => setTimeout(resolve, 50));
				}
				complaints.push(what + " was never heard");
				return 0;
			};
			let offered;
			let chooseGerman;
			let chooseSurround;
			${start}
			await video.play();
			const first = await until("sound", (tone) => tone > 0);
			const loadedFirst = [...new Set(loaded())];
			chooseGerman();
			const second = await until("German", (tone) => tone === 2000);
			chooseSurround();
			const third = await until("5.1", (tone) => tone === 500 && loaded().includes("audio_5_1.m4a"));
			return { offered, tones: [first, second, third], loaded: loadedFirst, moved: [...moved], complaints };
		})()`)) as Heard;
	} finally {
		await page.close();
	}
}

const shaka = (manifest: string) => `const player = new shaka.Player();
	player.addEventListener("error", ({ detail }) => complaints.push("Shaka " + detail.code));
	await player.attach(video);
	await player.load("${manifest}");
	const tracks = player.getAudioTracks();
	offered = tracks.map(({ label, language, channelsCount }) => [label, language, channelsCount].join());
	chooseGerman = () => player.selectAudioTrack(tracks[1]);
	chooseSurround = () => player.selectAudioTrack(tracks[2]);`;

describe("stereo, another language and 5.1 are played and changed to", () => {
	const expectAll = (heard: Heard, offered: string[]) => {
		expect(heard.complaints).toEqual([]);
		expect(heard.offered).toEqual(offered);
		expect(heard.tones).toEqual([500, 2000, 500]);
		expect(heard.loaded).toEqual(["audio.m4a"]);
		// A player that moved the sound would undo what the edit list does.
		expect(heard.moved).toEqual([0]);
	};
	const every = ["Original,en,2", "Deutsch,de,1", "Original,en,6"];

	it("by hls.js, in which the levels come once for each number of channels", async () => {
		const heard = await listen(
			"hls.js",
			`const hls = new Hls({ enableWorker: false });
			hls.on(Hls.Events.ERROR, (_, { fatal, details }) => fatal && complaints.push(details));
			hls.loadSource("/hls/master.m3u8");
			hls.attachMedia(video);
			await new Promise((resolve) => hls.once(Hls.Events.MANIFEST_PARSED, resolve));
			const levelOf = (group) => hls.levels.findIndex(({ audioGroups }) => audioGroups.includes(group));
			hls.currentLevel = levelOf("audio");
			await new Promise((resolve) => hls.once(Hls.Events.AUDIO_TRACK_LOADED, resolve));
			offered = hls.audioTracks.map(({ name, lang, channels }) => [name, lang, channels].join());
			chooseGerman = () => (hls.audioTrack = 1);
			chooseSurround = () => {
				hls.audioTrack = 0;
				hls.currentLevel = levelOf("audio_5_1");
			};`,
		);
		expectAll(heard, every.slice(0, 2));
	});

	it.each(["/hls/master.m3u8", "/dash/manifest.mpd"])("by Shaka Player, from %s", async (manifest) => {
		expectAll(await listen("shaka.js", shaka(manifest)), every);
	});

	it("by dash.js", async () => {
		const heard = await listen(
			"dash.js",
			`const player = dashjs.MediaPlayer().create();
			player.updateSettings({ debug: { logLevel: 0 } });
			player.on("error", ({ error }) => complaints.push(error.message ?? String(error)));
			player.initialize(video, "/dash/manifest.mpd", false);
			await new Promise((resolve) => player.on("streamInitialized", resolve));
			const tracks = player.getTracksFor("audio");
			const channels = ({ audioChannelConfiguration: [configuration] }) => configuration.value;
			offered = tracks.map((track) => [track.labels[0].text, track.lang, channels(track)].join());
			chooseGerman = () => player.setCurrentTrack(tracks[1]);
			chooseSurround = () => player.setCurrentTrack(tracks[2]);`,
		);
		expectAll(heard, every);
	});
});

describe("says that it ended, though the last segment of the sound lasts 16 ms", () => {
	it.each([
		[
			"hls.js",
			`const hls = new Hls({ enableWorker: false });
			hls.loadSource("/hls/master.m3u8");
			hls.attachMedia(video);`,
		],
		[
			"shaka.js",
			`const player = new shaka.Player();
			await player.attach(video);
			await player.load("/hls/master.m3u8");`,
		],
	] as const)("%s", async (script, start) => {
		const page = await browser.newPage();
		await page.goto(server.address);
		await page.addScriptTag({ url: `/${script}` });
		const end = await page.evaluate(`(async () => {
			const video = document.querySelector("video");
			const ended = new Promise((resolve) => (video.onended = resolve));
			${start}
			await video.play();
			await ended;
			return video.currentTime;
		})()`);
		await page.close();
		expect(end).toBeCloseTo(seconds, 2);
	});
});

it("5.1 is AAC of six channels, and ffplay plays it to its end without a complaint", async () => {
	const path = join(directory, "media/audio_5_1.m4a");
	expect(await streamsOf(path)).toMatchObject([{ codec_name: "aac", channels: 6, channel_layout: "5.1" }]);
	const env = { ...process.env, SDL_VIDEODRIVER: "dummy", SDL_AUDIODRIVER: "dummy" };
	const played = await promisify(execFile)("ffplay", ["-v", "error", "-nostats", "-autoexit", path], { env });
	expect(played.stderr).toBe("");
});

it("a browser leaves out the samples that the encoder puts in front: the sound keeps its first 21 ms", async () => {
	const page = await browser.newPage();
	await page.goto(server.address);
	const { buffered, off } = (await page.evaluate(`(async () => {
		const bytes = async (path) => (await fetch(path)).arrayBuffer();
		const source = new MediaSource();
		document.querySelector("video").src = URL.createObjectURL(source);
		await new Promise((resolve) => (source.onsourceopen = resolve));
		const buffer = source.addSourceBuffer('audio/mp4; codecs="mp4a.40.2"');
		buffer.appendBuffer(await bytes("/media/audio.m4a"));
		await new Promise((resolve) => (buffer.onupdateend = resolve));
		const sound = await new OfflineAudioContext(2, 48_000, 48_000).decodeAudioData(await bytes("/web.mp4"));
		const samples = [...sound.getChannelData(0).subarray(0, 2048)];
		const off = samples.map((sample, n) => Math.abs(sample - 0.4 * Math.sin((2 * Math.PI * 500 * n) / 48_000)));
		return { buffered: [buffer.buffered.start(0), buffer.buffered.end(0)], off: Math.max(...off) };
	})()`)) as { buffered: number[]; off: number };
	await page.close();
	expect(buffered).toEqual([0, expect.closeTo(seconds, 4)]);
	// web.mp4 has the very wave of the source from the first sample on.
	expect(off).toBeLessThan(0.05);
});

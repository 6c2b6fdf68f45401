import { cutVideo } from "@reelmill/media";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchChromium } from "../support/chromium.ts";
import { openCuts, rate } from "../support/cuts.ts";
import { type Player, serveFolder } from "../support/serve-folder.ts";
import { type Folder, lavfi, openFolder, tools } from "../support/sources.ts";

/** From the middle of a group of pictures to the middle of another one, with sound that begins within a packet. */
const [first, end] = [37, 163];
const seconds = (end - first) / rate;

const soundRate = 48_000;
/** The sound of the source: its tone rises and falls so fast that each moment of it is another one. */
const tone = (t: number) =>
	0.4 * Math.sin(2 * Math.PI * (900 * t + 20 * Math.sin(6 * Math.PI * t) + 50 * Math.sin(1.4 * Math.PI * t)));
const toneForFfmpeg = "0.4*sin(2*PI*(900*t+20*sin(6*PI*t)+50*sin(1.4*PI*t)))";
/** The picture of the source: ten bars, white for each bit of the frame's number that is set. */
const [bars, barWidth] = [10, 16];
const numbered = `color=black:size=160x90:rate=${rate}:duration=7,format=gray,geq=lum='255*mod(floor(N/pow(2,floor(X/${barWidth}))),2)'`;

let folder: Folder;
let server: Awaited<ReturnType<typeof serveFolder>>;
let browser: Browser;
beforeAll(async () => {
	folder = await openFolder();
	const inputs = lavfi(numbered, `aevalsrc='${toneForFfmpeg}':s=${soundRate}:d=7`);
	const { directory: source } = await openCuts(folder, 7, { source: { name: "numbered.mkv", inputs } });
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

/** The most and the fewest samples that are listened to from one moment on. */
const [most, fewest] = [0.4 * soundRate, 6000];

/**
 * Listens to a cut in pieces that overlap: seeks to a moment, reads the number of the picture that is shown, and takes the
 * samples that the element plays from there on. The next moment is within the piece. A machine that is too slow to play
 * leaves silence: a piece ends there, and is taken again if it is very short.
 */
const listen = (player: Player | null, start: string) =>
	inPage<{ jumps: string[]; pieces: { moment: number; shown: number; mediaTime: number; samples: number[] }[] }>(
		player,
		`const jumps = [];
		video.preload = "auto";
		${start}
		video.muted = false;
		const context = new AudioContext({ sampleRate: ${soundRate} });
		const recorder = \`registerProcessor("recorder", class extends AudioWorkletProcessor {
			process([[samples = new Float32Array(128)]]) {
				this.port.postMessage(samples.slice());
				return true;
			}
		})\`;
		await context.audioWorklet.addModule(URL.createObjectURL(new Blob([recorder], { type: "text/javascript" })));
		const node = new AudioWorkletNode(context, "recorder");
		let [samples, quiet] = [[], 0];
		node.port.onmessage = ({ data }) => {
			const isQuiet = data.every((sample) => sample === 0);
			quiet = isQuiet ? quiet + 1 : 0;
			if (!isQuiet || samples.length > 0) samples.push(...data);
		};
		context.createMediaElementSource(video).connect(node).connect(context.destination);
		await context.resume();
		const until = async (isSo) => {
			while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 10));
		};
		await until(() => video.buffered.length > 0 && video.buffered.end(0) > ${seconds - 0.1});
		const canvas = new OffscreenCanvas(${bars * barWidth}, 90).getContext("2d");
		const numberShown = () => {
			canvas.drawImage(video, 0, 0, ${bars * barWidth}, 90);
			const isSet = (_, bar) => canvas.getImageData(bar * ${barWidth} + ${barWidth / 2}, 45, 1, 1).data[0] > 127;
			return Array.from({ length: ${bars} }, isSet).reduce((sum, set, bar) => sum + (set ? 2 ** bar : 0), 0);
		};
		/** The samples up to the first silence. */
		const wholePiece = () => {
			const first = samples.findIndex((sample) => sample !== 0);
			let zeros = 0;
			const silence = samples.findIndex((sample, n) => n >= first && (zeros = sample === 0 ? zeros + 1 : 0) > 8);
			return samples.slice(first, silence < 0 ? ${most} : Math.min(${most}, silence - 8));
		};
		const pieces = [];
		for (let [moment, attempts] = [0, 0]; moment < ${seconds - fewest / soundRate}; attempts += 1) {
			if (attempts > 200) return { jumps: ["no sound at " + moment], pieces };
			await until(() => quiet > 20);
			const shown = new Promise((resolve) => video.requestVideoFrameCallback((_, frame) => resolve(frame.mediaTime)));
			const sought = new Promise((resolve) => (video.onseeked = resolve));
			video.currentTime = moment;
			await sought;
			const mediaTime = await shown;
			const number = numberShown();
			samples = [];
			await video.play();
			await until(() => samples.length >= ${most} || video.ended);
			video.pause();
			const piece = wholePiece();
			if (piece.length < ${fewest}) continue;
			pieces.push({ moment, shown: number, mediaTime, samples: piece });
			// In milliseconds, and at most 40 of them are heard twice.
			moment = Math.floor((moment + piece.length / ${soundRate} - 0.04) * 1000) / 1000;
			attempts = 0;
		}
		return { jumps, pieces };`,
	);

/** By how many seconds a piece of the source's sound is late, if it should be what is heard there from a moment on. */
function lateness(samples: readonly number[], moment: number): number {
	let best = { late: Number.NaN, likeness: 0 };
	const own = samples.reduce((sum, sample) => sum + sample * sample, 0);
	for (let late = -2400; late <= 2400; late += 1) {
		let [both, other] = [0, 0];
		for (const [n, sample] of samples.entries()) {
			const expected = tone(moment + (n - late) / soundRate);
			both += sample * expected;
			other += expected * expected;
		}
		const likeness = both / Math.sqrt(own * other);
		if (likeness > best.likeness) best = { late, likeness };
	}
	expect(best.likeness, `likeness at ${moment}`).toBeGreaterThan(0.95);
	return best.late / soundRate;
}

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

	it.each(players)(
		"is heard in %s as the source is at the picture that is shown, to 2 ms",
		async (_, player, start) => {
			const { jumps, pieces } = await listen(player, start);
			expect(jumps).toEqual([]);
			const numbers = pieces.map(({ shown }) => shown);
			expect(numbers).toEqual(pieces.map(({ mediaTime }) => first + Math.round(mediaTime * rate)));
			const late = pieces.flatMap(({ moment, samples }) =>
				// A decoder's first packet lacks the one before.
				[1024, samples.length - 3000].map((from) =>
					lateness(samples.slice(from, from + 2000), moment + first / rate + from / soundRate),
				),
			);
			expect(Math.max(...late.map(Math.abs))).toBeLessThan(0.002);
		},
	);
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

import { createRequire } from "node:module";
import type { Browser, Page } from "playwright-core";
import { expect } from "vitest";
import { launchChromium } from "./chromium.ts";
import { type Made, made } from "./made.ts";
import { serveFolder } from "./serve-folder.ts";

const { resolve } = createRequire(import.meta.url);
const scripts = {
	"hls.js": resolve("hls.js/dist/hls.min.js"),
	"shaka.js": resolve("shaka-player/dist/shaka-player.compiled.js"),
	"dash.js": resolve("dashjs"),
};
export type Player = keyof typeof scripts;

type Played = {
	end: number;
	duration: number;
	frames: number;
	sound: number;
	width: number;
	words: string[];
	complaints: string[];
};

/** Opens the whole ladder of the library in Chromium, with the players' scripts beside it. */
export async function openPlayers() {
	const ladder: Made = await made("the whole ladder");
	const seconds = ladder.media.duration_seconds;
	const server = await serveFolder(ladder.directory, "<title>player</title><video muted></video>", scripts);
	const browser: Browser = await launchChromium();

	/** Evaluates a script in a page of its own, which has a player's script if there is one. */
	async function inPage<Answer>(player: Player | null, script: string): Promise<Answer> {
		const page: Page = await browser.newPage();
		try {
			await page.goto(server.address);
			if (player !== null) await page.addScriptTag({ url: `/${player}` });
			return (await page.evaluate(script)) as Answer;
		} finally {
			await page.close();
		}
	}

	return {
		address: server.address,
		directory: ladder.directory,
		seconds,
		inPage,
		/**
		 * Runs `start` in a page with the player's script: it loads what is to be played into `video`, and pushes what goes
		 * wrong to `complaints`. Plays to the end.
		 */
		play: (player: Player, start: string): Promise<Played> =>
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
			),
		expectWhole(played: Played, width: number): void {
			expect(played.complaints).toEqual([]);
			expect(played.duration).toBeCloseTo(seconds, 1);
			expect(played.end).toBeCloseTo(played.duration, 1);
			expect(played.width).toBe(width);
			// A busy machine shows fewer of the 26 pictures, and the sound is there from the first segment on.
			expect(played.frames).toBeGreaterThan(10);
			expect(played.sound).toBeGreaterThan(10_000);
		},
		async close() {
			await browser.close();
			server.close();
		},
	};
}
export type Players = Awaited<ReturnType<typeof openPlayers>>;

/** Makes hls.js load the master playlist into `video`. */
export const hlsJs = (options = "{ enableWorker: false }") => `const hls = new Hls(${options});
	hls.on(Hls.Events.ERROR, (_, { details, reason }) => details !== Hls.ErrorDetails.BUFFER_STALLED_ERROR && complaints.push(details + " " + reason));
	hls.loadSource("/hls/master.m3u8");
	hls.attachMedia(video);
	await new Promise((resolve) => hls.once(Hls.Events.MANIFEST_PARSED, resolve));`;

/** Makes hls.js play one variant, with captions. */
export const hlsJsVariant = (codec: string, width: number) => `${hlsJs()}
	hls.subtitleDisplay = true;
	hls.subtitleTrack = 0;
	const level = hls.levels.findIndex((one) => one.videoCodec.startsWith("${codec}") && one.width === ${width});
	if (level < 0) complaints.push("no such level");
	hls.currentLevel = level;`;

/// <reference lib="dom" />
import { createPlayer } from "@reelmill/browser/player";
import Hls from "hls.js";

const place = (element: HTMLElement) => {
	element.style.cssText = "display: block; width: 640px; height: 360px";
	document.body.append(element);
	return element;
};
const video = () => Object.assign(document.createElement("video"), { muted: true });

/** Each puts one player below the others on the page, as its documentation shows it. */
const players = {
	ours(origin: string, settings: object) {
		const outputs = {
			...{ hls_url: `${origin}/master.m3u8`, mp4_url: `${origin}/web.mp4`, thumbnail_url: `${origin}/og.jpg` },
			...{
				dash_url: null,
				poster_url: null,
				storyboard_url: null,
				chapters_url: null,
				web_mp4_outro_id: null,
				renditions: [],
			},
		};
		const element = place(video()) as HTMLVideoElement;
		const described = { id: "video-1", visibility: "public", outputs, duration_seconds: 120 } as const;
		createPlayer({ element, video: described, ...settings });
	},
	"hls.js"(origin: string) {
		const hls = new Hls();
		const element = video();
		element.poster = `${origin}/og.jpg`;
		hls.loadSource(`${origin}/master.m3u8`);
		hls.attachMedia(place(element) as HTMLVideoElement);
	},
	async mux(origin: string) {
		await import("@mux/mux-player");
		const element = document.createElement("mux-player");
		for (const [name, value] of Object.entries({
			...{
				src: `${origin}/master.m3u8`,
				poster: `${origin}/og.jpg`,
				muted: "",
				"disable-tracking": "",
				"disable-cookies": "",
			},
		}))
			element.setAttribute(name, value);
		place(element);
	},
};

function loadedAhead({ buffered, currentTime }: HTMLVideoElement): number {
	for (let n = 0; n < buffered.length; n++)
		if (buffered.start(n) <= currentTime && buffered.end(n) >= currentTime) return buffered.end(n) - currentTime;
	return 0;
}

/**
 * Plays a video as soon as its player stands, for `seconds`, and then seeks to `place`. Resolves to what the viewer saw
 * in seconds; a place that isn't reached within a minute counts as a minute. A picture of more than 100 lines stands
 * for one of 1080.
 */
async function watch(name: keyof typeof players, origin: string, settings: object, seconds: number, place: number) {
	const startedAt = performance.now();
	await players[name](origin, settings);
	const element = document.querySelector("video") as HTMLVideoElement;
	void element.play().catch(() => {});
	let [startup, stalls, stalled, played, large, last] = [Number.NaN, 0, 0, 0, 0, startedAt];
	let wasPlaying = false;
	let position = 0;
	const look = () => {
		const now = performance.now();
		// A busy machine decodes late, too: what counts is that nothing is loaded.
		const isPlaying = element.readyState >= 3 || loadedAhead(element) > 0.5;
		const passed = (now - last) / 1000;
		const moved = Math.max(0, element.currentTime - position);
		if (Number.isNaN(startup)) {
			if (element.currentTime > 0) startup = (now - startedAt) / 1000;
		} else if (!isPlaying) stalled += passed;
		if (wasPlaying && !isPlaying) stalls += 1;
		played += moved;
		if (element.videoHeight > 100) large += moved;
		[wasPlaying, position, last] = [isPlaying && !Number.isNaN(startup), element.currentTime, now];
	};
	const until = async (isOver: () => boolean) => {
		while (!isOver()) await new Promise((resolve) => setTimeout(resolve, 20));
	};
	await until(() => {
		look();
		return last - startedAt >= seconds * 1000;
	});
	const soughtAt = performance.now();
	element.currentTime = place;
	await until(() => element.currentTime > place + 0.05 || performance.now() - soughtAt > 60_000);
	const seek = (performance.now() - soughtAt) / 1000;
	return { startup: Number.isNaN(startup) ? seconds : startup, stalls, stalled, played, large: large / played, seek };
}

Object.assign(globalThis, {
	players,
	watch,
	playFirst: () => (document.querySelector("video, mux-player") as HTMLVideoElement).play(),
});

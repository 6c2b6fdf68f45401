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
			...{ dash_url: null, storyboard_url: null, web_mp4_outro_id: null, renditions: [] },
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

Object.assign(globalThis, {
	players,
	playFirst: () => (document.querySelector("video, mux-player") as HTMLVideoElement).play(),
});

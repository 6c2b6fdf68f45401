import { expect } from "vitest";
import { readable } from "./faults.ts";
import { type BrowserKind, call, type Scene, type Tab } from "./kind.ts";

/** A video that is ready to be played, and a tab to play it in. */
async function readyTab(scene: Scene): Promise<{ id: string; tab: Tab }> {
	const [id, tab] = await Promise.all([scene.world.ready(), scene.tab([], { path: "/watch/" })]);
	return { id, tab };
}
/** Options of a player that keeps little, so that it asks for more soon. */
const little = "{ maxBufferSeconds: 1 }";
async function playsOn(tab: Tab, index = 0): Promise<void> {
	await call(tab, `goOn(${index})`);
	const { status, code } = await call(tab, `playedOn(${index})`);
	expect({ status, code }).toEqual({ status: "ready", code: undefined });
}
const pausedIn = async (tab: Tab, id: string) => {
	await call(tab, `play("${id}", ${little})`);
	await call(tab, "pauseAfter(0.2)");
};

/** A player must play on where it can, and say in words where it can't. */
export const players: readonly BrowserKind[] = [
	{
		kind: "a key that ends in the middle of the playback",
		tried: "the player asks for the next one, and plays on",
		reports: ["video-dev/hls.js#1450", "videojs/video.js#8803", "videojs/v10#1432"],
		async act(scene) {
			const { id, tab } = await readyTab(scene);
			await pausedIn(tab, id);
			scene.world.pass(61_000);
			await playsOn(tab);
		},
	},
	{
		kind: "a key that is refused",
		tried: "the viewer is told, and retry plays on where it was once the viewer is allowed again",
		reports: ["video-dev/hls.js#3786", "videojs/videojs-contrib-hls#1287"],
		async act(scene) {
			const { world, person } = scene;
			const { id, tab } = await readyTab(scene);
			await pausedIn(tab, id);
			world.barred.add(person);
			await world.watch.playbackKeys.revoke(person);
			world.pass(5000);
			await call(tab, "goOn()");
			expect(await call(tab, "failed()")).toMatchObject({ code: "forbidden", reason: "locked" });
			world.barred.delete(person);
			await call(tab, "players[0].retry()");
			await playsOn(tab);
		},
	},
	{
		kind: "a video that is deleted while it plays",
		tried: "the player says that it is gone, and does not try for ever",
		reports: ["videojs/videojs-contrib-hls#1287", "Alissonsleal/TwitchSubVod#132"],
		async act(scene) {
			const { id, tab } = await readyTab(scene);
			await pausedIn(tab, id);
			await scene.world.watch.videos.delete(id);
			scene.world.pass(5000);
			await call(tab, "goOn()");
			expect(await call(tab, "failed()")).toMatchObject({ code: "video_not_found", reason: "deleted" });
		},
	},
	{
		kind: "a video that is not ready",
		tried: "the player says that it is not ready, and the element waits for it",
		reports: ["muxinc/elements#531", "muxinc/mux-python#76"],
		async act(scene) {
			const tab = await scene.tab([await scene.world.clip(1024)]);
			await call(tab, "loadElements()");
			const { videoId } = await call(tab, 'send("lesson-1")');
			await tab.evaluate(`actions.video("${videoId}").then((video) => actions.open(video, {})) && null`);
			expect(await call(tab, "failed()")).toMatchObject({ code: "not_playable", reason: "not_ready" });
			await tab.evaluate(
				`document.body.insertAdjacentHTML("beforeend", '<reelmill-player back-end="/video" video-id="${videoId}"></reelmill-player>')`,
			);
			await tab.waitForFunction(
				'document.querySelector("reelmill-player").shadowRoot.textContent.includes("This video is being prepared.")',
			);
		},
	},
	{
		kind: "a browser without Media Source",
		tried: "a private video plays as one MP4",
		reports: ["videojs/video.js#6814", "video-dev/hls.js#2262"],
		async act(scene) {
			const { id, tab } = await readyTab(scene);
			await tab.evaluate("delete globalThis.MediaSource && delete globalThis.ManagedMediaSource");
			await call(tab, `play("${id}")`);
			await call(tab, "pauseAfter(0.2)");
			expect(await call(tab, "playing()")).toMatchObject({ source: "file", src: expect.stringMatching(/^blob:/) });
		},
	},
	{
		kind: "two players on a page",
		tried: "both play, each its own video, and the end of one leaves the other alone",
		reports: ["flowplayer/flowplayer#1393", "video-dev/hls.js#1220"],
		async act(scene) {
			const { id, tab } = await readyTab(scene);
			const other = await scene.world.ready();
			await call(tab, `play("${id}")`);
			await call(tab, `play("${other}", {}, { index: 1 })`);
			for (const index of [0, 1]) await call(tab, `pauseAfter(0.2, ${index})`);
			await call(tab, "players[0].destroy()");
			await playsOn(tab, 1);
		},
	},
	{
		kind: "a source that is switched fast",
		tried: "of four videos in one element the last one plays",
		reports: ["video-dev/hls.js#347", "video-dev/hls.js#2473", "video-dev/hls.js#2345"],
		async act(scene) {
			const { id, tab } = await readyTab(scene);
			for (const milliseconds of [0, 20, 200])
				await tab.evaluate(
					`actions.video("${id}").then(async (video) => { actions.open(video, {}, { keyOf: "${id}" }); actions.goOn(); await new Promise((resolve) => setTimeout(resolve, ${milliseconds})); actions.players[0].destroy(); })`,
				);
			await call(tab, `play("${id}")`);
			await playsOn(tab);
		},
	},
	{
		kind: "a player that is destroyed while it loads",
		tried: "nothing fails afterwards, and the element is empty",
		reports: ["video-dev/hls.js#3092", "video-react/video-react#102", "video-dev/hls.js#743"],
		async act(scene) {
			const { id, tab } = await readyTab(scene);
			const held = scene.world.proxy.use({
				when: { path: /m3u8$/ },
				fault: { kind: "hold", direction: "answer", afterBytes: 0 },
			});
			await tab.evaluate(
				`actions.video("${id}").then((video) => { actions.open(video, {}, { keyOf: "${id}" }); actions.goOn(); }) && null`,
			);
			await held.hit();
			await call(tab, "players[0].destroy()");
			held.release();
			const { status, code, src } = await call(tab, "playing()");
			expect({ status, code, src }).toEqual({ status: "destroyed", code: undefined, src: "" });
			await call(tab, `play("${id}")`);
			await call(tab, "pauseAfter(0.2)");
		},
	},
	{
		kind: "play() before anything is loaded",
		tried: "its promise waits, and is not rejected as interrupted by a load",
		reports: ["video-dev/hls.js#421", "mediaelement/mediaelement#2293"],
		async act(scene) {
			const { id, tab } = await readyTab(scene);
			const played = await tab.evaluate(
				`actions.video("${id}").then((video) => { actions.open(video, {}, { keyOf: "${id}" }); return document.querySelector("video").play().then(() => "plays", ({ name }) => name); })`,
			);
			expect(played).toBe("plays");
			await call(tab, "pauseAfter(0.2)");
		},
	},
	{
		kind: "captions that don't show",
		tried: "captions of the video and of the page's own data are shown, each with its language",
		reports: ["muxinc/elements#770", "muxinc/elements#519"],
		async act(scene) {
			const { id, tab } = await readyTab(scene);
			await call(tab, `play("${id}")`);
			await call(tab, "pauseAfter(0.2)");
			await call(tab, "players[0].showCaptions(0)");
			await tab.waitForFunction('actions.cues(document.querySelector("video"), "captions").length > 0');
			expect(await tab.evaluate('actions.cues(document.querySelector("video"), "captions")')).toEqual([
				"One long tone.",
			]);
			await call(tab, "players[0].destroy()");
			const url = "URL.createObjectURL(new Blob(['WEBVTT\\n\\n00:00.000 --> 00:08.000\\nMine.\\n']))";
			await call(tab, `play("${id}", { captions: [{ url: ${url}, language: "en" }] })`);
			await call(tab, "players[0].showCaptions(0)");
			await tab.waitForFunction('actions.cues(document.querySelector("video"), "captions").includes("Mine.")');
		},
	},
	{
		kind: "chapters without a file",
		tried: "the element shows chapters of plain data, also other ones later",
		reports: ["muxinc/media-chrome#1206", "muxinc/media-chrome#915", "muxinc/next-video#267"],
		async act(scene) {
			const { id, tab } = await readyTab(scene);
			await call(tab, "loadElements()");
			await tab.evaluate(
				`actions.video("${id}").then((video) => { actions.showPlayer(video, { chapters: [{ title: "One", start: 0 }, { title: "Two", start: 4 }] }); }) && null`,
			);
			const shown = (text: string) =>
				tab.waitForFunction(
					`actions.cues(document.querySelector("reelmill-player")?.media ?? document.querySelector("video"), "chapters").join() === "${text}"`,
				);
			await shown("One,Two");
			await tab.evaluate(
				'document.querySelector("reelmill-player").chapters = [{ title: "Three", start: 0 }, { title: "Four", start: 2 }]',
			);
			await shown("Three,Four");
		},
	},
	{
		kind: "autoplay that the browser refuses",
		tried: "it is no error of the playback: the video plays once it is muted",
		reports: ["getmydia/mydia#413", "vidstack/player#979"],
		async act(scene) {
			const { id, tab } = await readyTab(scene);
			await tab.evaluate(
				`Object.assign(HTMLMediaElement.prototype, { play: ((real) => function () { return this.muted ? real.call(this) : Promise.reject(new DOMException("refused", "NotAllowedError")); })(HTMLMediaElement.prototype.play) }) && null`,
			);
			expect(await tab.evaluate(`actions.play("${id}", {}, { muted: false }).catch(({ name }) => name)`)).toBe(
				"NotAllowedError",
			);
			expect(await call(tab, "playing()")).toMatchObject({ paused: true });
			expect((await call(tab, "playing()"))["status"]).not.toBe("failed");
			await tab.evaluate('void (document.querySelector("video").muted = true)');
			await playsOn(tab);
		},
	},
	{
		kind: "a tab that is hidden while it plays",
		tried: "the playback goes on when the tab is seen again",
		reports: ["videojs/video.js#5312", "video-dev/hls.js#6259"],
		async act(scene) {
			const { id, tab } = await readyTab(scene);
			await call(tab, `play("${id}", ${little})`);
			await call(tab, "pauseAfter(0.2)");
			await call(tab, "hide(true)");
			await call(tab, "goOn()");
			await tab.waitForFunction("actions.playing().currentTime > 0.5");
			await call(tab, "hide(false)");
			await playsOn(tab);
		},
	},
	{
		kind: "a network that is lost in the middle of the playback",
		tried: "the player says that it is offline, and goes on by itself, also after a readable sign-in page",
		reports: ["muxinc/elements#1343"],
		async act(scene) {
			const { id, tab } = await readyTab(scene);
			await pausedIn(tab, id);
			const page = scene.world.proxy.use({ fault: { kind: "refuse", status: 200, headers: readable } });
			await call(tab, "goOn()");
			expect(await call(tab, "failed()")).toMatchObject({ code: "network_error", reason: "offline" });
			page.remove();
			expect(await call(tab, "playedOn()")).toMatchObject({ status: "ready" });
		},
	},
];

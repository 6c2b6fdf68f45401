import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hlsJsVariant, openPlayers, type Players } from "./support/players.ts";

// players.nightly.test.ts has the other players, and the other variants.
let players: Players;
beforeAll(async () => {
	players = await openPlayers();
});
afterAll(() => players?.close());

describe("one master playlist of H.264 and AV1", () => {
	it.each([
		{ codec: "avc1", width: 1280 },
		{ codec: "av01", width: 1280 },
	])("is played by hls.js to its end in $codec, $width wide, with sound and captions", async ({ codec, width }) => {
		const played = await players.play("hls.js", hlsJsVariant(codec, width));
		players.expectWhole(played, width);
		expect(played.words).toEqual(["Words that were spoken"]);
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
		expect(await players.inPage(null, script)).toBe(0);
	});

	it("lets hls.js show the picture of any moment from the playlists of key frames", async () => {
		const shown = await players.inPage(
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
		expect(picture).toEqual({ videoWidth: expect.any(Number), readyState: expect.any(Number), currentTime: 2.3 });
		expect(picture.videoWidth).toBeGreaterThanOrEqual(1280);
		expect(picture.readyState).toBeGreaterThanOrEqual(2);
		expect(loaded.every(([path]) => path.startsWith("/media/"))).toBe(true);
	});
});

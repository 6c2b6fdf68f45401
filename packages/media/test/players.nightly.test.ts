import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hlsJs, hlsJsVariant, openPlayers, type Players } from "./support/players.ts";

let players: Players;
beforeAll(async () => {
	players = await openPlayers();
});
afterAll(() => players?.close());

const variants = [
	{ codec: "avc1", width: 1280 },
	{ codec: "avc1", width: 1920 },
	{ codec: "av01", width: 1280 },
	{ codec: "av01", width: 1920 },
];

describe("one master playlist of H.264 and AV1", () => {
	it.each(variants.filter(({ width }) => width === 1920))(
		"is played by hls.js to its end in $codec, $width wide, with sound and captions",
		async ({ codec, width }) => {
			const played = await players.play("hls.js", hlsJsVariant(codec, width));
			players.expectWhole(played, width);
			expect(played.words).toEqual(["Words that were spoken"]);
		},
	);

	it.each(variants.slice(1, 3))(
		"is played by Shaka Player to its end in $codec, $width wide, with sound and captions",
		async ({ codec, width }) => {
			const played = await players.play("shaka.js", shaka("/hls/master.m3u8", codec, width));
			players.expectWhole(played, width);
			expect(played.words).toEqual(["Words that were spoken"]);
		},
	);

	it.each([...variants.keys()])("is played by ffplay to its end without a complaint, variant %d", async (variant) => {
		const env = { ...process.env, SDL_VIDEODRIVER: "dummy", SDL_AUDIODRIVER: "dummy" };
		const options = ["-v", "error", "-stats", "-autoexit", "-vst", `v:${variant}`];
		const { stderr } = await promisify(execFile)("ffplay", [...options, `${players.address}hls/master.m3u8`], { env });
		const said = stderr.split(/[\r\n]+/).filter((line) => line.trim() !== "");
		const seen = said.map((line) => /^ *(nan|-?\d+\.\d+) (?:A-V|M-A|M-V| {3}):/.exec(line)?.[1] ?? line);
		expect(seen.filter((time) => time !== "nan" && Number.isNaN(Number(time)))).toEqual([]);
		expect(said.at(-1)).toContain("A-V");
		expect(Number(seen.at(-1))).toBeGreaterThan(players.seconds - 0.3);
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
		const found = await players.inPage<{ sizes: number[]; loaded: number }>(
			script,
			`(async () => { const video = document.querySelector("video"); ${start} })()`,
		);
		expect(new Set(found.sizes)).toEqual(new Set([720, 1080]));
		expect(found.loaded).toBe(720);
	});

	it("lets hls.js change from rendition to rendition while it plays", async () => {
		const played = await players.play(
			"hls.js",
			`${hlsJs("{ enableWorker: false, maxBufferLength: 1, maxMaxBufferLength: 1 }")}
			hls.loadLevel = hls.levels.findIndex((level) => level.videoCodec.startsWith("avc1") && level.width === 1280);
			hls.on(Hls.Events.FRAG_CHANGED, () => (hls.nextLevel = hls.levels.findIndex((level) => level.videoCodec.startsWith("avc1") && level.width === 1920)));`,
		);
		players.expectWhole(played, 1920);
	});
});

describe("one DASH manifest of H.264 and AV1", () => {
	it.each(variants.slice(1, 3))(
		"is played by Shaka Player to its end in $codec, $width wide, with sound and captions",
		async ({ codec, width }) => {
			const played = await players.play("shaka.js", shaka("/dash/manifest.mpd", codec, width));
			players.expectWhole(played, width);
			expect(played.words).toEqual(["Words that were spoken"]);
		},
	);

	it.each(variants.slice(1, 3))(
		"is played by dash.js to its end in $codec, $width wide, with sound and captions",
		async ({ codec, width }) => {
			const played = await players.play(
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
			players.expectWhole(played, width);
			expect(played.words).toEqual(["Words that were spoken"]);
		},
	);
});

it("lets dash.js change from H.264 to AV1 while it plays, and takes AV1 for the better of two of a size", async () => {
	const played = await players.play(
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
	players.expectWhole(played, 1920);
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
		const { cues, found } = await players.inPage<{ cues: string[]; found: Record<string, number | string>[] }>(
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
			return `${new URL(String(url), players.address).pathname.slice(1)}#xywh=${x},${y},${width},${height}`;
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

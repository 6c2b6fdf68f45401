import { chmod, cp, readdir, readFile, rename, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cutAfter } from "../src/encode/chunks.ts";
import { type OpeningLength, type Playable, type Processed, processVideo, type SourceProbe } from "../src/index.ts";
import { openingFrames } from "../src/opening.ts";
import { growingPlaylist } from "../src/package/hls.ts";
import { launchChromium } from "./support/chromium.ts";
import { type Player, serveFolder } from "./support/serve-folder.ts";
import { everything, type Folder, job, openFolder, program, tools } from "./support/sources.ts";

const seconds = 5;
const opening = { seconds: 2, ofSeconds: seconds };

let folder: Folder;
/** The outputs as they were when they could first be played, when the smallest H.264 was whole, and in the end. */
let directories: readonly [string, string, string];
const calls: Playable[] = [];
let made: Processed;
beforeAll(async () => {
	folder = await openFolder();
	const directory = folder.outputs();
	made = await processVideo({
		source: await folder.source("source.mp4", { size: "160x90", rate: "10", seconds }),
		directory,
		tools,
		job: job(["h264_720", "av1_720"], everything),
		opening,
		onPlayable: async (playable) => {
			calls.push(playable);
			const kept = folder.path(`shown-${calls.length}`);
			for (const file of playable.files) await cp(join(directory, file), join(kept, file), { recursive: true });
		},
	});
	directories = [folder.path("shown-1"), folder.path("shown-2"), directory];
});
afterAll(() => folder.close());

const openingPlaylists = ["hls/opening_audio.m3u8", "hls/opening_h264_90.m3u8"];
const openingFiles = ["media/opening_audio.m4a", "media/opening_h264_90.mp4", ...openingPlaylists];
const text = (directory: string, file: string) => readFile(join(directory, file), "utf8");

/** Returns what a player puts together of a playlist: each initialisation with the segments after it, by file. */
async function assembled(directory: string, playlist: string): Promise<Buffer> {
	const lines = (await text(directory, playlist)).split("\n");
	const parts: Buffer[] = [];
	const take = async (uri: string, range: string) => {
		const [length = 0, offset = 0] = range.split("@").map(Number);
		const bytes = await readFile(join(directory, dirname(playlist), uri));
		parts.push(bytes.subarray(offset, offset + length));
	};
	for (const [n, line] of lines.entries()) {
		const [, uri = "", range = ""] = /^#EXT-X-MAP:URI="(.*)",BYTERANGE="(.*)"$/.exec(line) ?? [];
		if (uri !== "") await take(uri, range);
		if (line.startsWith("#EXT-X-BYTERANGE:")) await take(lines[n + 1] as string, line.slice(17));
	}
	return Buffer.concat(parts);
}

/** Returns time, length and sum of each decoded picture or piece of sound of a file. */
const decoded = async (path: string) =>
	(await program("ffmpeg", "-i", path, "-f", "framehash", "-hash", "md5", "-"))
		.split("\n")
		.filter((line) => line !== "" && !line.startsWith("#"));

describe("the opening of a long video", () => {
	it("can be played before all else, by a playlist that has no end yet and is played from its beginning", async () => {
		const [playable] = calls;
		expect(calls).toHaveLength(2);
		expect([...(playable?.files ?? [])].sort()).toEqual([...openingFiles, "hls/master.m3u8"].sort());
		expect(playable?.renditions).toEqual([
			{ name: "h264_90", codec: "h264", width: 160, height: 90, bitrate: expect.any(Number) },
		]);
		const master = await text(directories[0], "hls/master.m3u8");
		expect(new Set(master.match(/[\w./]+\.m3u8/g))).toEqual(new Set(["opening_h264_90.m3u8", "opening_audio.m3u8"]));
		for (const playlist of openingPlaylists) {
			const lines = (await text(directories[0], playlist)).split("\n");
			expect(lines).toContain("#EXT-X-PLAYLIST-TYPE:EVENT");
			expect(lines).toContain("#EXT-X-START:TIME-OFFSET=0");
			expect(lines).not.toContain("#EXT-X-ENDLIST");
		}
	});

	it("grows only by lines that are added, to the end, and then stays with the outputs", async () => {
		expect(calls[1]?.files).toEqual(expect.arrayContaining(openingFiles));
		expect(made.files).toEqual(expect.arrayContaining(openingFiles));
		expect(new Set(made.files).size).toBe(made.files.length);
		for (const playlist of openingPlaylists) {
			const [first, second, last] = await Promise.all(directories.map((directory) => text(directory, playlist)));
			expect(second?.startsWith(first as string)).toBe(true);
			expect(second?.endsWith("#EXT-X-ENDLIST\n")).toBe(true);
			expect(second).not.toContain("DISCONTINUITY");
			expect(last).toBe(second);
		}
		for (const file of openingFiles.filter((file) => file.startsWith("media/"))) {
			const [first, ...later] = await Promise.all(directories.map((directory) => readFile(join(directory, file))));
			expect(later.map((bytes) => bytes.equals(first as Buffer))).toEqual([true, true]);
		}
		for (const directory of directories.slice(1))
			expect(await text(directory, "hls/master.m3u8")).not.toContain("opening");
		expect(calls[1]?.files).toContain("dash/manifest.mpd");
	});

	it.each([
		["opening_h264_90.m3u8", "h264_90.mp4", 50],
		["opening_audio.m3u8", "audio.m4a", 236],
	])(
		"gives every picture and every sample once over the seam, the same as the whole: %s",
		async (playlist, whole, count) => {
			const path = folder.path(`assembled-${whole}`);
			await writeFile(path, await assembled(directories[1], `hls/${playlist}`));
			const found = await decoded(path);
			expect(found).toHaveLength(count);
			expect(found).toEqual(await decoded(join(directories[1], "media", whole)));
		},
	);

	it("is not encoded again: its packets are in the whole track", async () => {
		const packets = async (directory: string, file: string) =>
			(await program("ffmpeg", "-i", join(directory, "media", file), "-c", "copy", "-f", "framehash", "-")).split("\n");
		const begin = (await packets(directories[1], "opening_h264_90.mp4")).filter((line) => /^\d/.test(line));
		expect(begin).toHaveLength(20);
		expect((await packets(directories[1], "h264_90.mp4")).filter((line) => /^\d/.test(line)).slice(0, 20)).toEqual(
			begin,
		);
	});
});

describe("the frames of the opening", () => {
	const gop = 50;
	const plan = { gop, frameRate: { numerator: 25, denominator: 1 }, durationSeconds: 60, outputs: everything };
	const source = { container: "mov", video: { interlaced: false } };
	const framesOf = (planned: object = {}, probed: object = {}, hardware?: object, length?: OpeningLength) => {
		const encode = { plan: { ...plan, ...planned }, hardware } as unknown as Parameters<typeof openingFrames>[0];
		return openingFrames(encode, { ...source, ...probed } as unknown as SourceProbe, length);
	};

	it("are the first 30 s of 60 s or more, in whole groups of pictures", () => {
		expect(framesOf()).toEqual({ first: 0, end: 750 });
		expect(framesOf({}, {}, undefined, { seconds: 2.9, ofSeconds: 5 })).toEqual({ first: 0, end: gop });
		expect(framesOf({}, {}, undefined, { seconds: 0.1, ofSeconds: 5 })).toEqual({ first: 0, end: gop });
	});

	it.each<[string, object, object, object?]>([
		["is shorter", { durationSeconds: 59.9 }, {}],
		["is not to be streamed by HLS", { outputs: { ...everything, hls: false } }, {}],
		["has a container without an index", {}, { container: "mpegts" }],
		["is interlaced", {}, { video: { interlaced: true } }],
		["is encoded by hardware", {}, {}, { kind: "nvenc", codecs: ["h264"] }],
	])("are none where the video %s", (_, planned, probed, hardware) => {
		expect(framesOf(planned, probed, hardware)).toBeNull();
	});

	it("are cut off from the chunks of the whole, and no chunk becomes too short", () => {
		const frames = { frames: 3000, gop, frameRate: plan.frameRate };
		const opening = { first: 0, end: 750 };
		expect(cutAfter(opening, [{ first: 0, end: 3000 }], frames)).toEqual([opening, { first: 750, end: 3000 }]);
		const halves = [
			{ first: 0, end: 1500 },
			{ first: 1500, end: 3000 },
		];
		expect(cutAfter(opening, halves, frames)).toEqual([opening, { first: 750, end: 1500 }, { first: 1500, end: 3000 }]);
		const uneven = [
			{ first: 0, end: 800 },
			{ first: 800, end: 3000 },
		];
		expect(cutAfter(opening, uneven, frames)).toEqual([opening, { first: 750, end: 3000 }]);
	});
});

it("grows by the end alone where the whole lacks a sound", () => {
	const opening = { uri: "a.m4a", initialisation: { offset: 0, length: 1 }, segments: [] };
	const rest = { ...opening, uri: "b.m4a" };
	expect(growingPlaylist(opening, rest, 2)).toBe(`${growingPlaylist(opening, null, 2)}#EXT-X-ENDLIST\n`);
});

it("grows to an end that no player waits for: a segment of a few milliseconds is listed with the one before", () => {
	const segments = [2, 2, 0.005].map((seconds, n) => ({ offset: n, length: 1, startSeconds: 2 * n, seconds }));
	const opening = { uri: "a.m4a", initialisation: { offset: 0, length: 1 }, segments: segments.slice(0, 1) };
	const grown = growingPlaylist(opening, { ...opening, uri: "b.m4a", segments: segments.slice(1) }, 2);
	expect(grown.split("\n").slice(-5)).toEqual([
		"#EXTINF:2.005000,",
		"#EXT-X-BYTERANGE:2@1",
		"b.m4a",
		"#EXT-X-ENDLIST",
		"",
	]);
});

/**
 * Expects that a player begins at 0, waits at the end of the opening, and goes on to the video's end when the playlists
 * have grown. `start` makes it load the master playlist.
 */
async function expectGoesOn(player: Player, start: string): Promise<void> {
	/** Makes the server serve another directory from now on. */
	const serve = async (directory: string) => {
		await symlink(directory, folder.path("served.new"));
		await rename(folder.path("served.new"), folder.path("served"));
	};
	const server = await serveFolder(folder.path("served"), "<title>player</title><video muted></video>");
	const browser = await launchChromium();
	try {
		await serve(directories[0]);
		const page = await browser.newPage();
		const masters: string[] = [];
		page.on("request", (request) => request.url().endsWith("/master.m3u8") && masters.push(request.url()));
		await page.goto(server.address);
		await page.addScriptTag({ url: `/${player}` });
		await page.evaluate(`(async () => {
			const video = document.querySelector("video");
			window.seen = { begin: null, complaints: [], ended: false };
			video.onplaying = () => (seen.begin ??= video.currentTime);
			video.onended = () => (seen.ended = true);
			${start}
			video.play();
		})()`);
		const isWaiting = `(({ currentTime, readyState }) => currentTime > ${opening.seconds - 0.3} && readyState < 3)`;
		await page.waitForFunction(`${isWaiting}(document.querySelector("video"))`);
		expect(await page.evaluate("seen.ended")).toBe(false);
		await serve(directories[1]);
		await page.waitForFunction("seen.ended");
		const seen =
			await page.evaluate(`(({ currentTime, buffered }) => ({ ...seen, end: currentTime, gaps: buffered.length - 1 }))(
			document.querySelector("video"),
		)`);
		await page.close();
		expect(seen).toMatchObject({ complaints: [], ended: true, gaps: 0 });
		expect(masters).toHaveLength(1);
		const { begin, end } = seen as { begin: number; end: number };
		expect(begin).toBeLessThan(1);
		expect(end).toBeCloseTo(seconds, 1);
	} finally {
		await browser.close();
		server.close();
	}
}

it.each([
	[
		"hls.js",
		`const hls = new Hls({ enableWorker: false });
		hls.on(Hls.Events.ERROR, (_, { fatal, details }) => fatal && seen.complaints.push(details));
		hls.loadSource("/hls/master.m3u8");
		hls.attachMedia(video);`,
	],
	[
		"shaka.js",
		`const player = new shaka.Player();
		player.addEventListener("error", ({ detail }) => seen.complaints.push("Shaka " + detail.code));
		await player.attach(video);
		await player.load("/hls/master.m3u8");`,
	],
] as const)(
	"in Chromium %s begins at 0, waits at the end of the opening, and goes on to the video's end when the playlists have grown",
	expectGoesOn,
);

it("is left out if it can't be made, and the video is made without", async () => {
	const ffmpeg = folder.path("failing-ffmpeg");
	const fails = 'case "$*" in *media/opening_audio*) echo "no sound today" >&2; exit 1;; esac';
	await writeFile(ffmpeg, `#!/bin/sh\n${fails}\nPATH=/usr/local/bin:/usr/bin:/bin exec ${tools.ffmpeg} "$@"\n`);
	await chmod(ffmpeg, 0o755);
	const shown: Playable[] = [];
	const directory = folder.outputs();
	await processVideo({
		source: await folder.source("without.mp4", { seconds: 4, size: "160x90", rate: "10" }),
		directory,
		tools: { ...tools, ffmpeg, confinement: "off" },
		job: job(["h264_720", "av1_720"]),
		opening: { seconds: 2, ofSeconds: 4 },
		onPlayable: (playable) => void shown.push(playable),
	});
	expect(shown).toHaveLength(1);
	expect(shown[0]?.files).toContain("hls/h264_90.m3u8");
	expect((await readdir(directory, { recursive: true })).filter((file) => file.includes("opening"))).toEqual([]);
});

import { chmod, readdir, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Playable, processVideo } from "../src/index.ts";
import { expectGoesOn, makeOpening, type Opened } from "./support/opening.ts";
import { type Folder, job, openFolder, tools } from "./support/sources.ts";

let folder: Folder;
let opened: Promise<Opened> | undefined;
beforeAll(async () => {
	folder = await openFolder();
});
afterAll(() => folder.close());

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
	async (script, start) => {
		opened ??= makeOpening(folder);
		await expectGoesOn(folder, await opened, [script, start]);
	},
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

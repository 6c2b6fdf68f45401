import { cp, rename, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect } from "vitest";
import { type Playable, type Processed, processVideo } from "../../src/index.ts";
import { launchChromium } from "./chromium.ts";
import { serveFolder } from "./serve-folder.ts";
import { everything, type Folder, job, tools } from "./sources.ts";

const seconds = 5;
const opening = { seconds: 2, ofSeconds: seconds };

export type Opened = {
	/** The outputs as they were when they could first be played, when the smallest H.264 was whole, and in the end. */
	readonly directories: readonly [string, string, string];
	readonly calls: readonly Playable[];
	readonly made: Processed;
};

/** Makes a video with an opening of 2 s, with copies of what can be played before it is whole. */
export async function makeOpening(folder: Folder): Promise<Opened> {
	const directory = folder.outputs();
	const calls: Playable[] = [];
	const made = await processVideo({
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
	return { directories: [folder.path("shown-1"), folder.path("shown-2"), directory], calls, made };
}

const { resolve } = createRequire(import.meta.url);
const scripts = {
	"hls.js": resolve("hls.js/dist/hls.min.js"),
	"shaka.js": resolve("shaka-player/dist/shaka-player.compiled.js"),
};

/**
 * Expects that a player begins at 0, waits at the end of the opening, and goes on to the video's end when the playlists
 * have grown. `start` makes it load the master playlist.
 */
export async function expectGoesOn(
	folder: Folder,
	{ directories }: Opened,
	[script, start]: readonly [keyof typeof scripts, string],
): Promise<void> {
	/** Makes the server serve another directory from now on. */
	const serve = async (directory: string) => {
		await symlink(directory, folder.path("served.new"));
		await rename(folder.path("served.new"), folder.path("served"));
	};
	const server = await serveFolder(folder.path("served"), "<title>player</title><video muted></video>", scripts);
	const browser = await launchChromium();
	try {
		await serve(directories[0]);
		const page = await browser.newPage();
		const masters: string[] = [];
		page.on("request", (request) => request.url().endsWith("/master.m3u8") && masters.push(request.url()));
		await page.goto(server.address);
		await page.addScriptTag({ url: `/${script}` });
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

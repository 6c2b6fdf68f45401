import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { launchChromium } from "../../packages/browser/test/support/chromium.ts";
import { deliveryServer } from "../../packages/browser/test/support/delivery-server.ts";
import { load } from "../media/measure.ts";
import { median } from "../median.ts";
import { type Segmentation, segmentedClip } from "./segmented-clip.ts";
import { type Line, openLine } from "./throttled-line.ts";

const segmentations: readonly Segmentation[] = [
	{ name: "2", stretches: [1] },
	{ name: "4", stretches: [2] },
	{ name: "6", stretches: [3] },
	{ name: "2-6", stretches: [1, 1, 2, 3] },
];
const constant = (megabits: number) => () => megabits * 1e6;
const lines: readonly Line[] = [
	{ name: "0.7 Mbit/s, 150 ms", bitsPerSecond: constant(0.7), roundTripMilliseconds: 150 },
	{ name: "1.5 Mbit/s, 150 ms", bitsPerSecond: constant(1.5), roundTripMilliseconds: 150 },
	{ name: "3 Mbit/s, 80 ms", bitsPerSecond: constant(3), roundTripMilliseconds: 80 },
	{ name: "8 Mbit/s, 40 ms", bitsPerSecond: constant(8), roundTripMilliseconds: 40 },
	{
		name: "6 Mbit/s, 1 Mbit/s from 15 to 40 s, 60 ms",
		bitsPerSecond: (second) => (second >= 15 && second < 40 ? 1 : 6) * 1e6,
		roundTripMilliseconds: 60,
	},
];
/** The player, and its settings. */
const players = [
	{ name: "ours", settings: { preload: "none", hlsConfig: { capLevelToPlayerSize: false } } },
	{ name: "hls.js", settings: {} },
];
/** How long a viewer watches, from the click on; then the viewer goes to a place that isn't loaded. */
const watchedSeconds = 60;
const soughtSecond = 605;

/** What a viewer sees, in seconds; `large` is the share of the played time with 1080 lines. */
type Watched = {
	readonly startup: number;
	readonly stalls: number;
	readonly stalled: number;
	readonly played: number;
	readonly large: number;
	readonly seek: number;
};

/**
 * Compares segments of 2, 4 and 6 seconds, and those that grow from 2 to 6: what a viewer on a throttled line sees in
 * Chromium, with our player and with hls.js' own settings. The viewer clicks on a video of which nothing is loaded. The
 * four segmentations play at once, each on a line of its own.
 */
export async function segmentLength(rounds = 1): Promise<void> {
	const { outputFiles } = await build({
		entryPoints: [fileURLToPath(new URL("./page.ts", import.meta.url))],
		...{ bundle: true, format: "esm", platform: "browser", target: "es2023", write: false },
		define: { "process.env.NODE_ENV": '"production"' },
	});
	const script = outputFiles[0]?.text ?? "";
	const folder = await segmentedClip(segmentations);
	for (const { name } of segmentations) console.log(`segment-length: ${name} s: ${await sizes(join(folder, name))}`);
	for (const { name: player, settings } of players)
		for (const line of lines) {
			const seen = new Map<string, Watched[]>();
			const run = async ({ name }: Segmentation) => {
				const watched = await watch({ script, folder, line, player, settings, segmentation: name });
				seen.set(name, [...(seen.get(name) ?? []), watched]);
			};
			for (let round = 1; round <= rounds; round += 1) await Promise.all(segmentations.map(run));
			for (const [name, all] of seen) console.log(`segment-length: ${line.name}; ${player}; ${name} s: ${shown(all)}`);
			console.log(`  ${load()}`);
		}
}

/** Returns what a viewer of a quarter of an hour asks for. */
async function sizes(folder: string): Promise<string> {
	const playlists = await Promise.all(
		["master", "h264_720", "audio"].map((name) => readFile(join(folder, `${name}.m3u8`), "utf8")),
	);
	const bytes = playlists.reduce((sum, text) => sum + text.length, 0);
	const segments = playlists.reduce((sum, text) => sum + text.split("#EXTINF").length - 1, 0);
	return `${(bytes / 1000).toFixed(1)} kB of playlists, ${segments * 4} segments an hour`;
}

function shown(all: readonly Watched[]): string {
	const of = (key: keyof Watched, digits = 2) => median(all.map((watched) => watched[key])).toFixed(digits);
	const stalls = `${of("stalls", 0)} stalls of ${of("stalled", 1)} s in all`;
	return `startup ${of("startup")} s, ${stalls}, ${of("played", 1)} s played, ${of("large")} of it at 1080, seek ${of("seek")} s`;
}

type Run = {
	readonly script: string;
	readonly folder: string;
	readonly line: Line;
	readonly player: string;
	readonly settings: object;
	readonly segmentation: string;
};

async function watch({ script, folder, line, player, settings, segmentation }: Run): Promise<Watched> {
	await using delivery = await deliveryServer(folder, new Set([""]));
	await using throttled = await openLine(line, delivery.origin);
	const browser = await launchChromium();
	try {
		const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
		await page.route(`${throttled.origin}/page.*`, (route) =>
			route.request().url().endsWith(".js")
				? route.fulfill({ contentType: "text/javascript", body: script })
				: route.fulfill({
						contentType: "text/html",
						body: '<!doctype html><body><script type="module" src="/page.js"></script>',
					}),
		);
		await page.goto(`${throttled.origin}/page.html`);
		const [origin, given] = [JSON.stringify(`${throttled.origin}/${segmentation}`), JSON.stringify(settings)];
		const seconds = `${watchedSeconds}, ${soughtSecond}`;
		return await page.evaluate<Watched>(`watch(${JSON.stringify(player)}, ${origin}, ${given}, ${seconds})`);
	} finally {
		await browser.close();
	}
}

import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { type MediaJob, probe, processVideo } from "@reelmill/media";
import { footage } from "../media/footage.ts";
import { job, tools } from "../media/job.ts";
import { load, measure } from "../media/measure.ts";
import { median } from "../median.ts";

type Case = { readonly name: string; readonly renditions: readonly string[]; readonly speed?: MediaJob["speed"] };

const h264 = ["h264_720", "h264_1080"];
const all = [...h264, "av1_720", "av1_1080"];
const cases: readonly Case[] = [
	{ name: "h264_720", renditions: ["h264_720"] },
	{ name: "h264_720, h264_1080", renditions: h264 },
	{ name: "h264_720, av1_720", renditions: ["h264_720", "av1_720"] },
	{ name: "all four", renditions: all },
	{ name: "all four, fast", renditions: all, speed: "fast" },
];

/**
 * Measures what whole jobs cost for a minute of video, by the renditions that are asked for: CPU time, the bytes of
 * what is kept, and the bytes that the job's folder holds at most. Of several rounds, the medians count.
 */
export async function sizingMedia(rounds = 1): Promise<void> {
	const source = await footage();
	const minutes = (await probe(source, tools)).durationSeconds / 60;
	console.log(
		`sizing-media: for a minute of video, of ${(minutes * 60).toFixed(1)} s of 1080p30; medians of ${rounds}`,
	);
	for (const { name, renditions, speed } of cases) {
		const runs: Awaited<ReturnType<typeof run>>[] = [];
		for (let round = 0; round < rounds; round++) runs.push(await run(source, renditions, speed));
		const of = (value: (one: (typeof runs)[number]) => number) => median(runs.map(value)) / minutes;
		console.log(
			`  ${name}: ${of(({ processor }) => processor).toFixed(0)} s CPU, ${megabytes(of(({ kept }) => kept))} kept,`,
			`at most ${megabytes(of(({ most }) => most))} in the job's folder; ${(median(runs.map(({ memory }) => memory)) / 1e9).toFixed(2)} GB of memory; ${load()}`,
		);
		if (name !== "all four") continue;
		for (const [file, bytes] of runs[0]?.files ?? []) console.log(`    ${file}: ${megabytes(bytes / minutes)}`);
	}
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

async function run(source: string, renditions: readonly string[], speed: MediaJob["speed"]) {
	const directory = await mkdtemp(join(tmpdir(), "reelmill-bench-"));
	let most = 0;
	const watching = setInterval(async () => {
		const sizes = await sizesIn(directory);
		most = Math.max(most, total(sizes));
	}, 500);
	try {
		const plan = { ...job.plan, renditions: [...renditions] };
		const taken = await measure(() =>
			processVideo({ source, directory, tools, job: { ...job, plan, ...(speed && { speed }) }, chunks: 1 }),
		);
		const files = await sizesIn(directory);
		return { ...taken, kept: total(files), most: Math.max(most, total(files)), files: kinds(files) };
	} finally {
		clearInterval(watching);
		await rm(directory, { recursive: true });
	}
}

const total = (sizes: ReadonlyMap<string, number>): number => [...sizes.values()].reduce((sum, size) => sum + size, 0);

async function sizesIn(directory: string): Promise<Map<string, number>> {
	const paths = await readdir(directory, { recursive: true }).catch(() => []);
	const sizes = await Promise.all(
		paths.map(async (path) => {
			const entry = await stat(join(directory, path)).catch(() => null);
			return [path, entry?.isFile() ? entry.size : 0] as const;
		}),
	);
	return new Map(sizes);
}

/** Sums the bytes of the tracks and of `web.mp4` each by itself, and of all else together. */
function kinds(sizes: ReadonlyMap<string, number>): Map<string, number> {
	const sums = new Map<string, number>();
	for (const [path, size] of sizes) {
		const name = path.endsWith(".mp4") || path.endsWith(".m4a") ? basename(path) : "pictures and playlists";
		sums.set(name, (sums.get(name) ?? 0) + size);
	}
	return sums;
}

import { mkdir, mkdtempDisposable, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Chunk, type ChunkWorkers, encodeChunk, probe, processVideo } from "@reelmill/media";
import { footage } from "./footage.ts";
import { job, tools } from "./job.ts";
import { ffmpeg, likeness, load, measure, openMeter, type Run } from "./measure.ts";

const total = (runs: readonly Run[]): number => runs.reduce((sum, { processor }) => sum + processor, 0);
const isOwnChunk = ({ command }: Run): boolean => /\.mp4\.from-0/.test(command);
const isSound = ({ command }: Run): boolean => command.includes("-progress") && !command.includes("libx264");

/**
 * Plays the other workers, one after the other in this process. Each has its own folder, by which its runs are told
 * apart.
 */
function playWorkers(
	folder: string,
	source: string,
	tools: Parameters<typeof encodeChunk>[0]["tools"],
	count: number,
): ChunkWorkers {
	return {
		count,
		async offer(chunks: readonly Chunk[], digest: string) {
			const helper = (index: number) => join(folder, `helper-${index}-`);
			const made: (readonly string[])[] = [];
			for (const [index, chunk] of chunks.entries())
				made.push((await encodeChunk({ source, directory: helper(index), job, chunk, digest, tools })).files);
			return {
				look: async () => ({ taken: null, chunks: chunks.map(() => ({ isDone: true, share: 1 })) }),
				async fetch(index, path) {
					for (const file of made[index] ?? []) await rename(join(helper(index), file), path(file));
				},
				pause: async () => new Promise((resolve) => setTimeout(resolve, 100)),
			};
		},
	};
}

/**
 * Writes 83 s: the clip twice, then its stillest six seconds seven times, so that the second half has much less to
 * encode than the first.
 */
async function writeUneven(folder: string, target: string): Promise<void> {
	const [list, whole] = [join(folder, "list.ffconcat"), `file ${await footage()}\n`];
	await writeFile(list, `ffconcat version 1.0\n${whole.repeat(2)}${`${whole}inpoint 1.54\noutpoint 7.53\n`.repeat(7)}`);
	await ffmpeg("-f", "concat", "-safe", "0", "-i", list, "-map", "0", "-c", "copy", target);
}

/**
 * Measures the critical path of a job over several workers with one processor each, in CPU seconds: the probe; then the
 * longest of the other workers' probe and chunk, or the video's own worker's chunk and sound; then everything after the
 * chunks. Compares it with the CPU of the whole job in one process. CPU seconds are used because a machine with few
 * processors can't show it by the clock. Downloads and Node's own work are left out. The sum over all workers is
 * printed too.
 */
export async function mediaChunks(rounds = 1): Promise<void> {
	await using folder = await mkdtempDisposable(join(tmpdir(), "reelmill-bench-"));
	const source = join(folder.path, "source.mp4");
	await writeUneven(folder.path, source);
	const run = async (workers: number) => {
		const meterFolder = join(folder.path, `meter-${workers}`);
		await mkdir(meterFolder, { recursive: true });
		const meter = await openMeter(meterFolder);
		const directory = join(folder.path, `outputs-${workers}`);
		const chunkWorkers = workers > 1 ? playWorkers(folder.path, source, meter.tools, workers - 1) : undefined;
		await processVideo({ source, directory, tools: meter.tools, job, cores: 1, chunkWorkers });
		const runs = await meter.runs();
		const alike: string[] = [];
		for (const name of process.env.REELMILL_BENCH_SSIM === undefined ? [] : ["h264_720", "av1_720"])
			alike.push(`${name} ${(await likeness(join(directory, "media", `${name}.mp4`), source, "30")).toFixed(4)}`);
		for (const done of [meterFolder, directory]) await rm(done, { recursive: true });
		return { runs, alike: alike.length === 0 ? "" : `; SSIM ${alike.join(", ")}` };
	};
	const { processor: ofProbe } = await measure(() => probe(source, tools));
	for (let round = 1; round <= rounds; round += 1) {
		const one = await run(1);
		const asOne = ofProbe + total(one.runs);
		console.log(`  round ${round}: as one ${asOne.toFixed(1)} s CPU${one.alike}; ${load()}`);
		for (const workers of [2, 4]) {
			const { runs, alike } = await run(workers);
			const helpers = Array.from({ length: workers - 1 }, (_, n) =>
				total(runs.filter(({ command }) => command.includes(`/helper-${n}-`))),
			);
			const parents = runs.filter(({ command }) => !command.includes("/helper-"));
			const sound = parents.filter(isSound);
			const own = parents.filter(isOwnChunk);
			const after = parents.filter((one) => !sound.includes(one) && !own.includes(one));
			const path = ofProbe + Math.max(total(own) + total(sound), ofProbe + Math.max(...helpers)) + total(after);
			const parts = [
				`probe ${ofProbe.toFixed(2)} s, own chunk ${total(own).toFixed(1)} s, sound ${total(sound).toFixed(1)} s`,
				`others' ${helpers.map((one) => one.toFixed(1)).join(", ")} s, after them ${total(after).toFixed(1)} s`,
				`CPU in all ${(workers * ofProbe + total(runs)).toFixed(1)} s`,
			];
			console.log(
				`  round ${round}: ${workers} workers: critical path ${(path / asOne).toFixed(3)}`,
				`(${parts.join("; ")})${alike}; ${load()}`,
			);
		}
	}
}

import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Chunk, type ChunkWorkers, encodeChunk, process as processMedia } from "@reelmill/media";
import { footage } from "./footage.ts";
import { job } from "./job.ts";
import { ffmpeg, likeness, load, openMeter, type Run } from "./measure.ts";

const total = (runs: readonly Run[]): number => runs.reduce((sum, { processor }) => sum + processor, 0);
const isOwnChunk = ({ command }: Run): boolean => /\.mp4\.from-0/.test(command);
const isSound = ({ command }: Run): boolean => command.includes("-progress") && !command.includes("libx264");

/** Other workers, played one after the other in this process, each in a folder of its own: what they run is told apart by that. */
function playWorkers(folder: string, source: string, tools: Parameters<typeof encodeChunk>[0]["tools"], count: number): ChunkWorkers {
	return {
		count,
		async offer(chunks: readonly Chunk[], digest: string) {
			const helper = (index: number) => join(folder, `helper-${index}-`);
			const made: (readonly string[])[] = [];
			for (const [index, chunk] of chunks.entries()) made.push((await encodeChunk({ source, directory: helper(index), job, chunk, digest, tools })).files);
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
 * The critical path of a job over several workers of one core each, in CPU seconds: the probe; then the dearest of the other workers' probe and chunk, or the video's own
 * worker's chunk and sound; then all that comes when the chunks are there. Against the CPU of the whole job as one. By CPU, since a machine of few cores can't show it
 * by the clock. Downloads, and Node's own work, are not among it. The clip is made 24 s long, so that it has as many groups of pictures for each worker; the sum over all
 * workers is told too.
 */
export async function mediaChunks(rounds = 1): Promise<void> {
	const folder = await mkdtemp(join(tmpdir(), "reelmill-bench-"));
	try {
		const source = join(folder, "source.mp4");
		await ffmpeg("-stream_loop", "1", "-i", await footage(), "-t", "24", "-c", "copy", source);
		const run = async (workers: number) => {
			const meterFolder = join(folder, `meter-${workers}`);
			await mkdir(meterFolder, { recursive: true });
			const meter = await openMeter(meterFolder);
			const directory = join(folder, `outputs-${workers}`);
			const chunkWorkers = workers > 1 ? playWorkers(folder, source, meter.tools, workers - 1) : undefined;
			await processMedia({ source, directory, tools: meter.tools, job, chunks: workers, chunkWorkers });
			const runs = await meter.runs();
			const alike: string[] = [];
			for (const name of process.env.REELMILL_BENCH_SSIM === undefined ? [] : ["h264_720", "av1_720"])
				alike.push(`${name} ${(await likeness(join(directory, "media", `${name}.mp4`), source, "30")).toFixed(4)}`);
			for (const done of [meterFolder, directory]) await rm(done, { recursive: true });
			return { runs, alike: alike.length === 0 ? "" : `; SSIM ${alike.join(", ")}` };
		};
		for (let round = 1; round <= rounds; round += 1) {
			const one = await run(1);
			console.log(`  round ${round}: as one ${total(one.runs).toFixed(1)} s CPU${one.alike}; ${load()}`);
			for (const workers of [2, 4]) {
				const { runs, alike } = await run(workers);
				const helpers = Array.from({ length: workers - 1 }, (_, n) => total(runs.filter(({ command }) => command.includes(`/helper-${n}-`))));
				const parents = runs.filter(({ command }) => !command.includes("/helper-"));
				const probes = parents.filter(({ command }) => command.includes(source) && !command.includes("-progress"));
				const own = parents.filter((one) => isOwnChunk(one) || isSound(one));
				const after = parents.filter((one) => !probes.includes(one) && !own.includes(one));
				const probe = total(probes);
				// A helper's probe of the source says no folder; it is the parent's over again.
				const helperProbe = probe / workers;
				const path = helperProbe + Math.max(total(own), helperProbe + Math.max(...helpers)) + total(after);
				const parts = `probe ${helperProbe.toFixed(2)} s; own chunk and sound ${total(own).toFixed(1)} s, others' ${helpers.map((one) => one.toFixed(1)).join(", ")} s; after them ${total(after).toFixed(1)} s; CPU in all ${total(runs).toFixed(1)} s`;
				console.log(`  round ${round}: ${workers} workers: critical path ${(path / total(one.runs)).toFixed(3)} (${parts})${alike}; ${load()}`);
			}
		}
	} finally {
		await rm(folder, { recursive: true });
	}
}

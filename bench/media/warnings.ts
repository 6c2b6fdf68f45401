import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EncodePlan, encodeArguments, planEncode, probe, processVideo } from "@reelmill/media";
import { measurePicture } from "../../packages/media/src/stills/picture.ts";
import { footage } from "./footage.ts";
import { job, tools } from "./job.ts";
import { ffmpeg, load, measure, spread } from "./measure.ts";

/** The sound is encoded so often in a row that its CPU time can be told in ticks of 10 ms. */
const soundEncodes = 10;

/** Returns the CPU seconds of one encode of the sound alone. */
async function encodeSound(plan: EncodePlan, source: string, folder: string, measuresSound: boolean): Promise<number> {
	const paths = { video: () => "", audio: () => join(folder, "audio.m4a") };
	const args = encodeArguments({ ...plan, renditions: [] }, source, paths, { measuresSound });
	const { processor } = await measure(async () => {
		for (let n = 0; n < soundEncodes; n++) await ffmpeg(...args);
	});
	return processor / soundEncodes;
}

/** Returns the CPU seconds in which as many pictures are measured as the source has key frames in its outputs. */
function measurePictures({ frames, gop }: EncodePlan): number {
	const size = { width: 320, height: 180 };
	const planes = Uint8Array.from({ length: 320 * 270 }, (_, n) => 16 + ((n * 7919) % 219));
	const before = process.cpuUsage();
	for (let n = 0; n < frames; n += gop) measurePicture(planes, size);
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1e6;
}

/** Measures what the warnings of a report cost, as a share of a whole job's CPU. */
export async function mediaWarnings(rounds = 5): Promise<void> {
	await using folder = await mkdtempDisposable(join(tmpdir(), "reelmill-bench-"));
	const source = await footage();
	const plan = planEncode(await probe(source, tools), job);
	const pictures = measurePictures(plan);
	const whole = await measure(() =>
		processVideo({ source, directory: join(folder.path, "outputs"), tools, job, chunks: 1 }),
	);
	const shares: number[] = [];
	for (let round = 1; round <= rounds; round++) {
		const plain = await encodeSound(plan, source, folder.path, false);
		const measured = await encodeSound(plan, source, folder.path, true);
		shares.push((measured - plain + pictures) / whole.processor);
		console.log(`  round ${round}: sound ${plain.toFixed(3)} s, measured ${measured.toFixed(3)} s; ${load()}`);
	}
	console.log(`  a whole job ${whole.processor.toFixed(1)} s, its pictures ${pictures.toFixed(3)} s`);
	console.log(`media-warnings: share of a whole job's CPU: ${spread(shares.map((share) => share * 100))} %`);
}

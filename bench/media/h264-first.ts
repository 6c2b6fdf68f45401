import { mkdtempDisposable, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { processVideo } from "@reelmill/media";
import { footage } from "./footage.ts";
import { job, tools } from "./job.ts";
import { load, measure, spread, ticks } from "./measure.ts";

/**
 * Measures when the smallest H.264 is playable if it is encoded first, and how long the whole job then takes, against
 * the usual job. The two run in turn.
 */
export async function mediaH264First(rounds = 5): Promise<void> {
	await using folder = await mkdtempDisposable(join(tmpdir(), "reelmill-bench-"));
	const source = await footage();
	const run = async (onPlayable?: () => Promise<void>) => {
		const directory = join(folder.path, "outputs");
		await rm(directory, { recursive: true, force: true });
		return measure(() => processVideo({ source, directory, tools, job, chunks: 1, ...(onPlayable && { onPlayable }) }));
	};
	const ratios: { playable: number; playableProcessor: number; wall: number; processor: number }[] = [];
	for (let round = 1; round <= rounds; round += 1) {
		const usual = await run();
		const started = performance.now();
		const before = await ticks();
		let [playable, playableProcessor] = [Number.NaN, Number.NaN];
		const split = await run(async () => {
			playable = (performance.now() - started) / 1000;
			playableProcessor = ((await ticks()) - before) / 100;
		});
		ratios.push({
			playable: playable / usual.seconds,
			playableProcessor: playableProcessor / usual.processor,
			wall: split.seconds / usual.seconds,
			processor: split.processor / usual.processor,
		});
		const shownPlayable = `playable after ${playable.toFixed(1)} s and ${playableProcessor.toFixed(1)} s CPU`;
		const shownWhole = `whole ${split.seconds.toFixed(1)} s, CPU ${split.processor.toFixed(1)} s`;
		console.log(
			`  round ${round}: ${shownPlayable}, ${shownWhole};`,
			`usual ${usual.seconds.toFixed(1)} s, CPU ${usual.processor.toFixed(1)} s; ${load()}`,
		);
	}
	console.log(`media-h264-first: medians of ${rounds}, least and most in brackets, against the usual job`);
	console.log(
		`  playable: wall ${spread(ratios.map((ratio) => ratio.playable))},`,
		`CPU ${spread(ratios.map((ratio) => ratio.playableProcessor))}`,
	);
	console.log(
		`  whole: wall ${spread(ratios.map((ratio) => ratio.wall))},`,
		`CPU ${spread(ratios.map((ratio) => ratio.processor))}`,
	);
}

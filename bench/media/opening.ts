import { mkdtempDisposable, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { processVideo } from "@reelmill/media";
import { footage } from "./footage.ts";
import { job, tools } from "./job.ts";
import { ffmpeg, load, spread, ticks } from "./measure.ts";

/** How long the film is. */
const seconds = 600;

/**
 * Measures how long after the source of a film is there its first 30 s can be played: ten minutes of the footage, one
 * copy after another. The job is stopped then; in the first round it is stopped when the smallest H.264 is whole.
 */
export async function mediaOpening(rounds = 5): Promise<void> {
	await using folder = await mkdtempDisposable(join(tmpdir(), "reelmill-bench-"));
	const film = join(folder.path, "film.mp4");
	await ffmpeg("-stream_loop", "-1", "-i", await footage(), "-t", String(seconds), "-c", "copy", film);
	const openings: Playable[] = [];
	for (let round = 1; round <= rounds; round += 1) {
		const directory = join(folder.path, "outputs");
		await rm(directory, { recursive: true, force: true });
		const [opening, whole] = await playableTimes(film, directory, round === 1 ? 2 : 1);
		if (opening === undefined) throw new Error("The film has no opening.");
		openings.push(opening);
		console.log(`  round ${round}: playable after ${shown(opening)}; ${load()}`);
		if (whole !== undefined) console.log(`    the smallest H.264 is whole after ${shown(whole)}; ${load()}`);
	}
	console.log(`media-opening: medians of ${rounds}, least and most in brackets, ${seconds} s at 1080p`);
	console.log(
		`  seconds: wall ${spread(openings.map(({ wall }) => wall))},`,
		`CPU ${spread(openings.map(({ processor }) => processor))}`,
	);
}

type Playable = { readonly wall: number; readonly processor: number };

const shown = ({ wall, processor }: Playable): string => `${wall.toFixed(1)} s and ${processor.toFixed(1)} s CPU`;

/** Runs the job until it has told `most` times of what can be played, and returns when, in seconds. */
async function playableTimes(source: string, directory: string, most: number): Promise<Playable[]> {
	const stop = new AbortController();
	const { signal } = stop;
	const [started, before] = [performance.now(), await ticks()];
	const times: Playable[] = [];
	const onPlayable = async () => {
		times.push({ wall: (performance.now() - started) / 1000, processor: ((await ticks()) - before) / 100 });
		if (times.length === most) stop.abort();
	};
	await processVideo({ source, directory, tools, job, onPlayable, chunks: 1, signal }).catch((error: unknown) => {
		if (!signal.aborted) throw error;
	});
	return times;
}

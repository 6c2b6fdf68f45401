import { cp, mkdtempDisposable, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cutVideo, processVideo, type Tools } from "@reelmill/media";
import { openFragments, writeFragments } from "../../packages/media/src/mp4/fragments.ts";
import { median } from "../median.ts";
import { footage } from "./footage.ts";
import { ffmpeg, load, measure } from "./measure.ts";

/** Writes a track again and again, as one. */
async function repeat(from: string, to: string, times: number): Promise<void> {
	const file = await openFragments(from);
	const fragments = Array.from({ length: times }, () => file.fragments).flat();
	await writeFragments(to, file, fragments);
	await file.close();
}

/**
 * Measures what a cut of a video of 15 minutes costs in one rendition, and one of a minute: CPU of this process and of
 * the programs, with all outputs. The ends lie in the middle of groups of pictures.
 */
export async function mediaCut(rounds = 5): Promise<void> {
	await using folder = await mkdtempDisposable(join(tmpdir(), "reelmill-bench-"));
	const [clip, short] = [join(folder.path, "clip.mp4"), join(folder.path, "short")];
	await ffmpeg("-i", await footage(), "-t", "20", "-c:v", "libx264", "-preset", "veryfast", "-c:a", "aac", clip);
	const job = {
		plan: {
			renditions: ["h264_720"],
			outputs: { hls: true, dash: true, mp4_fallback: true, og_thumbnail: true },
		},
		limits: { max_duration_seconds: 60 },
	};
	const tools: Tools = { ffmpeg: "ffmpeg", ffprobe: "ffprobe", confinement: "off" };
	await processVideo({ source: clip, directory: short, tools, job });
	for (const seconds of [60, 900]) {
		const [repeated, source] = [join(folder.path, `repeated-${seconds}`), join(folder.path, `${seconds}`)];
		await cp(short, repeated, { recursive: true });
		for (const track of ["media/h264_720.mp4", "media/audio.m4a"])
			await repeat(join(short, track), join(repeated, track), seconds / 20);
		// A cut of the whole has pictures of the whole.
		await cutVideo({ source: repeated, directory: source, tools, startSeconds: 0, endSeconds: seconds });
		const taken: { own: number; programs: number }[] = [];
		for (let round = 1; round <= rounds; round += 1) {
			const directory = join(folder.path, `cut-${seconds}`);
			const before = process.cpuUsage();
			const { processor } = await measure(() =>
				cutVideo({ source, directory, tools, startSeconds: 3.1, endSeconds: seconds - 2.9 }),
			);
			const { user, system } = process.cpuUsage(before);
			taken.push({ own: (user + system) / 1e6, programs: processor });
			await rm(directory, { recursive: true });
		}
		const middle = (of: (one: (typeof taken)[number]) => number) => median(taken.map(of)).toFixed(2);
		console.log(
			`media-cut: of ${seconds} s: CPU ${middle(({ own, programs }) => own + programs)} s,`,
			`of it this process ${middle(({ own }) => own)},`,
			`programs ${middle(({ programs }) => programs)} (median of ${rounds}; ${load()})`,
		);
	}
}

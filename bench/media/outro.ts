import { copyFile, mkdir, mkdtempDisposable, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { appendOutro, makeMezzanine, processVideo } from "@reelmill/media";
import { footage } from "./footage.ts";
import { job, tools } from "./job.ts";
import { ffmpeg, load, measure, openMeter, spread, type Taken } from "./measure.ts";

/**
 * Measures what appending an outro costs for a video of 60 s and for one of 600 s. The outro's own encode, which is the
 * same for both, and a plain copy of the bytes are subtracted.
 */
export async function mediaOutro(rounds = 5): Promise<void> {
	await using folder = await mkdtempDisposable(join(tmpdir(), "reelmill-bench-"));
	const clip = await footage();
	await ffmpeg(
		"-ss",
		"5",
		"-t",
		"4",
		"-i",
		clip,
		"-c:v",
		"libx264",
		"-preset",
		"veryfast",
		"-c:a",
		"aac",
		join(folder.path, "outro-source.mp4"),
	);
	await makeMezzanine({
		source: join(folder.path, "outro-source.mp4"),
		directory: join(folder.path, "outro"),
		tools,
		job,
	});
	// 16 s are whole frames of picture and of sound, so that copies join without a gap.
	await ffmpeg(
		"-i",
		clip,
		"-t",
		"16",
		"-c:v",
		"libx264",
		"-preset",
		"veryfast",
		"-c:a",
		"aac",
		join(folder.path, "main-source.mp4"),
	);
	const outputs = { hls: false, dash: false, mp4_fallback: true, og_thumbnail: false };
	await processVideo({
		source: join(folder.path, "main-source.mp4"),
		directory: join(folder.path, "main"),
		tools,
		job: { ...job, plan: { renditions: ["h264_720"], outputs } },
	});
	const videos = new Map<number, string>();
	for (const seconds of [60, 600]) {
		const [path, list] = [join(folder.path, `${seconds}.mp4`), join(folder.path, "list.ffconcat")];
		await writeFile(
			list,
			`ffconcat version 1.0\n${`file ${join(folder.path, "main/web.mp4")}\nduration 16\n`.repeat(Math.ceil(seconds / 16))}`,
		);
		// The sound begins 1,024 samples before the picture, as in a file of the job.
		const early = ["-itsoffset", (-1024 / 48_000).toFixed(6)];
		const args = [...early, "-f", "concat", "-safe", "0", "-i", list, "-map", "0", "-c", "copy"];
		await ffmpeg(...args, "-movflags", "+faststart", path);
		videos.set(seconds, path);
	}
	const append = async (seconds: number): Promise<{ taken: Taken; encode: number; copy: Taken }> => {
		const directory = join(folder.path, `append-${seconds}`);
		await mkdir(directory);
		const web = join(directory, "web.mp4");
		await copyFile(videos.get(seconds) as string, web);
		// The copy reads as the join reads: once for the picture, once for the sound.
		const copy = await measure(() =>
			ffmpeg(
				"-i",
				web,
				"-i",
				web,
				"-map",
				"0:v",
				"-map",
				"1:a",
				"-c",
				"copy",
				"-movflags",
				"+faststart",
				join(directory, "copy.mp4"),
			),
		);
		const meter = await openMeter(directory);
		const taken = await measure(async () => {
			const { whole } = await appendOutro({
				directory,
				outro: join(folder.path, "outro/mezzanine.mp4"),
				tools: meter.tools,
			});
			if (whole) throw new Error("The whole was encoded again: the video is not one that the job makes.");
		});
		const encode = (await meter.runs())
			.filter(({ command }) => command.includes("libx264"))
			.reduce((sum, { processor }) => sum + processor, 0);
		await rm(directory, { recursive: true });
		return { taken, encode, copy };
	};
	const ratios: number[] = [];
	for (let round = 1; round <= rounds; round += 1) {
		const [short, long] = [await append(60), await append(600)];
		const rest = ({ taken, encode, copy }: typeof short) => taken.processor - encode - copy.processor;
		ratios.push(rest(long) / rest(short));
		const shown = (one: typeof short) =>
			`CPU ${one.taken.processor.toFixed(2)} s (encode ${one.encode.toFixed(2)}, copy ${one.copy.processor.toFixed(2)})`;
		console.log(`  round ${round}: 60 s ${shown(short)}; 600 s ${shown(long)}; ${load()}`);
	}
	console.log(
		`media-outro: CPU of 600 s against 60 s, without the outro's encode and a copy of the bytes:`,
		`${spread(ratios)} (of ${rounds})`,
	);
}

import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Encode } from "../encode/encode.ts";
import { perSecond } from "../plan/frame-rate.ts";
import { roughSamples, type Sample, type Stills, splitPictures } from "../stills/key-frames.ts";
import { measurePicture } from "../stills/picture.ts";
import { layOutTiles, storyboardFiles, storyboardVtt } from "../stills/storyboard.ts";
import type { CutSource } from "./cut-source.ts";
import { secondsOf } from "./cut-web-vtt.ts";

const cue = /^([\d:.]+) --> [\d:.]+\n.*#xywh=(\d+),(\d+),(\d+),(\d+)$/gm;

/**
 * Makes the storyboard of a cut of those pictures of the source's storyboard whose moments are in the stretch, so that no
 * video is decoded. The first of them also stands for what comes before it. Returns `null` if these are too few, or if
 * frames for moderation are made.
 */
export async function cutStoryboard(
	{ programs, signal, plan, directory }: Encode,
	source: CutSource,
	startSeconds: number,
): Promise<Stills | null> {
	const [text, sheet] = storyboardFiles;
	if (!plan.storyboard || plan.moderationFrames || [text, sheet].some((file) => !source.files.includes(file)))
		return null;
	const all = [...(await source.text(text)).matchAll(cue)].map(([, from = "", ...place]) => {
		const [x = 0, y = 0, width = 0, height = 0] = place.map(Number);
		return { seconds: secondsOf(from) - startSeconds, x, y, tile: { width, height } };
	});
	const isInside = ({ seconds }: { readonly seconds: number }) => seconds > -0.001 && seconds < plan.durationSeconds;
	const kept = all.filter(isInside);
	const [first, last] = [kept[0], kept.at(-1)];
	if (first === undefined || last === undefined || kept.length < roughSamples) return null;
	const { tile } = first;
	const starts = kept.map(({ seconds }, n) => (n === 0 ? 0 : seconds));
	const laidOut = layOutTiles(tile, starts, plan.durationSeconds);
	// The first group of pictures of a cut is shorter.
	const apart = (last.seconds - first.seconds) / (kept.length - 1);
	const every = Math.round((apart * perSecond(plan.frameRate)) / plan.gop);

	const [columns, rows] = [
		Math.max(...all.map(({ x }) => x)) / tile.width,
		Math.max(...all.map(({ y }) => y)) / tile.height,
	];
	const begin = all.indexOf(first);
	const graph = [
		`[0:v]untile=${columns + 1}x${rows + 1},select='between(n,${begin},${begin + kept.length - 1})',split[shown][judged]`,
		`[shown]tile=${laidOut.columns}x${laidOut.rows}[sheet]`,
		"[judged]scale=in_range=pc:out_range=tv,format=yuv420p[pictures]",
	];
	const samples: Sample[] = [];
	const step = Math.ceil(kept.length / roughSamples);
	let n = 0;
	const onOutput = splitPictures(tile, (picture) => {
		const seconds = Math.max(0, kept[n]?.seconds ?? 0);
		if (n % step === 0) samples.push({ ...measurePicture(picture, tile), seconds });
		n += 1;
	});
	const from = await source.whole(sheet);
	const to = join(directory, sheet);
	await mkdir(dirname(to), { recursive: true });
	const args = [
		...["-nostdin", "-v", "error", "-y", "-threads", "1", "-f", "image2", "-i", from],
		...["-filter_complex_threads", "1", "-filter_complex", graph.join(";")],
		...["-map", "[sheet]", "-fps_mode", "passthrough", "-q:v", "4", "-f", "image2", "-update", "1", to],
		...["-map", "[pictures]", "-fps_mode", "passthrough", "-f", "rawvideo", "pipe:1"],
	];
	await programs.run("ffmpeg", args, { signal, reads: [from], writes: [dirname(to)], onOutput });
	await writeFile(join(directory, text), storyboardVtt({ ...laidOut, every }, sheet));
	return { files: [text, sheet], samples, sheet: { ...laidOut, every } };
}

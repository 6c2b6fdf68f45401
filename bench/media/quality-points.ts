import { execFile } from "node:child_process";
import { mkdtempDisposable, readFile, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Clip } from "./clips.ts";
import { clipSeconds } from "./clips.ts";
import { ffmpeg, measure } from "./measure.ts";
import { measuresVmaf, vmafOf } from "./vmaf.ts";

/** A way to encode: its arguments but for the CRF, and the CRFs of its curve. */
export type Setting = { readonly name: string; readonly encoder: readonly string[]; readonly crfs: readonly number[] };
/** How like its source a file is: by SSIM from 0 to 1 (`alike`), and by VMAF from 0 to 100 if it can be measured. */
export type Likeness = { readonly alike: number; readonly vmaf?: number | undefined };
/** One encode of a clip. `processor` is seconds of CPU. */
export type Point = Likeness & {
	readonly crf: number;
	readonly bits: number;
	readonly processor: number;
	readonly frames: number;
};

/**
 * Returns how similar a file is to its source, picture by picture (SSIM is that of luma and chroma), and how many
 * pictures it has. The source is scaled to the file's size.
 */
export async function compare(path: string, source: string): Promise<Likeness & { frames: number }> {
	const graph =
		"[0:v]settb=1/1000,setpts=N[a];[1:v]settb=1/1000,setpts=N[s];[s][a]scale2ref=flags=bicubic[b][c];[c][b]ssim=stats_file=-";
	const { stdout } = await promisify(execFile)(
		"ffmpeg",
		["-nostdin", "-v", "error", "-i", path, "-i", source, "-lavfi", graph, "-f", "null", "-"],
		{ maxBuffer: 64 * 1024 ** 2 },
	);
	const each = [...stdout.matchAll(/All:([\d.]+)/g)].map(([, value]) => Number(value));
	const alike = each.reduce((sum, value) => sum + value, 0) / each.length;
	return { alike, vmaf: await vmafOf(path, source), frames: each.length };
}

/**
 * Opens what was measured so far; it is kept in a file, so that a run which was stopped goes on. A measurement that is
 * missing is made: the clip is scaled into a box of `side` (never enlarged) and encoded from raw pictures. Another
 * version of ffmpeg has points of its own.
 */
export async function openPoints(file: string) {
	const known: Record<string, Point> = JSON.parse(await readFile(file, "utf8").catch(() => "{}"));
	const [version] = (await promisify(execFile)("ffmpeg", ["-version"])).stdout.split("\n");
	const keyOf = (clip: Clip, side: number, { encoder }: Setting, crf: number) =>
		JSON.stringify([clip.name, side, encoder, crf, version, measuresVmaf]);
	return {
		/** Returns the points of each setting, by its name. */
		async of(clip: Clip, side: number, settings: readonly Setting[]): Promise<Map<string, Point[]>> {
			const missing = settings.flatMap((setting) =>
				setting.crfs.flatMap((crf) => {
					const key = keyOf(clip, side, setting, crf);
					return known[key] === undefined ? [{ key, encoder: setting.encoder, crf }] : [];
				}),
			);
			await using folder = await mkdtempDisposable(join(tmpdir(), "reelmill-bench-"));
			const [raw, made] = [join(folder.path, "raw.y4m"), join(folder.path, "made.mp4")];
			const box = `scale='min(iw,${(side * 16) / 9})':'min(ih,${side})':force_original_aspect_ratio=decrease`;
			if (missing.length > 0)
				await ffmpeg("-i", clip.path, "-vf", `${box}:force_divisible_by=2:flags=bicubic`, "-pix_fmt", "yuv420p", raw);
			for (const { key, encoder, crf } of missing) {
				const encode = () => ffmpeg("-i", raw, ...encoder, "-crf", String(crf), "-g", "60", made);
				const { processor } = await measure(encode);
				const bits = ((await stat(made)).size * 8) / clipSeconds;
				known[key] = { crf, bits, processor, ...(await compare(made, raw)) };
				await writeFile(file, JSON.stringify(known));
			}
			return new Map(
				settings.map((setting) => [
					setting.name,
					setting.crfs.map((crf) => known[keyOf(clip, side, setting, crf)] as Point),
				]),
			);
		},
	};
}

import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Run } from "../run/programs.ts";

/** A page shows many of them at once. */
const mostBytes = 500_000;
/** From the best on, until one is small enough. */
const settings = [
	{ side: 480, rate: 12, quality: 60 },
	{ side: 400, rate: 12, quality: 45 },
	{ side: 320, rate: 10, quality: 35 },
	{ side: 240, rate: 8, quality: 25 },
	{ side: 160, rate: 8, quality: 10 },
	{ side: 96, rate: 5, quality: 0 },
] as const;

/**
 * Writes frames of a file as `preview.webp`, which moves without end and has less than 500 kB.
 * @throws {Error} when it can't be made as small
 */
export async function writePreview(
	{ programs, signal, directory }: Run & { readonly directory: string },
	{ path, from, seconds }: { readonly path: string; readonly from: number; readonly seconds: number },
): Promise<string> {
	const target = join(directory, "preview.webp");
	for (const { side, rate, quality } of settings) {
		const fits = `scale=${side}:${side}:force_original_aspect_ratio=decrease:force_divisible_by=2`;
		const args = [
			...["-nostdin", "-v", "error", "-y", "-ss", from.toFixed(3), "-t", String(seconds), "-f", "mov", "-i", path],
			...["-map", "0:v:0", "-vf", `fps=${rate},${fits},setsar=1`, "-c:v", "libwebp_anim", "-quality", String(quality)],
			...["-loop", "0", "-f", "webp", target],
		];
		await programs.run("ffmpeg", args, { signal, reads: [path], writes: [directory] });
		if ((await stat(target)).size < mostBytes) return "preview.webp";
	}
	throw new Error(`The preview can't be made smaller than ${mostBytes} bytes.`);
}

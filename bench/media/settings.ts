import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { footage } from "./footage.ts";
import { ffmpeg, likeness, load, measure } from "./measure.ts";

const x264 = (preset: string, more: readonly string[] = []) => ({
	encoder: ["-c:v", "libx264", "-preset", preset, ...more],
	crfs: [23, 29] as const,
});
const svt = (preset: string, screenContent = "0") => ({
	encoder: ["-c:v", "libsvtav1", "-preset", preset, "-svtav1-params", `scm=${screenContent}`],
	crfs: [35, 45] as const,
});
const settings = [
	{ name: "x264 superfast", ...x264("superfast") },
	{ name: "x264 superfast, a lookahead of 40", ...x264("superfast", ["-x264-params", "rc-lookahead=40:mbtree=1"]) },
	{
		name: "the same without a B-pyramid",
		...x264("superfast", ["-x264-params", "rc-lookahead=40:mbtree=1:b-pyramid=none"]),
	},
	{ name: "x264 veryfast", ...x264("veryfast") },
	{ name: "x264 medium", ...x264("medium") },
	{ name: "SVT-AV1 8", ...svt("8") },
	{ name: "SVT-AV1 10", ...svt("10") },
	{ name: "SVT-AV1 10 that looks for screen content", ...svt("10", "2") },
	{ name: "SVT-AV1 12", ...svt("12") },
];

const seconds = 20;
const frames = seconds * 30;

type Point = { readonly bytes: number; readonly alike: number; readonly processor: number };

/** Returns the bytes at a similarity, on the line through two points: the logarithm of bytes over similarity. */
function bytesAt(alike: number, [a, b]: readonly [Point, Point]): number {
	const share = (alike - a.alike) / (b.alike - a.alike);
	return a.bytes * (b.bytes / a.bytes) ** share;
}

/**
 * Measures what each preset costs for a frame at 720p, and how many more or fewer bits it takes than x264 veryfast at
 * CRF 23 for the same similarity.
 */
export async function mediaSettings(): Promise<void> {
	const folder = await mkdtemp(join(tmpdir(), "reelmill-bench-"));
	try {
		const raw = join(folder, "source.y4m");
		await ffmpeg(
			"-t",
			String(seconds),
			"-i",
			await footage(),
			"-vf",
			"fps=30,scale=1280:720:flags=bicubic",
			"-pix_fmt",
			"yuv420p",
			raw,
		);
		const encode = async (encoder: readonly string[], crf: number): Promise<Point> => {
			const path = join(folder, "encoded.mp4");
			const { processor } = await measure(() => ffmpeg("-i", raw, ...encoder, "-crf", String(crf), "-g", "60", path));
			return { bytes: (await stat(path)).size, alike: await likeness(path, raw, "30"), processor };
		};
		const points = new Map<string, readonly [Point, Point]>();
		for (const { name, encoder, crfs } of settings)
			points.set(name, [await encode(encoder, crfs[0]), await encode(encoder, crfs[1])]);
		const base = points.get("x264 veryfast")?.[0] as Point;
		console.log(
			`media-settings: 720p, ${frames} frames; bits at SSIM ${base.alike.toFixed(4)} against x264 veryfast; ${load()}`,
		);
		for (const [name, [a, b]] of points) {
			const cost = ((a.processor + b.processor) / 2 / frames) * 1000;
			const bits = (bytesAt(base.alike, [a, b]) / base.bytes - 1) * 100;
			const shown = ({ alike, bytes }: Point) =>
				`${alike.toFixed(4)} at ${((bytes * 8) / seconds / 1e6).toFixed(2)} Mb/s`;
			console.log(
				`  ${name}: ${cost.toFixed(1)} ms CPU a frame,`,
				`${bits > 0 ? "+" : ""}${bits.toFixed(0)} % bits (${shown(a)}, ${shown(b)})`,
			);
		}
	} finally {
		await rm(folder, { recursive: true });
	}
}

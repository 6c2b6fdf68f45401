import { mkdtempDisposable, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Decision, type Processed, processVideo } from "@reelmill/media";
import { bdRate, decibels } from "./bd-rate.ts";
import { type Clip, clipSeconds, clips, clipsFolder } from "./clips.ts";
import { load } from "./measure.ts";
import { drawCurves } from "./quality-picture.ts";
import { compare, type Likeness, openPoints, type Point, type Setting } from "./quality-points.ts";
import { measuresVmaf } from "./vmaf.ts";

const x264 = (name: string, preset: string, parameters: readonly string[]): Setting => ({
	name,
	encoder: ["-c:v", "libx264", "-preset", preset, ...parameters],
	crfs: [20, 24, 28, 32],
});
const svt = (name: string, preset: string, crfs: readonly number[]): Setting => ({
	name,
	encoder: ["-c:v", "libsvtav1", "-preset", preset, "-svtav1-params", "scm=0"],
	crfs,
});
const x265 = ["-c:v", "libx265", "-preset", "medium", "-x265-params", "log-level=error"];
const ours = ["-x264-params", "stitchable=1:rc-lookahead=40:mbtree=1:b-pyramid=none:trellis=1:aq-strength=0.8"];
const anchor = x264("x264 medium", "medium", []);
const settings: readonly Setting[] = [
	anchor,
	x264("H.264, balanced (x264 veryfast)", "veryfast", ours),
	x264("H.264, fast (x264 superfast)", "superfast", ours),
	{ name: "x265 medium", encoder: x265, crfs: [20, 26, 32] },
	svt("AV1, balanced (SVT-AV1 10)", "10", [28, 36, 44, 52]),
	svt("AV1, fast (SVT-AV1 12)", "12", [28, 40, 52]),
	svt("SVT-AV1 6", "6", [28, 40, 52]),
];
/** A clip of each kind, small ones: the slowest encoders are measured on these alone. */
const drawn = ["minions", "face", "terminal"];
const slow = ["x265 medium", "SVT-AV1 6"];
const picture = fileURLToPath(new URL("../../docs/images/encoding/quality.svg", import.meta.url));

/** A way to say how like its source a picture is, on a scale on which curves can be compared. */
type Scale = (likeness: Likeness) => number;
const ssim: Scale = ({ alike }) => decibels(alike);
const vmaf: Scale = (likeness) => likeness.vmaf ?? Number.NaN;
const scales = measuresVmaf ? [ssim, vmaf] : [ssim];
const curve = (points: readonly Point[], scale = ssim) =>
	points.map((point) => ({ bits: point.bits, quality: scale(point) }));
const processorOf = (points: readonly Point[]) =>
	points.reduce((sum, { processor, frames }) => sum + processor / frames, 0) / points.length;

/** Formats values for a table: the middle, and the least and the most. */
function range(values: readonly number[], format: (value: number) => string): string {
	const sorted = [...values].sort((a, b) => a - b);
	const half = sorted.length / 2;
	const middle = ((sorted[Math.ceil(half) - 1] as number) + (sorted[Math.floor(half)] as number)) / 2;
	return `${format(middle)} (${format(sorted[0] as number)} to ${format(sorted.at(-1) as number)})`;
}
const percent = (share: number) => `${share > 0 ? "+" : ""}${(share * 100).toFixed(0)} %`;

/**
 * Measures what our settings cost beside other encoders' at equal similarity (SSIM, and VMAF if it can be measured), on
 * clips of different kinds, and draws some of the curves for docs/guides/encoding.md. Then does whole jobs of the clips:
 * compares AV1 with H.264 at each rung. Prints rows of the tables in docs/measurements/encoding.md.
 */
export async function mediaQuality(): Promise<void> {
	const all = await clips();
	const points = await openPoints(join(clipsFolder, "points.json"));
	const measured = new Map<string, Map<string, Point[]>>();
	for (const clip of all) {
		const tried = settings.filter(({ name }) => drawn.includes(clip.name) || !slow.includes(name));
		measured.set(clip.name, await points.of(clip, 720, tried));
	}
	console.log(`media-quality: ${all.length} clips of ${clipSeconds} s, at 720p or their own size; ${load()}`);
	for (const { name } of settings) {
		const of = (clip: Clip, setting: string) => measured.get(clip.name)?.get(setting) as Point[];
		const on = all.filter((clip) => measured.get(clip.name)?.has(name));
		const bits = scales.map((scale) => {
			const rates = on.map((clip) => bdRate(curve(of(clip, anchor.name), scale), curve(of(clip, name), scale)));
			return range(rates.filter(Number.isFinite), percent);
		});
		const costs = on.map((clip) => processorOf(of(clip, name)) / processorOf(of(clip, anchor.name)));
		console.log(`| ${name} | ${on.length} | ${bits.join(" | ")} | ${range(costs, (cost) => cost.toFixed(2))} |`);
	}
	const panels = drawn.map((name) => {
		const curves = [...(measured.get(name) as Map<string, Point[]>)];
		const kind = all.find((clip) => clip.name === name)?.kind;
		return { title: `${name} (${kind})`, curves: curves.map(([label, at]) => ({ name: label, points: curve(at) })) };
	});
	const description = "Similarity (SSIM) over bits per second, for seven encoder settings and three clips";
	await writeFile(picture, drawCurves(panels, description));
	await compareRungs(all);
}

type Rung = Likeness & { readonly name: string; readonly bits: number };

async function compareRungs(all: readonly Clip[]): Promise<void> {
	const pairs: { h264: Rung; av1: Rung }[] = [];
	for (const clip of all) {
		const { rungs, content } = await jobOf(clip);
		for (const h264 of rungs.filter(({ name }) => name.startsWith("h264"))) {
			const av1 = rungs.find(({ name }) => name === h264.name.replace("h264", "av1")) as Rung;
			pairs.push({ h264, av1 });
			const show = ({ bits, alike, vmaf }: Rung) =>
				`${alike.toFixed(4)}, ${vmaf === undefined ? "" : `${vmaf.toFixed(1)}, `}${(bits / 1e6).toFixed(2)} M`;
			const ratio = (av1.bits / h264.bits).toFixed(2);
			const size = h264.name.replace("h264_", "");
			console.log(`| ${clip.name}, ${size} | ${content} | ${show(h264)} | ${show(av1)} | ${ratio} |`);
		}
	}
	const ratios = pairs.map(({ h264, av1 }) => av1.bits / h264.bits);
	const differences = pairs.map(({ h264, av1 }) => av1.alike - h264.alike);
	console.log(`  AV1's bits against H.264's: ${range(ratios, (ratio) => ratio.toFixed(2))}`);
	console.log(`  AV1's SSIM less H.264's: ${range(differences, (value) => value.toFixed(4))}`);
	if (!measuresVmaf) return;
	const further = pairs.map(({ h264, av1 }) => vmaf(av1) - vmaf(h264));
	console.log(`  AV1's VMAF less H.264's: ${range(further, (value) => value.toFixed(1))}`);
}

async function jobOf(clip: Clip): Promise<{ rungs: Rung[]; content: string }> {
	await using directory = await mkdtempDisposable(join(tmpdir(), "reelmill-bench-"));
	const renditions = ["h264_720", "h264_1080", "av1_720", "av1_1080"];
	const outputs = { hls: true, dash: false, mp4_fallback: false, og_thumbnail: false };
	const { report, renditions: made }: Processed = await processVideo({
		source: clip.path,
		directory: directory.path,
		job: { plan: { renditions, outputs }, limits: { max_duration_seconds: 60 } },
		tools: { ffmpeg: "ffmpeg", ffprobe: "ffprobe", confinement: "off" },
	});
	const rungs: Rung[] = [];
	for (const { name } of made) {
		const path = join(directory.path, "media", `${name}.mp4`);
		rungs.push({
			name,
			bits: ((await stat(path)).size * 8) / clipSeconds,
			...(await compare(path, clip.path)),
		});
	}
	const content = (report.decisions as Decision[]).find(({ about }) => about === "content");
	return { rungs, content: /as (?:a )?(\w+)/.exec(content?.decision ?? "as filmed")?.[1] ?? "" };
}

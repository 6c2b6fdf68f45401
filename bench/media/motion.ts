import { mkdtempDisposable, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Codec, type EncodePlan, encodeArguments, planEncode, probe } from "@reelmill/media";
import { footage } from "./footage.ts";
import { job, tools } from "./job.ts";
import { ffmpeg, load, measure, spread } from "./measure.ts";

const text = fileURLToPath(new URL("../../LICENSE", import.meta.url));
const made = ["-c:v", "libx264", "-preset", "veryfast", "-crf", "17", "-pix_fmt", "yuv420p"];

/**
 * Writes 10 s of a page of text at 720p that scrolls for 1 s of 5 at 60 frames a second. While it stands still, the
 * recorder writes four frames a second.
 */
async function writeScreen(target: string): Promise<void> {
	const place = "y=40-780*(floor(t/5)+min(mod(t\\,5)\\,1))";
	const graph = [
		"color=white:size=1280x720:rate=60:duration=10",
		`drawtext=textfile=${text}:font=Sans:fontsize=19:x=60:line_spacing=6:${place}`,
		"select='lt(mod(t,5),1)+not(mod(n,15))'",
	];
	await ffmpeg("-f", "lavfi", "-i", graph.join(","), "-fps_mode", "passthrough", ...made, target);
}

/** Writes 6 s of the footage at 1080i50: its frames are taken as 50 a second, and two become the fields of one. */
async function writeFields(target: string): Promise<void> {
	const fields = "setpts=N/(50*TB),fps=50,trim=end_frame=300,tinterlace=interleave_top,setfield=tff";
	await ffmpeg("-i", await footage(), "-an", "-vf", fields, "-r", "25", ...made, "-flags", "+ilme+ildct", target);
}

/** Two plans for one source: with all of its motion, and with less. */
type Pair = { readonly whole: EncodePlan; readonly less: EncodePlan };

async function plansOfScreen(source: string): Promise<Pair> {
	const found = await probe(source, tools);
	const { video } = found;
	const average = { ...found, video: { ...video, motionRate: video.frameRate } };
	return { whole: planEncode(found, job), less: planEncode(average, job) };
}

async function plansOfFields(source: string): Promise<Pair> {
	const found = await probe(source, tools);
	if (!found.video.interlaced) throw new Error("The source that was made isn't interlaced.");
	const frames = planEncode({ ...found, video: { ...found.video, interlaced: false } }, job);
	const filters = ["bwdif=mode=send_frame:deint=interlaced", ...frames.picture.filters];
	return { whole: planEncode(found, job), less: { ...frames, picture: { ...frames.picture, filters } } };
}

const only = (plan: EncodePlan, codec: Codec): EncodePlan => ({
	...plan,
	renditions: plan.renditions.filter((rendition) => rendition.codec === codec),
});

/** Compares what the encodes of two plans cost: CPU in each round, bytes once, and the CPU of each codec alone once. */
async function compare(name: string, source: string, folder: string, { whole, less }: Pair, rounds: number) {
	const path = (rendition: string) => join(folder, `${rendition}.mp4`);
	const encode = (plan: EncodePlan) =>
		measure(() =>
			ffmpeg(
				...encodeArguments({ ...plan, sounds: [] }, source, { video: (one) => path(one.name), audio: () => "" }).slice(
					1,
				),
			),
		);
	const bytes = async ({ renditions }: EncodePlan) =>
		(await Promise.all(renditions.map(async (one) => (await stat(path(one.name))).size))).reduce((a, b) => a + b);
	const ratios: number[] = [];
	for (let round = 1; round <= rounds; round += 1) {
		const all = await encode(whole);
		const allBytes = await bytes(whole);
		const some = await encode(less);
		ratios.push(all.processor / some.processor);
		const shown = `${name}: CPU ${all.processor.toFixed(1)} s for ${whole.frames} frames, ${some.processor.toFixed(1)} s for ${less.frames}`;
		console.log(`  round ${round}: ${shown}; bytes ${(allBytes / (await bytes(less))).toFixed(2)}; ${load()}`);
	}
	for (const codec of ["h264", "av1"] as const) {
		const [all, some] = [await encode(only(whole, codec)), await encode(only(less, codec))];
		console.log(`  ${name}, ${codec} alone: CPU ${all.processor.toFixed(1)} s, ${some.processor.toFixed(1)} s`);
	}
	console.log(`media-motion: ${name}: CPU ${spread(ratios)} (of ${rounds})`);
}

/**
 * Measures what it costs to keep motion, in CPU of the one ffmpeg that decodes and encodes: a screen at the rate of its
 * motion against its average rate, and fields as pictures of their own against a picture for two. Both take turns.
 */
export async function mediaMotion(rounds = 5): Promise<void> {
	await using folder = await mkdtempDisposable(join(tmpdir(), "reelmill-bench-"));
	const [screen, fields] = [join(folder.path, "screen.mp4"), join(folder.path, "fields.mp4")];
	await writeScreen(screen);
	await writeFields(fields);
	await compare("screen", screen, folder.path, await plansOfScreen(screen), rounds);
	await compare("fields", fields, folder.path, await plansOfFields(fields), rounds);
}

import { mkdir, mkdtempDisposable, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EncodePlan, encodeArguments, type PlannedRendition, planEncode, processVideo } from "@reelmill/media";
import { probeWithContent } from "../../packages/media/src/content/probe-with-content.ts";
import { openPrograms } from "../../packages/media/src/run/programs.ts";
import { footage } from "./footage.ts";
import { ffmpeg, likeness, load, measure, openMeter, type Run, spread, type Taken } from "./measure.ts";

const names = ["h264_720", "h264_1080", "av1_720", "av1_1080"];
export const job = {
	plan: {
		renditions: names,
		outputs: { hls: true, dash: true, mp4_fallback: true, og_thumbnail: true },
		moderation_frames: true,
	},
	limits: { max_duration_seconds: 900, max_decoded_pixels: 3840 * 2160 * 60 * 900 },
};
export const tools = { ffmpeg: "ffmpeg", ffprobe: "ffprobe", confinement: "off" as const };

/**
 * Does the job as it is usually written by hand: a process for each rendition, each with its own decode; web.mp4 is
 * encoded once more, and the thumbnail is found by decoding everything.
 */
async function processPerRendition(source: string, directory: string): Promise<void> {
	const sound = ["-c:a", "aac", "-b:a", "128k"];
	for (const name of names) {
		const [codec, height] = name.split("_");
		const encoder =
			codec === "h264"
				? ["-c:v", "libx264", "-preset", "medium", "-crf", "23"]
				: ["-c:v", "libsvtav1", "-preset", "10", "-crf", "40"];
		await mkdir(join(directory, name));
		const hls = [
			"-f",
			"hls",
			"-hls_time",
			"2",
			"-hls_playlist_type",
			"vod",
			"-hls_segment_type",
			"fmp4",
			join(directory, name, "index.m3u8"),
		];
		await ffmpeg("-i", source, "-vf", `scale=-2:${height}`, ...encoder, "-g", "60", ...sound, ...hls);
	}
	await ffmpeg(
		"-i",
		source,
		"-c:v",
		"libx264",
		"-preset",
		"medium",
		"-crf",
		"23",
		...sound,
		"-movflags",
		"+faststart",
		join(directory, "web.mp4"),
	);
	await ffmpeg(
		"-i",
		source,
		"-vf",
		"thumbnail,scale=1200:630",
		"-frames:v",
		"1",
		"-update",
		"1",
		join(directory, "og.jpg"),
	);
}

/** The bits per second and the similarity of each rendition. */
type Quality = Record<string, { readonly bits: number; readonly alike: number }>;

const bytesOf = async (path: string): Promise<number> => (await stat(path)).size;

/** The plan of the job: its settings go by what the source shows. */
const planOf = async (source: string): Promise<EncodePlan> =>
	planEncode(await probeWithContent({ programs: await openPrograms(tools) }, source), job);

/**
 * Prepares a measurement of the encoders alone. Each gets frames that are already decoded and scaled, with the
 * arguments that the job gives it; the sound likewise.
 */
async function openEncoders(source: string, folder: string): Promise<() => Promise<void>> {
	const plan = await planOf(source);
	const { width, height } = plan.picture.size;
	const raw = (size: { width: number; height: number }) => join(folder, `${size.width}.yuv`);
	const filters = ["-map", `0:${plan.picture.index}`, "-vf", plan.picture.filters.join(",")];
	await ffmpeg("-i", source, ...filters, "-f", "rawvideo", raw({ width, height }));
	const small = plan.renditions.find((rendition) => rendition.width < width) as PlannedRendition;
	const rate = `${plan.frameRate.numerator}/${plan.frameRate.denominator}`;
	const input = (size: { width: number; height: number }) => [
		"-f",
		"rawvideo",
		"-s",
		`${size.width}x${size.height}`,
		"-r",
		rate,
		"-i",
		raw(size),
	];
	await ffmpeg(
		...input({ width, height }),
		"-vf",
		`scale=${small.width}:${small.height}:flags=bicubic`,
		"-f",
		"rawvideo",
		raw(small),
	);
	for (const { name, index, filters } of plan.sounds)
		await ffmpeg(
			...["-i", source, "-map", `0:${index}`, "-af", filters.join(",")],
			...["-c:a", "pcm_f32le", join(folder, `${name}.wav`)],
		);

	const args = encodeArguments(plan, source, {
		video: ({ name }) => join(folder, `${name}.mp4`),
		audio: ({ name }) => join(folder, `${name}.m4a`),
	});
	const settings = (pad: string) => {
		const from = args.indexOf(pad) + 1;
		const next = args.indexOf("-map", from);
		return args.slice(from, next === -1 ? undefined : next);
	};
	return async () => {
		for (const [n, rendition] of plan.renditions.entries()) await ffmpeg(...input(rendition), ...settings(`[v${n}]`));
		for (const [n, { name }] of plan.sounds.entries())
			await ffmpeg("-i", join(folder, `${name}.wav`), ...settings(`[a${n}]`));
	};
}

/** Encodes the same job's renditions with more or fewer bits: a second point on each one's curve. */
async function encodeAt(source: string, folder: string, crf: number): Promise<void> {
	const plan = await planOf(source);
	const renditions = plan.renditions.map((rendition) => ({
		...rendition,
		crf: rendition.crf + (rendition.codec === "h264" ? crf : 2 * crf),
	}));
	await ffmpeg(
		...encodeArguments({ ...plan, renditions, sounds: [] }, source, {
			video: ({ name }) => join(folder, `${name}.mp4`),
			audio: ({ name }) => name,
		}).slice(1),
	);
}

async function qualityOf(
	source: string,
	path: (name: string) => string,
	bytes: (name: string) => Promise<number>,
): Promise<Quality> {
	const quality: Quality = {};
	for (const name of names)
		quality[name] = { bits: await bytes(name), alike: await likeness(path(name), source, "30") };
	return quality;
}

/**
 * Returns the similarity that `ours` has at the bits of `theirs`, on the line through two points over the logarithm of
 * bits.
 */
function atBits(bits: number, a: { bits: number; alike: number }, b: { bits: number; alike: number }): number {
	return a.alike + ((b.alike - a.alike) * Math.log(bits / a.bits)) / Math.log(b.bits / a.bits);
}

const kindOf = ({ command }: Run): string =>
	command.includes("-progress")
		? "decode, scale, encode"
		: command.includes("select=key")
			? "storyboard, frames, samples"
			: command.includes("1200:630")
				? "og.jpg"
				: command.includes("-f null")
					? "proof"
					: "remux, probe";

/**
 * Measures a whole job against the same job as it is usually written, and against its encoders alone. The three run in
 * turn, and the ratios count.
 */
export async function mediaJob(rounds = 5): Promise<void> {
	await using folder = await mkdtempDisposable(join(tmpdir(), "reelmill-bench-"));
	const source = await footage();
	const meter = await openMeter(folder.path);
	const encodersAlone = await openEncoders(source, folder.path);
	const taken: { ours: Taken; theirs: Taken; alone: Taken }[] = [];
	const [one, many] = [join(folder.path, "one"), join(folder.path, "many")];
	for (let round = 1; round <= rounds; round += 1) {
		for (const directory of [one, many]) await rm(directory, { recursive: true, force: true });
		await mkdir(many);
		const ours = await measure(() =>
			processVideo({ source, directory: one, tools: round === 1 ? meter.tools : tools, job, chunks: 1 }),
		);
		const alone = await measure(encodersAlone);
		const theirs = await measure(() => processPerRendition(source, many));
		taken.push({ ours, theirs, alone });
		const shown = ({ seconds, processor }: Taken) => `${seconds.toFixed(1)} s, CPU ${processor.toFixed(1)} s`;
		console.log(
			`  round ${round}: job ${shown(ours)}; a process a rendition ${shown(theirs)};`,
			`encoders alone ${shown(alone)}; ${load()}`,
		);
		if (round > 1) continue;
		console.log(`  resident at most, worker and ffmpeg together: ${(ours.memory / 1e9).toFixed(2)} GB`);
		await showParts(await meter.runs());
		await showQuality(source, { one, many, folder: folder.path });
	}
	const ratios = (ratio: (round: (typeof taken)[number]) => number) => spread(taken.map(ratio));
	console.log(`media-job: medians of ${rounds}, least and most in brackets`);
	console.log(`  wall against a process a rendition: ${ratios(({ ours, theirs }) => ours.seconds / theirs.seconds)}`);
	console.log(
		`  CPU against a process a rendition: ${ratios(({ ours, theirs }) => ours.processor / theirs.processor)}`,
	);
	console.log(`  CPU against the encoders alone: ${ratios(({ ours, alone }) => ours.processor / alone.processor)}`);
}

/** Prints where a job's CPU time goes. */
async function showParts(runs: readonly Run[]): Promise<void> {
	const parts = new Map<string, number>();
	for (const run of runs) parts.set(kindOf(run), (parts.get(kindOf(run)) ?? 0) + run.processor);
	const total = [...parts.values()].reduce((sum, part) => sum + part, 0);
	console.log(`  of ${total.toFixed(1)} s CPU in ffmpeg:`);
	for (const [part, seconds] of parts)
		console.log(`    ${part}: ${seconds.toFixed(2)} s, ${(seconds / total).toFixed(4)}`);
}

async function showQuality(
	source: string,
	{ one, many, folder }: { one: string; many: string; folder: string },
): Promise<void> {
	const theirs = await qualityOf(
		source,
		(name) => join(many, name, "index.m3u8"),
		async (name) => {
			// Their segments hold the sound as well.
			const packets = join(folder, "packets");
			await ffmpeg("-i", join(many, name, "index.m3u8"), "-map", "0:v", "-c", "copy", "-f", "rawvideo", packets);
			return bytesOf(packets);
		},
	);
	const packetsOf = (path: (name: string) => string) => async (name: string) => {
		const packets = join(folder, "packets");
		await ffmpeg("-i", path(name), "-map", "0:v", "-c", "copy", "-f", "rawvideo", packets);
		return bytesOf(packets);
	};
	const media = (name: string) => join(one, "media", `${name}.mp4`);
	const ours = await qualityOf(source, media, packetsOf(media));
	const points: Quality[] = [ours];
	const other = (name: string) => join(folder, `${name}.mp4`);
	// The second point lies towards their bits, so that they are between the points or near them.
	for (const crf of [names.some((name) => (theirs[name]?.bits ?? 0) > (ours[name]?.bits ?? 0)) ? -3 : 3]) {
		await encodeAt(source, folder, crf);
		points.push(await qualityOf(source, other, packetsOf(other)));
	}
	console.log("  SSIM (kB): job; a process a rendition; the job's at the latter's bits, and what that is less");
	for (const name of names) {
		const [a, b] = points.map((quality) => quality[name]);
		const their = theirs[name];
		if (a === undefined || b === undefined || their === undefined) continue;
		const equal = atBits(their.bits, a, b);
		const shown = ({ bits, alike }: { bits: number; alike: number }) =>
			`${alike.toFixed(4)} (${Math.round(bits / 1000)})`;
		console.log(
			`    ${name}: ${shown(a)}; ${shown(their)}; ${equal.toFixed(4)}, ${(their.alike - equal).toFixed(4)} less`,
		);
	}
}

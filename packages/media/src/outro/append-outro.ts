import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Encode } from "../encode/encode.ts";
import { encodeTracks } from "../encode/encode-tracks.ts";
import { fromHidden, remuxMp4 } from "../package/web-mp4.ts";
import { audioBitrate } from "../plan/ladder.ts";
import type { ProcessOptions } from "../process-options.ts";
import { openPrograms, type Run } from "../run/programs.ts";
import { probeWith } from "../source/probe.ts";
import { concatInput, ffconcat } from "./ffconcat.ts";
import { type JoinableStreams, readJoinable } from "./joinable-streams.ts";
import { planTail } from "./plan-tail.ts";
import { writeSilence } from "./silence.ts";

/** What `appendOutro` needs: the video's files and the outro's. */
export type AppendOutroOptions = Pick<ProcessOptions, "tools" | "logger" | "signal" | "maxSeconds"> & {
	/** The folder of the outputs of `processVideo`. Its `web.mp4` is replaced. */
	readonly directory: string;
	/** Path of the mezzanine. */
	readonly outro: string;
};

/** An append, and the folder for its files. */
type Append = Run & { readonly directory: string };
type Part = { readonly path: string; readonly streams: JoinableStreams };

/** How much a length may differ from the sum. */
const toleranceSeconds = 0.1;
/** Two groups of pictures, so that decoding begins at a key frame before the seam. */
const seamSeconds = 4;

/**
 * Appends an outro to web.mp4. Only the outro is encoded, to the video's size, rate and settings; the video's packets
 * are copied. If one decoder can't decode both without being set up again, the whole is encoded, and `whole` is true.
 * When the promise resolves, the result has replaced web.mp4, decodes and lasts as long as both. When it rejects,
 * web.mp4 is unchanged. Calling it twice appends the outro twice.
 * @throws {MediaError} when the outro can't be decoded
 * @throws {Error} when the result could not be made or proved
 * @throws the signal's reason when aborted
 * @example
 * ```ts
 * import { appendOutro, makeMezzanine, processVideo } from "@reelmill/media";
 *
 * const tools = { ffmpeg: "ffmpeg", ffprobe: "ffprobe" };
 * const limits = { max_duration_seconds: 60 };
 * const outputs = { hls: false, dash: false, mp4_fallback: true, og_thumbnail: false };
 * await makeMezzanine({ source: "clip.mp4", directory: "outro", job: { limits }, tools });
 * const job = { plan: { renditions: ["h264_720"], outputs }, limits };
 * await processVideo({ source: "clip.mp4", directory: "outputs", job, tools });
 * const result = await appendOutro({ directory: "outputs", outro: "outro/mezzanine.mp4", tools });
 * console.log(result); // => { whole: false }
 * ```
 */
export async function appendOutro(options: AppendOutroOptions): Promise<{ readonly whole: boolean }> {
	const { tools, logger, signal, maxSeconds } = options;
	const folder = resolve(options.directory);
	const web = join(folder, "web.mp4");
	const programs = await openPrograms(tools, { logger, maxSeconds, signal });
	const append: Append = { programs, signal, directory: join(folder, ".outro") };
	await mkdir(append.directory, { recursive: true });
	try {
		const main = await withSound(append, web);
		const { tail, seconds: tailSeconds } = await encodeTail(append, resolve(options.outro), main.streams);
		const whole = !follows(main.streams, tail.streams);
		const joined = await (whole ? encodeWhole : joinPackets)(append, main, tail);
		const { seconds } = main.streams.video;
		const from = whole ? 0 : Math.max(0, seconds - seamSeconds);
		await proveJoined(append, joined, { seconds: seconds + tailSeconds, from });
		await rename(joined, web);
		return { whole };
	} finally {
		await rm(append.directory, { recursive: true, force: true });
	}
}

/** Encodes the outro so that it can follow a video. Returns it with its planned length. */
async function encodeTail(
	append: Append,
	source: string,
	main: JoinableStreams,
): Promise<{ tail: Part; seconds: number }> {
	const { directory } = append;
	const plan = planTail(await probeWith(append, source), main);
	const [video, audio] = [join(directory, "tail-video.mp4"), join(directory, "tail-audio.m4a")];
	const encode: Encode = { ...append, source, plan, paths: { video: () => video, audio: () => audio } };
	await encodeTracks(encode);
	const path = join(directory, "tail.mp4");
	await remuxMp4(append, { video, audio, hiddenSamples: 0, target: path });
	return { tail: { path, streams: await readJoinable(append, path) }, seconds: plan.durationSeconds };
}

/**
 * Says whether the tail's packets can follow the video's: the decoders are the same, and sound and picture end
 * together.
 */
const follows = ({ video, audio }: JoinableStreams, tail: JoinableStreams): boolean =>
	video.settings === tail.video.settings &&
	audio?.settings === tail.audio?.settings &&
	Math.abs((audio?.seconds ?? 0) - video.seconds) < 0.03;

/** Returns the video, or a copy with silence if it has no sound. */
async function withSound(append: Append, web: string): Promise<Part> {
	const streams = await readJoinable(append, web);
	if (streams.audio !== null) return { path: web, streams };
	const [sound, path] = [join(append.directory, "silence.m4a"), join(append.directory, "main.mp4")];
	await writeSilence(append, streams.video.seconds, sound);
	await remuxMp4(append, { video: web, audio: sound, hiddenSamples: 0, target: path });
	return { path, streams: await readJoinable(append, path) };
}

/**
 * Copies the packets of both. Picture and sound are joined separately, each at the end of its own first part, so
 * neither has a gap or an overlap.
 */
async function joinPackets({ programs, directory, signal }: Append, main: Part, tail: Part): Promise<string> {
	const target = join(directory, "joined.mp4");
	const list = async (name: string, seconds: number): Promise<string> => {
		const path = join(directory, name);
		await writeFile(path, ffconcat([{ path: main.path, seconds }, { path: tail.path }]));
		return path;
	};
	const { video, audio } = main.streams;
	const pictures = await list("pictures.ffconcat", video.seconds);
	const sound = await list("sound.ffconcat", audio?.seconds ?? video.seconds);
	// Both lists read the file with its sound, so both begin at the samples in front of it.
	const begin = fromHidden(audio?.hiddenSamples ?? 0);
	const args = [
		...["-nostdin", "-v", "error", "-y", ...begin, ...concatInput(pictures)],
		...[...begin, ...concatInput(sound)],
		...["-map", "0:v", "-map", "1:a", "-c", "copy", "-map_metadata", "-1"],
		...["-video_track_timescale", String(video.timescale), "-movflags", "+faststart", "-f", "mp4", target],
	];
	await programs.run("ffmpeg", args, { signal, reads: [main.path, tail.path], writes: [directory] });
	return target;
}

async function encodeWhole({ programs, directory, signal }: Append, main: Part, tail: Part): Promise<string> {
	const target = join(directory, "joined.mp4");
	const { width, height, frameRate } = main.streams.video;
	const rate = `${frameRate.numerator}/${frameRate.denominator}`;
	const pictures = [0, 1].map((n) => `[${n}:v]fps=${rate},scale=${width}:${height},setsar=1,format=yuv420p[v${n}]`);
	const graph = [...pictures, "[v0][0:a][v1][1:a]concat=n=2:v=1:a=1[v][a]"].join(";");
	const args = [
		...["-nostdin", "-v", "error", "-y", "-f", "mov", "-i", main.path, "-f", "mov", "-i", tail.path],
		...["-filter_complex", graph, "-map", "[v]", "-map", "[a]"],
		...["-c:v", "libx264", "-profile:v", "high", "-preset", "veryfast", "-crf", "20"],
		...["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv"],
		...[
			"-c:a",
			"aac",
			"-b:a",
			String(audioBitrate[main.streams.audio?.channels === 1 ? 1 : 2]),
			"-movflags",
			"+faststart",
			"-f",
			"mp4",
			target,
		],
	];
	await programs.run("ffmpeg", args, { signal, reads: [main.path, tail.path], writes: [directory] });
	return target;
}

/**
 * Proves the joined file. Copied packets were proved before, so decoding begins shortly before the seam: a long video
 * takes no longer than a short one.
 */
async function proveJoined(
	append: Append,
	path: string,
	{ seconds, from }: { readonly seconds: number; readonly from: number },
): Promise<void> {
	const { video, audio } = await readJoinable(append, path);
	for (const found of [video.seconds, audio?.seconds ?? 0]) {
		if (Math.abs(found - seconds) > toleranceSeconds)
			throw new Error(`web.mp4 with its outro lasts ${found} s instead of ${seconds} s.`);
	}
	const input = ["-ss", from.toFixed(3), "-f", "mov", "-i", path];
	const decode = ["-nostdin", "-v", "error", "-xerror", ...input, "-f", "null", "-"];
	const { stderr } = await append.programs.run("ffmpeg", decode, { signal: append.signal, reads: [path] });
	if (stderr.trim() !== "") throw new Error(`web.mp4 with its outro does not decode: ${stderr.trim()}`);
}

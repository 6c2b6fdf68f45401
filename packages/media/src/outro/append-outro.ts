import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { encode } from "../encode/encode-tracks.ts";
import { remuxMp4 } from "../package/web-mp4.ts";
import { audioBitrate } from "../plan/ladder.ts";
import type { ProcessOptions } from "../process.ts";
import { openPrograms, type Programs } from "../run/programs.ts";
import { probeWith } from "../source/probe.ts";
import { concatInput, ffconcat } from "./ffconcat.ts";
import { type JoinableStreams, readJoinable } from "./joinable-streams.ts";
import { planTail } from "./plan-tail.ts";
import { silence } from "./silence.ts";

export type AppendOutroOptions = Pick<ProcessOptions, "tools" | "logger" | "signal" | "maxSeconds"> & {
	/** Where `process` put its outputs; `web.mp4` there is replaced. */
	readonly directory: string;
	/** Path of the mezzanine. */
	readonly outro: string;
};

type Work = { readonly programs: Programs; readonly folder: string; readonly signal: AbortSignal | undefined };
type Part = { readonly path: string; readonly streams: JoinableStreams };

/** Lengths may differ by so much from the sum. */
const toleranceSeconds = 0.1;
/** Two groups of pictures, so that the seam is approached from a key frame. */
const seamSeconds = 4;

/**
 * Appends an outro to web.mp4. Only the outro is encoded, to the video's size, rate and settings; the video's own
 * packets are copied as they are. Where one decoder's set-up can't serve both, the whole is encoded, which `whole`
 * tells. Resolves when the result stands in the place of web.mp4, is proved to decode and lasts as long as both;
 * rejects otherwise, and with the signal's reason when aborted: then web.mp4 is as it was.
 */
export async function appendOutro(options: AppendOutroOptions): Promise<{ readonly whole: boolean }> {
	const { tools, logger, signal, maxSeconds } = options;
	const directory = resolve(options.directory);
	const outro = resolve(options.outro);
	const web = join(directory, "web.mp4");
	const work: Work = {
		programs: await openPrograms(tools, { logger, maxSeconds, signal }),
		folder: join(directory, ".outro"),
		signal,
	};
	await mkdir(work.folder, { recursive: true });
	try {
		const main = await withSound(work, web);
		const plan = planTail(await probeWith(work.programs, outro, signal), main.streams);
		const paths = { video: () => join(work.folder, "tail-video.mp4"), audio: join(work.folder, "tail-audio.m4a") };
		await encode(work.programs, plan, outro, paths, { signal });
		const path = join(work.folder, "tail.mp4");
		await remuxMp4(work.programs, paths.video(), paths.audio, path, signal);
		const tail = { path, streams: await readJoinable(work.programs, path, signal) };
		const whole = !follows(main.streams, tail.streams);
		const joined = await (whole ? encodeWhole : joinPackets)(work, main, tail);
		const { seconds } = main.streams.video;
		await prove(work, joined, {
			seconds: seconds + plan.durationSeconds,
			from: whole ? 0 : Math.max(0, seconds - seamSeconds),
		});
		await rename(joined, web);
		return { whole };
	} finally {
		await rm(work.folder, { recursive: true, force: true });
	}
}

/** Whether the tail's packets can stand behind the video's own: same decoders, sound that ends with the picture. */
const follows = ({ video, audio }: JoinableStreams, tail: JoinableStreams): boolean =>
	video.settings === tail.video.settings &&
	audio?.settings === tail.audio?.settings &&
	Math.abs((audio?.seconds ?? 0) - video.seconds) < 0.03;

/** The video, or a copy with silence where it has no sound. */
async function withSound({ programs, folder, signal }: Work, web: string): Promise<Part> {
	const streams = await readJoinable(programs, web, signal);
	if (streams.audio !== null) return { path: web, streams };
	const [sound, path] = [join(folder, "silence.m4a"), join(folder, "main.mp4")];
	await silence(programs, streams.video.seconds, sound, signal);
	await remuxMp4(programs, web, sound, path, signal);
	return { path, streams: await readJoinable(programs, path, signal) };
}

/**
 * Copies the packets of both. Picture and sound are joined apart, each where its own first part ends: neither leaves a
 * gap nor overlaps.
 */
async function joinPackets({ programs, folder, signal }: Work, main: Part, tail: Part): Promise<string> {
	const target = join(folder, "joined.mp4");
	const list = async (name: string, seconds: number): Promise<string> => {
		const path = join(folder, name);
		await writeFile(path, ffconcat([{ path: main.path, seconds }, { path: tail.path }]));
		return path;
	};
	const { video, audio } = main.streams;
	const lists = [
		await list("pictures.ffconcat", video.seconds),
		await list("sound.ffconcat", audio?.seconds ?? video.seconds),
	];
	const inputs = lists.flatMap(concatInput);
	const args = [
		"-nostdin",
		"-v",
		"error",
		"-y",
		...inputs,
		"-map",
		"0:v",
		"-map",
		"1:a",
		"-c",
		"copy",
		"-map_metadata",
		"-1",
	];
	args.push("-video_track_timescale", String(video.timescale), "-movflags", "+faststart", "-f", "mp4", target);
	await programs.run("ffmpeg", args, { signal, reads: [main.path, tail.path], writes: [folder] });
	return target;
}

async function encodeWhole({ programs, folder, signal }: Work, main: Part, tail: Part): Promise<string> {
	const target = join(folder, "joined.mp4");
	const { width, height, frameRate } = main.streams.video;
	const rate = `${frameRate.numerator}/${frameRate.denominator}`;
	const pictures = [0, 1].map((n) => `[${n}:v]fps=${rate},scale=${width}:${height},setsar=1,format=yuv420p[v${n}]`);
	const graph = [...pictures, "[v0][0:a][v1][1:a]concat=n=2:v=1:a=1[v][a]"].join(";");
	const args = [
		"-nostdin",
		"-v",
		"error",
		"-y",
		"-f",
		"mov",
		"-i",
		main.path,
		"-f",
		"mov",
		"-i",
		tail.path,
		"-filter_complex",
		graph,
	];
	args.push("-map", "[v]", "-map", "[a]", "-c:v", "libx264", "-profile:v", "high", "-preset", "veryfast", "-crf", "20");
	args.push(
		...["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv"],
		"-c:a",
		"aac",
		"-b:a",
		String(audioBitrate),
	);
	await programs.run("ffmpeg", [...args, "-movflags", "+faststart", "-f", "mp4", target], {
		signal,
		reads: [main.path, tail.path],
		writes: [folder],
	});
	return target;
}

/**
 * Packets that were only copied were proved before: decoding begins shortly before the seam, so that a long video takes
 * no longer than a short one.
 */
async function prove(
	{ programs, signal }: Work,
	path: string,
	{ seconds, from }: { seconds: number; from: number },
): Promise<void> {
	const { video, audio } = await readJoinable(programs, path, signal);
	for (const found of [video.seconds, audio?.seconds ?? 0]) {
		if (Math.abs(found - seconds) > toleranceSeconds)
			throw new Error(`web.mp4 with its outro lasts ${found} s instead of ${seconds} s.`);
	}
	const decode = [
		"-nostdin",
		"-v",
		"error",
		"-xerror",
		"-ss",
		from.toFixed(3),
		"-f",
		"mov",
		"-i",
		path,
		"-f",
		"null",
		"-",
	];
	const { stderr } = await programs.run("ffmpeg", decode, { signal, reads: [path] });
	if (stderr.trim() !== "") throw new Error(`web.mp4 with its outro does not decode: ${stderr.trim()}`);
}

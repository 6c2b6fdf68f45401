import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { MediaJob, OutputSelection, SourceProbe, Tools } from "../../src/index.ts";
import { type OpenedPrograms, openPrograms } from "../../src/run/programs.ts";
import { probeWith } from "../../src/source/probe.ts";
import { madeBy } from "./library.ts";

export const tools: Tools = { ffmpeg: "ffmpeg", ffprobe: "ffprobe" };
export const clip = fileURLToPath(new URL("../../../../examples/demo/assets/clip.mp4", import.meta.url));

export const program = async (name: "ffmpeg" | "ffprobe", ...args: string[]): Promise<string> =>
	(await promisify(execFile)(name, ["-v", "error", ...args], { maxBuffer: 64 * 1024 * 1024 })).stdout;

/** The arguments by which ffmpeg takes these graphs of its own generators for inputs. */
export const lavfi = (...graphs: string[]): string[] => graphs.flatMap((graph) => ["-f", "lavfi", "-i", graph]);

let opened: Promise<OpenedPrograms> | undefined;
/**
 * Probes as `probe` does, with programs that are opened once for all tests of a file: opening them tries the
 * confinement, which takes as long as the probe.
 */
export async function probeAgain(path: string): Promise<SourceProbe> {
	opened ??= openPrograms(tools);
	return probeWith({ programs: await opened }, path);
}

/** A folder for one test file, and ways to fill it with sources from ffmpeg's own generators. */
export async function openFolder() {
	const folder = await mkdtemp(join(tmpdir(), "reelmill-media-"));
	let made = 0;
	const path = (name: string) => join(folder, name);
	return {
		folder,
		path,
		/** A folder of its own for the outputs of one run. */
		outputs: () => path(`outputs-${++made}`),
		/**
		 * Gives the path of a clip that ffmpeg makes, once for all tests: a picture of bars and numbers, and a tone unless
		 * `sound` is false.
		 */
		async source(
			name: string,
			{
				size = "320x180",
				rate = "25",
				seconds = 2,
				sound = true,
				args = [] as string[],
				inputs = [] as string[],
				out = [] as string[],
			} = {},
		): Promise<string> {
			const picture = lavfi(`testsrc2=size=${size}:rate=${rate}:duration=${seconds}`);
			const tone = sound ? lavfi(`sine=duration=${seconds}`) : [];
			const encoders = name.endsWith(".webm")
				? ["-c:v", "libvpx", "-deadline", "realtime"]
				: ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"];
			const from = inputs.length > 0 ? inputs : [...picture, ...tone];
			await madeBy([...from, ...encoders, ...args, ...out], path(name));
			return path(name);
		},
		close: () => rm(folder, { recursive: true }),
	};
}
export type Folder = Awaited<ReturnType<typeof openFolder>>;

export const everything: OutputSelection = { hls: true, dash: true, mp4_fallback: true, og_thumbnail: true };

export const job = (
	renditions: string[] = ["h264_720"],
	outputs: Partial<OutputSelection> = {},
	seconds = 180,
): MediaJob => ({
	plan: { renditions, outputs: { hls: true, dash: false, mp4_fallback: true, og_thumbnail: true, ...outputs } },
	limits: { max_duration_seconds: seconds, max_decoded_pixels: 3840 * 2160 * 60 * seconds },
});

export type ProbedStream = Record<string, string | number> & { codec_type: string; codec_name: string };

export const streamsOf = async (path: string): Promise<ProbedStream[]> =>
	JSON.parse(await program("ffprobe", "-show_streams", "-of", "json", path)).streams;

/** Decodes everything in a file; rejects where the decoder has anything to complain about. */
export async function decodes(path: string): Promise<void> {
	const { stderr } = await promisify(execFile)("ffmpeg", ["-v", "error", "-xerror", "-i", path, "-f", "null", "-"]);
	if (stderr !== "") throw new Error(`${path}: ${stderr}`);
}

/** Seconds of the first key frame and from it to each, in order. */
export async function keyFrameTimes(path: string): Promise<number[]> {
	const lines = (
		await program("ffprobe", "-select_streams", "v", "-show_entries", "packet=pts_time,flags", "-of", "csv=p=0", path)
	).split("\n");
	const times = lines.filter((line) => line.includes("K")).map((line) => Number.parseFloat(line));
	return times.map((time) => Math.round((time - (times[0] ?? 0)) * 1000) / 1000);
}

import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { MediaError, ProgramError } from "../errors.ts";
import { openPrograms, type Run } from "../run/programs.ts";
import { probeLimits } from "../run/resource-limits.ts";
import type { SourceProbe, Tools } from "../types.ts";
import { compareLength } from "./declared-length.ts";
import { displaySize } from "./display-size.ts";
import { guardedInput, maxPixels } from "./guarded-input.ts";
import { mayJump } from "./packet-clock.ts";
import { scanPackets } from "./scan-packets.ts";
import { sniff } from "./sniff.ts";
import { parseStreams } from "./streams.ts";

const invalid = (message: string, cause?: unknown) => new MediaError("invalid_media", message, { cause });

const tooLarge = (size: string) =>
	new MediaError("dimensions_too_large", `The picture of ${size} pixels is larger than 7680x4320.`);

/** Blames the file if ffprobe ran and refused it, crashed over it, or used up its processor time. */
const asInvalid = (error: unknown): never => {
	if (!(error instanceof ProgramError)) throw error;
	if (error.killedBy === "SIGXCPU")
		throw invalid("The file takes too long to read: it was made to, or is damaged.", error);
	if (error.killedBy === null || ["SIGSEGV", "SIGABRT", "SIGFPE", "SIGBUS"].includes(error.killedBy)) {
		throw invalid("The file is damaged or no video: it can't be read.", error);
	}
	throw error;
};

/**
 * What ffprobe prints for {@link parseStreams}. It decodes the first frames, since headers often call an interlaced
 * picture progressive. It prints no tags: they may be hundreds of megabytes long.
 */
const headerEntries = [
	"stream=index,codec_type,codec_name,duration,nb_frames,time_base,width,height,sample_aspect_ratio,field_order,pix_fmt,color_range,color_space,color_transfer,color_primaries,channels,channel_layout,sample_rate",
	"stream_disposition=default,attached_pic",
	"stream_side_data=rotation,displaymatrix",
	"format=start_time,duration",
	"frame=stream_index,interlaced_frame",
];
const headerQuery = ["-show_entries", headerEntries.join(":"), "-read_intervals", "%+#24", "-of", "json"];

const microseconds = (seconds: number): number => Math.round(seconds * 1e6) / 1e6;

/** Measures a source as {@link probe} does, with programs that are open already. */
export async function probeWith({ programs, signal }: Run, path: string): Promise<SourceProbe> {
	const container = await sniff(path);
	const source = resolve(path);
	const input = guardedInput(container, source);
	const options = { signal, reads: [source], limits: probeLimits((await stat(source)).size) };
	const headers = await programs.run("ffprobe", ["-v", "warning", ...headerQuery, ...input], options).catch(asInvalid);
	const refused = /Picture size (\d+x\d+) exceeds/.exec(headers.stderr)?.[1];
	if (refused !== undefined) throw tooLarge(refused);
	const streams = parseStreams(headers.stdout.toString("utf8"), headers.stderr, container);
	if (streams.video === null) {
		if (streams.count === 0) throw invalid("The file holds no streams.");
		throw new MediaError("no_video_stream", "The file has no video stream.");
	}
	const { video, audio } = streams;
	if (video.width * video.height > maxPixels) throw tooLarge(`${video.width}x${video.height}`);
	if (video.width < 1 || video.height < 1 || video.pixelFormat === "unknown")
		throw invalid("The video stream can't be decoded.");

	const jumping = mayJump(container) ? [video, ...(audio === null ? [] : [audio])].map(({ index }) => index) : [];
	const packets = await scanPackets(programs, input, options, jumping).catch(asInvalid);
	const pictures = packets.get(video.index);
	if (pictures === undefined || pictures.endSeconds <= pictures.startSeconds)
		throw invalid("The video stream holds no pictures.");
	const length = await compareLength({ path: source, container, streams, packets });

	// ffmpeg counts time from the earliest timestamp of the streams.
	const sound = audio === null ? undefined : packets.get(audio.index);
	const zero = streams.startSeconds ?? Math.min(...[...packets.values()].map((stream) => stream.startSeconds));
	const endSeconds = microseconds(pictures.endSeconds - zero);
	const bytesBySecond = [...pictures.bytesBySecond].map(
		([second, bytes]) => [second - Math.round(zero), bytes] as const,
	);
	const heard =
		sound === undefined
			? null
			: { startSeconds: microseconds(sound.startSeconds - zero), endSeconds: microseconds(sound.endSeconds - zero) };
	return {
		container,
		durationSeconds: Math.max(endSeconds, heard?.endSeconds ?? 0),
		length: { ...length, foundSeconds: microseconds(length.foundSeconds) },
		...displaySize(video),
		video: {
			...video,
			frameRate: pictures.rate,
			variableFrameRate: pictures.uneven,
			endSeconds,
			packets: pictures.decoded,
			bytesBySecond,
		},
		audio: audio === null || heard === null ? null : { ...audio, ...heard },
	};
}

/**
 * Measures a source: its container, streams, size, length and frame rate. Every packet is counted and none is decoded,
 * so the length is what the file holds, not what it claims. A source of any length passes; `planEncode` has the limit.
 * @throws {MediaError} `invalid_media` when the file is no video, or is damaged or cut off; `no_video_stream`;
 * `dimensions_too_large` when the picture is larger than 7680x4320
 * @throws {Error} when ffprobe is missing
 * @throws the signal's reason when aborted
 * @example
 * ```ts
 * import { probe } from "@reelmill/media";
 *
 * const source = await probe("clip.mp4", { ffmpeg: "ffmpeg", ffprobe: "ffprobe" });
 * console.log(source.container, source.durationSeconds, source.width, source.height); // => mov 7.6 720 404
 * ```
 */
export async function probe(path: string, tools: Tools, signal?: AbortSignal): Promise<SourceProbe> {
	return probeWith({ programs: await openPrograms(tools, { signal }), signal }, path);
}

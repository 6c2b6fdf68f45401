import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { MediaError, ProgramError } from "../errors.ts";
import { machineFaultOf } from "../machine-fault.ts";
import type { Finished } from "../run/execute.ts";
import { openPrograms, type Programs, type Run, type RunOptions } from "../run/programs.ts";
import { probeLimits } from "../run/resource-limits.ts";
import type { Container, Size, SourceAudio, SourceProbe, Tools } from "../types.ts";
import { lastingPicture, lastingSound } from "./choose-lasting.ts";
import { chooseVideo } from "./choose-video.ts";
import { continuedPictures, findContinuations, soundsAtFirst } from "./continued-streams.ts";
import { compareLength } from "./declared-length.ts";
import { displaySize } from "./display-size.ts";
import { findChanges } from "./find-changes.ts";
import { guardedInput, maxPixels } from "./guarded-input.ts";
import type { Run as LastingRun } from "./lasting.ts";
import { mayBeginAnew, mayJump } from "./packet-clock.ts";
import { type PacketScan, scanPackets } from "./scan-packets.ts";
import { sniff } from "./sniff.ts";
import { soundMarks } from "./sound-kinds.ts";
import { mostSoundTracks, parseStreams, type Streams } from "./streams.ts";
import { isText, parseWords } from "./text-tracks.ts";

const invalid = (message: string, cause?: unknown) => new MediaError("invalid_media", message, { cause });

const tooLarge = (size: Size) =>
	new MediaError(
		"dimensions_too_large",
		`The picture of ${size.width}x${size.height} pixels is larger than 7680x4320.`,
		{
			size,
		},
	);

/** Blames the file if ffprobe ran and refused it, crashed over it, or used up its processor time. */
const asInvalid = (error: unknown): never => {
	if (!(error instanceof ProgramError)) throw error;
	// ffprobe did not run, or found no room.
	if (error.killedBy === null && machineFaultOf(error) !== null) throw error;
	if (error.killedBy === "SIGXCPU")
		throw invalid("The file takes too long to read: it was made to, or is damaged.", error);
	if (error.killedBy === null || ["SIGSEGV", "SIGABRT", "SIGFPE", "SIGBUS"].includes(error.killedBy)) {
		throw invalid("The file is damaged or no video: it can't be read.", error);
	}
	throw error;
};

/**
 * What ffprobe prints for {@link parseStreams}. It decodes the first frames, since headers often call an interlaced
 * picture progressive.
 */
const headerEntries = [
	"stream=index,id,codec_type,codec_name,start_time,duration,nb_frames,time_base,width,height,sample_aspect_ratio,field_order,pix_fmt,color_range,color_space,color_transfer,color_primaries,channels,channel_layout,sample_rate,sample_fmt",
	`stream_disposition=default,attached_pic,forced,${soundMarks.join(",")}`,
	"stream_side_data=rotation,displaymatrix,dv_profile,dv_bl_signal_compatibility_id",
	"format=start_time,duration",
	"frame=stream_index,interlaced_frame",
	"program=program_num,pmt_pid",
	"program_stream=index",
];
const tagEntries = [
	// ffmpeg writes the last one in capitals when it copies a stream.
	"stream_tags=language,title,alpha_mode,ALPHA_MODE",
	"program_tags=service_name",
	"chapter=start_time",
	"chapter_tags=title",
];
const firstFrames = ["-read_intervals", "%+#24"];
const headerQuery = (entries: readonly string[]) => [
	...["-v", "warning", "-show_entries", entries.join(":")],
	...[...firstFrames, "-of", "json"],
];

/**
 * How far ffprobe reads for streams that it doesn't find at the beginning. It keeps what it reads in memory. A call may
 * have an hour of sound before anybody turns a camera on.
 */
const farther = ["-probesize", String(100e6), "-analyzeduration", String(86_400e6)];

/** What ffprobe prints of 64 streams with usual tags is a tenth of it. */
const mostHeaderBytes = 1024 ** 2;

/**
 * Reads what {@link parseStreams} takes, without tags and chapters if they are too long: they may have hundreds of
 * megabytes.
 */
async function printHeaders(programs: Programs, input: readonly string[], options: RunOptions): Promise<Finished> {
	const tooLong = new Error(`ffprobe printed more than ${mostHeaderBytes} bytes.`);
	const pieces: Buffer[] = [];
	let bytes = 0;
	const onOutput = (piece: Buffer) => {
		bytes += piece.length;
		if (bytes > mostHeaderBytes) throw tooLong;
		pieces.push(piece);
	};
	const query = headerQuery([...headerEntries, ...tagEntries]);
	try {
		const { stderr } = await programs.run("ffprobe", [...query, ...input], { ...options, onOutput });
		return { stdout: Buffer.concat(pieces), stderr };
	} catch (error) {
		if (error !== tooLong) throw error;
		return await programs.run("ffprobe", [...headerQuery(headerEntries), ...input], options);
	}
}

type Headers = { readonly printed: string; readonly said: string; readonly streams: Streams };

/** Reads the headers of a file, and its beginning. Reads on if a stream begins later than ffprobe usually looks. */
export async function readHeaders(
	programs: Programs,
	{ container, input }: { readonly container: Container; readonly input: readonly string[] },
	options: RunOptions,
): Promise<Headers> {
	const read = async (further: readonly string[]): Promise<Headers> => {
		const { stdout, stderr } = await printHeaders(programs, [...further, ...input], options).catch(asInvalid);
		const printed = stdout.toString("utf8");
		return { printed, said: stderr, streams: parseStreams(printed, stderr, container) };
	};
	const headers = await read([]);
	if (!headers.streams.areUnknown) return headers;
	try {
		return await read(farther);
	} catch (error) {
		// What was understood of the beginning stays, whatever is found behind it.
		if (error instanceof MediaError) return headers;
		throw error;
	}
}

/** Says whether the first pictures of a stream are made of fields. */
async function areFields(
	programs: Programs,
	input: readonly string[],
	options: RunOptions,
	index: number,
): Promise<boolean> {
	const query = ["-v", "error", "-select_streams", String(index), "-show_entries", "frame=interlaced_frame"];
	const args = [...query, ...firstFrames, "-of", "csv=p=0", ...input];
	const { stdout } = await programs.run("ffprobe", args, options).catch(asInvalid);
	return /^1\b/m.test(stdout.toString("latin1"));
}

/** The times of an MXF's pictures are in an index, which most programs write at the end. */
const noPictures = (container: Container): string =>
	container === "mxf"
		? "The video stream holds no pictures that have a time: the file is cut off, or its index is damaged."
		: "The video stream holds no pictures.";

const lengthOf = (scan: PacketScan | undefined): number =>
	scan === undefined ? 0 : scan.endSeconds - scan.startSeconds;
const microseconds = (seconds: number): number => Math.round(seconds * 1e6) / 1e6;

/**
 * Measures a source as {@link probe} does, with programs that are open already.
 * @param isFirstAlone whether of recordings one behind another only the first counts (default: all count as one)
 */
export async function probeWith({ programs, signal }: Run, path: string, isFirstAlone = false): Promise<SourceProbe> {
	const container = await sniff(path);
	const source = resolve(path);
	const input = guardedInput(container, source);
	const options = { signal, reads: [source], limits: probeLimits((await stat(source)).size) };
	const { printed, said, streams } = await readHeaders(programs, { container, input }, options);
	const refused = /Picture size (\d+)x(\d+) exceeds/.exec(said);
	if (refused !== null) throw tooLarge({ width: Number(refused[1]), height: Number(refused[2]) });
	const { videos, sounds } = streams;
	const [preferred] = videos;
	if (preferred === undefined) {
		if (streams.count === 0) throw invalid("The file holds no streams.");
		throw new MediaError("no_video_stream", "The file has no video stream.");
	}

	const followed = mayBeginAnew(container) ? [...videos, ...sounds.slice(0, mostSoundTracks)] : [];
	// A copy without the jumps can have the texts of a Matroska alone.
	const { texts = [] } = followed.length > 0 && container === "matroska" ? parseWords(printed, 0) : {};
	const jumping = {
		texts: texts.filter(isText).map(({ index }) => index),
		...{ streams: followed.map(({ index }) => index), sound: sounds[0]?.index },
		...{ ahead: mayJump(container), isFirstAlone },
	};
	const { streams: packets, places, jumps } = await scanPackets(programs, input, options, jumping).catch(asInvalid);
	const usable = chooseVideo(videos, packets);
	const chosen = usable ?? preferred;
	// Where sound comes first, no picture is among the first frames.
	const isUnseen = usable !== undefined && !streams.decoded.has(usable.index);
	const interlaced = chosen.interlaced || (isUnseen && (await areFields(programs, input, options, chosen.index)));
	const video = { ...chosen, interlaced };
	if (video.width * video.height > maxPixels) throw tooLarge(displaySize(video));
	if (said.includes("DRM protected")) throw invalid("The file is encrypted (DRM): it can't be decoded.");
	if (streams.dolbyAlone.includes(video.index))
		throw invalid(
			"The video is Dolby Vision without colours that other programs know (profile 5): upload it as HDR10 or HLG.",
		);
	if (video.width < 1 || video.height < 1 || video.pixelFormat === "unknown")
		throw invalid(`The video stream can't be decoded: its codec is ${video.codec}.`);
	const pictures = packets.get(video.index);
	if (pictures === undefined || pictures.endSeconds <= pictures.startSeconds) throw invalid(noPictures(container));
	if (container === "gif" && pictures.count === 1)
		throw new MediaError("no_video_stream", "The GIF is a single picture, no video.");
	const placed = streams.numbered.flatMap((stream) => {
		const place = places.get(stream.index);
		return place === undefined ? [] : [{ ...stream, ...place }];
	});
	const shownId = placed.find(({ index }) => index === video.index)?.id;
	const continuations = container === "mpegts" ? findContinuations(placed, shownId) : [];
	const whole = {
		seconds: continuedPictures(placed, continuations).reduce((sum, { index }) => sum + lengthOf(packets.get(index)), 0),
		sounds: soundsAtFirst(placed, continuations).filter(({ index }) => sounds.some((sound) => sound.index === index))
			.length,
	};
	const isSteady = jumps.length === 0;
	const changes = await findChanges(programs, input, options, { container, video, sounds, packets, isSteady });
	const length = await compareLength({ path: source, container, streams, video, packets });

	// ffmpeg counts time from the earliest timestamp of the streams.
	const zero = streams.startSeconds ?? Math.min(...[...packets.values()].map((stream) => stream.startSeconds));
	const endSeconds = microseconds(pictures.endSeconds - zero);
	const bytesBySecond = [...pictures.bytesBySecond].map(
		([second, bytes]) => [second - Math.round(zero), bytes] as const,
	);
	const fromZero = (seconds: number) => microseconds(seconds - zero);
	const runsOf = <One extends LastingRun>(runs: readonly One[] = []): One[] =>
		runs.map((run) => ({ ...run, fromSeconds: fromZero(run.fromSeconds) }));
	const heard = sounds.flatMap((sound): SourceAudio[] => {
		const { startSeconds, endSeconds } = packets.get(sound.index) ?? {};
		if (startSeconds === undefined || endSeconds === undefined) return [];
		const [start, end] = [fromZero(startSeconds), fromZero(endSeconds)];
		const lasting = lastingSound(sound, runsOf(changes.sounds.get(sound.index)), end);
		return [{ ...lasting, startSeconds: start, endSeconds: end }];
	});
	const colourRuns = runsOf(changes.colours);
	const shown = {
		...lastingPicture(video, runsOf(changes.shapes), endSeconds),
		...(colourRuns.length > 0 && { colourRuns }),
	};
	const audio = heard.find(({ index }) => index === sounds[0]?.index) ?? null;
	return {
		container,
		durationSeconds: Math.max(endSeconds, audio?.endSeconds ?? 0),
		length: { ...length, foundSeconds: microseconds(length.foundSeconds) },
		...displaySize(shown),
		video: {
			...shown,
			frameRate: pictures.rate,
			motionRate: pictures.motionRate,
			variableFrameRate: pictures.unevenGaps > 0,
			unevenGaps: pictures.unevenGaps,
			startSeconds: microseconds(pictures.startSeconds - zero),
			endSeconds,
			packets: pictures.decoded,
			...(pictures.beforeKey === 0 ? {} : { packetsBeforeKey: pictures.beforeKey }),
			bytesBySecond,
		},
		earliestStream: mayJump(container) ? streams.earliest : null,
		...(isFirstAlone ? { isFirstAlone } : {}),
		...(jumps.length > 0 ? { clockJumps: jumps } : {}),
		...(continuations.length > 0 ? { renumbered: { continuations, tables: streams.tables, ...whole } } : {}),
		audio,
		furtherAudio: audio === null ? [] : heard.filter((sound) => sound !== audio),
		...(streams.programme === null ? {} : { programme: streams.programme }),
		...parseWords(printed, zero),
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

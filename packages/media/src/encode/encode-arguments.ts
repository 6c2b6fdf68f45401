import type { EncodePlan, PlannedRendition } from "../plan/encode-plan.ts";
import { perSecond } from "../plan/frame-rate.ts";
import { audioBitrate, audioSampleRate } from "../plan/ladder.ts";
import { watermarkFilters, watermarkInput } from "../plan/watermark.ts";
import { guardedInput } from "../source/guarded-input.ts";
import type { Size } from "../types.ts";
import type { Chunk } from "./chunks.ts";

/** Where the encoders write the track of each rendition, and the sound. */
export type TrackPaths = { readonly video: (rendition: PlannedRendition) => string; readonly audio: string };

const track = ["-map_metadata", "-1", "-map_chapters", "-1", "-sn", "-dn", "-f", "mp4"];
const colours = ["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv"];

/** Returns a timescale in which every frame has a whole number of ticks; with 90000 and 24000/1001 it would not. */
const timescale = ({ frameRate }: EncodePlan): number =>
	frameRate.numerator >= 10_000 ? frameRate.numerator : frameRate.numerator * 1000;
/** Returns how many ticks of its track a frame lasts. */
export const ticksPerFrame = (plan: EncodePlan): number =>
	(timescale(plan) * plan.frameRate.denominator) / plan.frameRate.numerator;

/**
 * `stitchable`: every chunk has the same headers. `rc-lookahead` and `mbtree`: the lookahead of `medium` makes the
 * fastest useful preset look like `veryfast` for two thirds of its work. `b-pyramid`: a picture is shown at most one
 * picture later than it is decoded; ffmpeg and the players made of it show a whole CMAF track later by as much.
 */
const x264Parameters = "stitchable=1:rc-lookahead=40:mbtree=1:b-pyramid=none";

/**
 * Without the tools for screen content: SVT-AV1 takes some camera footage for screen content, and then works twice as
 * long for the same bits.
 */
const svtAv1Parameters = "scm=0";

function encoder(rendition: PlannedRendition, gop: number): string[] {
	const { preset, crf, maxBitrate } = rendition;
	const common = [
		"-preset",
		preset,
		"-crf",
		String(crf),
		"-maxrate",
		String(maxBitrate),
		"-bufsize",
		String(2 * maxBitrate),
		"-g",
		String(gop),
	];
	return rendition.codec === "h264"
		? [
				"-c:v",
				"libx264",
				"-profile:v",
				"high",
				...common,
				"-keyint_min",
				String(gop),
				"-sc_threshold",
				"0",
				"-x264-params",
				x264Parameters,
			]
		: ["-c:v", "libsvtav1", ...common, "-svtav1-params", svtAv1Parameters];
}

const area = ({ width, height }: Size): number => width * height;

/**
 * Returns the filters that scale each size once, from the next larger one, for all renditions of that size. zscale
 * takes 0.4 of the time of scale.
 */
function scalers({ picture, renditions }: EncodePlan): string[] {
	const pads = new Map<string, string[]>();
	for (const [n, { width, height }] of renditions.entries())
		pads.set(`${width}:${height}`, [...(pads.get(`${width}:${height}`) ?? []), `[v${n}]`]);
	const sizes = [
		...new Map([picture.size, ...renditions].map((size) => [`${size.width}:${size.height}`, size])).values(),
	].sort((a, b) => area(b) - area(a));
	return sizes.map((size, n) => {
		const key = `${size.width}:${size.height}`;
		const outputs = [...(pads.get(key) ?? []), ...(n + 1 < sizes.length ? [`[s${n + 1}]`] : [])];
		const filters = [
			...(n === 0 ? [] : [`zscale=${key}:filter=bicubic`, "setsar=1"]),
			...(outputs.length > 1 ? [`split=${outputs.length}`] : []),
		];
		return `${n === 0 ? "" : `[s${n}]`}${filters.length === 0 ? "null" : filters.join(",")}${outputs.join("")}`;
	});
}

/**
 * Limits the filters to the frames of a chunk. The frames are counted from the beginning of the source, so they are the
 * same pictures as in the whole.
 */
const chunkFilters = (filters: readonly string[], { first, end }: Chunk): string[] =>
	filters.flatMap((filter) =>
		filter.startsWith("trim=") ? [`trim=start_frame=${first}:end_frame=${end}`, "setpts=PTS-STARTPTS"] : [filter],
	);

/**
 * Returns the filters that count decoded pictures. Each picture gets a microsecond of its own, so that the time which
 * ffmpeg reports is the encoders' time. Of a chunk they read no more than its encoders take.
 */
const countFilters = ({ frameRate }: EncodePlan, chunk: Chunk | undefined): string[] => [
	...(chunk === undefined ? [] : [`trim=end=${(chunk.end / perSecond(frameRate) + 1).toFixed(3)}`]),
	...["settb=1/1000000", "setpts=N"],
];

/** An output that writes nothing. It comes first, so that ffmpeg's `frame=` counts all decoded pictures. */
const countOutput = ["-map", "[counted]", "-c:v", "wrapped_avframe", "-fps_mode", "passthrough", "-f", "null", "-"];

function filterGraph(plan: EncodePlan, soundPad: string, chunk: Chunk | undefined): string {
	const { picture, watermark, sound } = plan;
	if (plan.renditions.length === 0) return `${soundPad}${sound?.filters.join(",")}[a]`;
	const [largest = "", ...smaller] = scalers(plan);
	const filters = chunk === undefined ? picture.filters : chunkFilters(picture.filters, chunk);
	const filtered =
		plan.decoding === null ? `[0:${picture.index}]${filters.join(",")}` : `[decoded]${filters.join(",")}`;
	const chains =
		watermark === null
			? [`${filtered},${largest}`]
			: [`${filtered}[plain]`, ...watermarkFilters(watermark, { from: "[plain]", mark: "[1:0]", to: `,${largest}` })];
	if (plan.decoding !== null)
		chains.unshift(`[0:${picture.index}]split[decoded][each]`, `[each]${countFilters(plan, chunk).join(",")}[counted]`);
	chains.push(...smaller);
	if (sound !== null) chains.push(`${soundPad}${sound.filters.join(",")}[a]`);
	return chains.join(";");
}

/**
 * Limits the filters to one thread. Encoders fill the cores already, so cutting pictures up for scalers costs more than
 * it brings. Only tone mapping and deinterlacing are so slow that they get more threads.
 */
const filterThreads = ({ picture: { filters } }: EncodePlan): string[] =>
	filters.some((filter) => /^(tonemap|bwdif)=/.test(filter)) ? [] : ["-filter_complex_threads", "1"];

/** Makes ffmpeg begin to read at the key frame before a chunk, but count time from the beginning of the source. */
const chunkInput = ({ first }: Chunk, { frameRate }: EncodePlan): string[] => [
	...["-copyts", "-start_at_zero", "-noaccurate_seek"],
	...["-ss", (Math.floor((first / perSecond(frameRate)) * 1000) / 1000).toFixed(3)],
];

/** What differs from the encode of the whole plan. */
export type EncodePart = {
	/** A file whose sound replaces the source's; see `evenSoundArguments` (default: none). */
	readonly evenSound?: string | undefined;
	/** The only frames to encode (default: all). */
	readonly chunk?: Chunk | undefined;
};

/**
 * Returns the arguments of the one ffmpeg process that decodes the source once and encodes every track, each to one
 * CMAF file with its index in front.
 * @example
 * ```ts
 * import { encodeArguments, planEncode, probe } from "@reelmill/media";
 *
 * const outputs = { hls: true, dash: false, mp4_fallback: true, og_thumbnail: true };
 * const plan = planEncode(await probe("clip.mp4", { ffmpeg: "ffmpeg", ffprobe: "ffprobe" }), {
 * 	plan: { renditions: ["h264_720"], outputs },
 * 	limits: { max_duration_seconds: 60 },
 * });
 * const paths = { video: ({ name }: { name: string }) => `${name}.mp4`, audio: "audio.m4a" };
 * const args = encodeArguments(plan, "clip.mp4", paths);
 * console.log(args.includes("libx264"), args.at(-1)); // => true audio.m4a
 * ```
 */
export function encodeArguments(
	plan: EncodePlan,
	source: string,
	paths: TrackPaths,
	{ evenSound, chunk }: EncodePart = {},
): string[] {
	const fragments = "+cmaf+frag_keyframe+delay_moov+global_sidx";
	const segmentMicroseconds = Math.round((plan.gop / perSecond(plan.frameRate)) * 1e6);
	const hasMark = plan.watermark !== null && plan.renditions.length > 0;
	const args = ["-nostdin", "-hide_banner", "-v", "error", "-y", "-progress", "pipe:1", "-nostats"];
	// If a picture changes its size midway, the filters must not start again: they count frames from the beginning. The
	// scaler takes any size.
	args.push("-reinit_filter:v", "0", ...(chunk === undefined ? [] : chunkInput(chunk, plan)));
	args.push(
		...(plan.picture.unturned ? ["-noautorotate"] : []),
		...guardedInput(plan.container, source, plan.decoding?.pixels),
	);
	if (hasMark) args.push(...watermarkInput);
	if (evenSound !== undefined) args.push("-f", "matroska", "-i", evenSound);
	const soundPad = evenSound === undefined ? `[0:${plan.sound?.index}]` : `[${hasMark ? 2 : 1}:0]`;
	args.push(...filterThreads(plan), "-filter_complex", filterGraph(plan, soundPad, chunk));
	if (plan.decoding !== null && plan.renditions.length > 0) args.push(...countOutput);
	for (const [n, rendition] of plan.renditions.entries()) {
		args.push("-map", `[v${n}]`, ...encoder(rendition, plan.gop), ...colours, ...track);
		args.push("-video_track_timescale", String(timescale(plan)), "-movflags", fragments, paths.video(rendition));
	}
	if (plan.sound !== null) {
		args.push("-map", "[a]", "-c:a", "aac", "-b:a", String(audioBitrate), ...track);
		args.push("-frag_duration", String(segmentMicroseconds), "-movflags", "+cmaf+delay_moov+global_sidx", paths.audio);
	}
	return args;
}

/**
 * Returns the arguments that decode the sound to one rate and two channels in a file of its own. There the filters may
 * start again when the source changes its channels or rate midway.
 */
export function evenSoundArguments(plan: EncodePlan, source: string, target: string): string[] {
	const format = `aresample=${audioSampleRate},aformat=sample_fmts=s16:channel_layouts=stereo`;
	const args = ["-nostdin", "-v", "error", "-y", ...guardedInput(plan.container, source)];
	return [...args, "-map", `0:${plan.sound?.index}`, "-af", format, "-c:a", "pcm_s16le", "-f", "matroska", target];
}

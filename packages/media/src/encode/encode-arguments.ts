import { deviceArguments, hardwareEncoder, uploadFilters } from "../hardware/hardware-arguments.ts";
import { summedMp4 } from "../mp4/packet-sums.ts";
import type { EncodePlan, PlannedRendition, PlannedSound } from "../plan/encode-plan.ts";
import { perSecond } from "../plan/frame-rate.ts";
import { audioLayout, audioSampleRate, type Channels } from "../plan/ladder.ts";
import { watermarkFilters, watermarkInput } from "../plan/watermark.ts";
import { guardedInput } from "../source/guarded-input.ts";
import type { Hardware, Size } from "../types.ts";
import type { Chunk } from "./chunks.ts";
import { soundMeterChains } from "./sound-meter.ts";

/** Where the encoders write the track of each rendition, and of each sound. */
export type TrackPaths = {
	readonly video: (rendition: PlannedRendition) => string;
	readonly audio: (sound: PlannedSound) => string;
};

const bare = ["-map_metadata", "-1", "-map_chapters", "-1", "-sn", "-dn"];
const track = [...bare, "-f", "mp4"];
const colours = ["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv"];

/** Options of the MP4 muxer that make CMAF files with an index in front: a fragment for each key frame, or by length. */
export const cmafFlags = {
	pictures: "+cmaf+frag_keyframe+delay_moov+global_sidx",
	sound: "+cmaf+delay_moov+global_sidx",
};

/** Returns a timescale in which every frame has a whole number of ticks; with 90000 and 24000/1001 it would not. */
const timescale = ({ frameRate }: EncodePlan): number =>
	frameRate.numerator >= 10_000 ? frameRate.numerator : frameRate.numerator * 1000;

/**
 * `stitchable`: every chunk has the same headers. `rc-lookahead` and `mbtree`: the lookahead of `medium` costs little,
 * and gives bits to what later pictures need. `b-pyramid`: a picture is shown at most one picture later than it is
 * decoded; ffmpeg and the players made of it show a whole CMAF track later by as much. `trellis` and `aq-strength`: a
 * fifth fewer bits for the same VMAF, and no more for the same SSIM.
 */
const x264Parameters = "stitchable=1:rc-lookahead=40:mbtree=1:b-pyramid=none:trellis=1:aq-strength=0.8";

/**
 * With its tools for screens or without, as planned. Left to itself SVT-AV1 takes some camera footage for a screen, and
 * then works twice as long for the same bits.
 */
const svtAv1Parameters = ({ screenTools }: PlannedRendition): string => `scm=${screenTools === true ? 1 : 0}`;

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
		: ["-c:v", "libsvtav1", ...common, "-svtav1-params", svtAv1Parameters(rendition)];
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

/**
 * Takes closed captions off the pictures before anything else sees them: encoders would write them into H.264 alone,
 * and deinterlacing doubles them. They become tracks of their own.
 */
const withoutCaptions = "sidedata=mode=delete:type=A53_CC";

/** An output that writes nothing. It comes first, so that ffmpeg's `frame=` counts all decoded pictures. */
const countOutput = ["-map", "[counted]", "-c:v", "wrapped_avframe", "-fps_mode", "passthrough", "-f", "null", "-"];

/** The streams of the source that sounds are made of, in the order of the file that `evenSoundArguments` writes. */
const soundStreams = ({ sounds }: EncodePlan): number[] => [...new Set(sounds.map(({ index }) => index))];

/** Where the streams of sounds come from, and whether the first sound's is measured on its way. */
type SoundInput = { readonly pad: (sound: PlannedSound) => string; readonly isMeasured: boolean };

const soundChains = ({ sounds }: EncodePlan, { pad, isMeasured }: SoundInput): string[] =>
	sounds.flatMap((sound, n) => {
		const filters = `${sound.filters.join(",")}[a${n}]`;
		return isMeasured && n === 0 ? soundMeterChains(pad(sound), filters) : [`${pad(sound)}${filters}`];
	});

/** Returns an output that writes nothing and makes ffmpeg read the plan's anchor, if these streams don't have it. */
const anchorOutput = ({ anchor }: EncodePlan, read: readonly number[]): string[] =>
	anchor === null || read.includes(anchor)
		? []
		: ["-copy_unknown", "-map", `0:${anchor}`, "-c", "copy", "-f", "null", "-"];

/**
 * Says whether the image of the watermark is an input. It is one, too, if ffmpeg is not to turn the pictures by itself:
 * to the tracks of a graph with a single input, it gives that input's display matrix.
 */
const hasImage = ({ watermark, picture, renditions }: EncodePlan): boolean =>
	renditions.length > 0 && (watermark !== null || picture.unturned === true);

function filterGraph(plan: EncodePlan, sound: SoundInput, chunk: Chunk | undefined): string {
	const { picture, watermark } = plan;
	const sounds = soundChains(plan, sound);
	if (plan.renditions.length === 0) return sounds.join(";");
	const [largest = "", ...smaller] = scalers(plan);
	const filters = [withoutCaptions, ...(chunk === undefined ? picture.filters : chunkFilters(picture.filters, chunk))];
	const filtered =
		plan.decoding === null ? `[0:${picture.index}]${filters.join(",")}` : `[decoded]${filters.join(",")}`;
	const chains =
		watermark === null
			? [`${filtered},${largest}`]
			: [`${filtered}[plain]`, ...watermarkFilters(watermark, { from: "[plain]", mark: "[1:0]", to: `,${largest}` })];
	if (watermark === null && hasImage(plan)) chains.push("[1:0]nullsink");
	if (plan.decoding !== null)
		chains.unshift(`[0:${picture.index}]split[decoded][each]`, `[each]${countFilters(plan, chunk).join(",")}[counted]`);
	return [...chains, ...smaller, ...sounds].join(";");
}

/**
 * Limits the filters to one thread. Encoders fill the cores already, so cutting pictures up for scalers costs more than
 * it brings. Only tone mapping and deinterlacing are so slow that they get more threads.
 */
const filterThreads = ({ picture: { filters } }: EncodePlan): string[] =>
	filters.some((filter) => /\b(tonemap|bwdif)=/.test(filter)) ? [] : ["-filter_complex_threads", "1"];

/** Makes ffmpeg begin to read at the key frame before a chunk, but count time from the beginning of the source. */
const chunkInput = ({ first }: Chunk, { frameRate }: EncodePlan): string[] => [
	...["-copyts", "-start_at_zero", "-noaccurate_seek"],
	...["-ss", (Math.floor((first / perSecond(frameRate)) * 1000) / 1000).toFixed(3)],
];

/** Returns the filters that bring the pictures of renditions to their hardware encoders. */
const uploads = (plan: EncodePlan, usedBy: (rendition: PlannedRendition) => Hardware | undefined): string[] =>
	plan.renditions.flatMap((rendition, n) => {
		const used = usedBy(rendition);
		const filters = used === undefined ? [] : uploadFilters(used);
		return filters.length === 0 ? [] : [`[v${n}]${filters.join(",")}[up${n}]`];
	});

/** What differs from the encode of the whole plan. */
export type EncodePart = {
	/** A file whose sound replaces the source's; see `evenSoundArguments` (default: none). */
	readonly evenSound?: string | undefined;
	/** The only frames to encode (default: all). */
	readonly chunk?: Chunk | undefined;
	/** Writes the sum of each H.264 track's packets of x264 beside it, for `provePackets` (default: false). */
	readonly sums?: boolean | undefined;
	/** Encodes the renditions of its codecs (default: software encodes all). */
	readonly hardware?: Hardware | undefined;
	/** Whether the sound is measured on its way, for `readSoundMeter` (default: false). */
	readonly measuresSound?: boolean | undefined;
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
 * const args = encodeArguments(plan, "clip.mp4", {
 * 	video: ({ name }) => `${name}.mp4`,
 * 	audio: ({ name }) => `${name}.m4a`,
 * });
 * console.log(args.includes("libx264"), args.at(-1)); // => true audio.m4a
 * ```
 */
export function encodeArguments(
	plan: EncodePlan,
	source: string,
	paths: TrackPaths,
	{ evenSound, chunk, sums = false, hardware, measuresSound = false }: EncodePart = {},
): string[] {
	const segmentMicroseconds = Math.round((plan.gop / perSecond(plan.frameRate)) * 1e6);
	const args = ["-nostdin", "-hide_banner", "-v", "error", "-y", "-progress", "pipe:1", "-nostats"];
	const usedBy = ({ codec }: PlannedRendition) => (hardware?.codecs.includes(codec) ? hardware : undefined);
	if (hardware !== undefined && plan.renditions.some(usedBy)) args.push(...deviceArguments(hardware));
	// If picture or sound changes its format midway, the filters must not start again: they count frames from the
	// beginning. The scaler takes any size. ffmpeg fails over another sound, which is then decoded apart first.
	args.push("-reinit_filter", "0", ...(chunk === undefined ? [] : chunkInput(chunk, plan)));
	args.push(
		...(plan.picture.unturned ? ["-noautorotate"] : []),
		...(plan.picture.decoder === undefined ? [] : [`-c:${plan.picture.index}`, plan.picture.decoder]),
		...guardedInput(plan.container, source, plan.decoding?.pixels),
	);
	if (hasImage(plan)) args.push(...watermarkInput);
	if (evenSound !== undefined) args.push("-f", "matroska", "-i", evenSound);
	const streams = soundStreams(plan);
	const pad = ({ index }: PlannedSound) =>
		evenSound === undefined ? `[0:${index}]` : `[${hasImage(plan) ? 2 : 1}:${streams.indexOf(index)}]`;
	const graph = filterGraph(plan, { pad, isMeasured: measuresSound }, chunk);
	args.push(...filterThreads(plan), "-filter_complex", [graph, ...uploads(plan, usedBy)].join(";"));
	if (plan.decoding !== null && plan.renditions.length > 0) args.push(...countOutput);
	for (const [n, rendition] of plan.renditions.entries()) {
		const used = usedBy(rendition);
		const from = used === undefined || uploadFilters(used).length === 0 ? `[v${n}]` : `[up${n}]`;
		const chosen = used === undefined ? encoder(rendition, plan.gop) : hardwareEncoder(used, rendition, plan.gop);
		const ticks = String(timescale(plan));
		args.push("-map", from, ...chosen, ...colours);
		if (sums && used === undefined && rendition.codec === "h264") {
			const options = { video_track_timescale: ticks, movflags: cmafFlags.pictures };
			args.push(...bare, ...summedMp4(paths.video(rendition), options));
		} else {
			args.push(...track, "-video_track_timescale", ticks, "-movflags", cmafFlags.pictures, paths.video(rendition));
		}
	}
	for (const [n, sound] of plan.sounds.entries()) {
		args.push("-map", `[a${n}]`, "-c:a", "aac", "-b:a", String(sound.bitrate), ...track);
		args.push("-frag_duration", String(segmentMicroseconds), ...(sound.hidesPriming ? ["-use_editlist", "1"] : []));
		args.push("-movflags", cmafFlags.sound, paths.audio(sound));
	}
	const read = [
		...(plan.renditions.length > 0 ? [plan.picture.index] : []),
		...(evenSound === undefined ? streams : []),
	];
	return [...args, ...anchorOutput(plan, read)];
}

/**
 * Gives a piece of sound whose time is off by 0.1 s or more the time after the piece before it, unless the next one is
 * off as well. Where the rate changes, ffmpeg 5.1 counts the time of one piece by the other rate.
 */
const steadyTimes = [
	"asetpts='st(1, abs(T - ld(0)))",
	"st(2, if(isnan(PREV_INPTS) + lt(ld(1), 0.1) + ld(3), T, ld(0)))",
	"st(3, gte(ld(1), 0.1) * not(isnan(PREV_INPTS)) * not(ld(3)))",
	"st(0, ld(2) + NB_SAMPLES / SR)",
	"ld(2) / TB'",
].join("; ");

/**
 * Returns the arguments that decode each track of sound to one rate and one number of channels in a file of its own.
 * There the filters may start again when the source changes its channels or rate midway.
 */
export function evenSoundArguments(plan: EncodePlan, source: string, target: string): string[] {
	const args = ["-nostdin", "-v", "error", "-y", ...guardedInput(plan.container, source)];
	for (const [n, stream] of soundStreams(plan).entries()) {
		const made = plan.sounds.filter(({ index }) => index === stream).map(({ channels }) => channels);
		const layout = audioLayout[Math.max(...made) as Channels];
		const format = `${steadyTimes},aresample=${audioSampleRate},aformat=sample_fmts=flt:channel_layouts=${layout}`;
		args.push("-map", `0:${stream}`, `-filter:a:${n}`, format);
	}
	return [...args, "-c:a", "pcm_f32le", "-f", "matroska", target, ...anchorOutput(plan, soundStreams(plan))];
}

import { perSecond } from "./frame-rate.ts";
import { guardedInput } from "./input.ts";
import { audioBitrate, audioSampleRate } from "./ladder.ts";
import type { EncodePlan, PlannedRendition } from "./plan.ts";
import { watermarkFilters, watermarkInput } from "./watermark.ts";

/** Where the finished track of each rendition goes. */
export type TrackPaths = { readonly video: (rendition: PlannedRendition) => string; readonly audio: string };

const track = ["-map_metadata", "-1", "-map_chapters", "-1", "-sn", "-dn", "-f", "mp4"];
const colours = ["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv"];

/** A timescale in which every frame has a whole number of ticks; 90000 has not for 24000/1001. */
const timescale = ({ frameRate }: EncodePlan): number => (frameRate.numerator >= 10_000 ? frameRate.numerator : frameRate.numerator * 1000);

function encoder(rendition: PlannedRendition, gop: number): string[] {
	const { preset, crf, maxBitrate } = rendition;
	const common = ["-preset", preset, "-crf", String(crf), "-maxrate", String(maxBitrate), "-bufsize", String(2 * maxBitrate), "-g", String(gop)];
	return rendition.codec === "h264"
		? ["-c:v", "libx264", "-profile:v", "high", ...common, "-keyint_min", String(gop), "-sc_threshold", "0", "-x264-params", "stitchable=1"]
		: ["-c:v", "libsvtav1", ...common];
}

function filterGraph(plan: EncodePlan, soundPad: string): string {
	const { picture, watermark, renditions, sound } = plan;
	const split = `split=${renditions.length}${renditions.map((_, n) => `[s${n}]`).join("")}`;
	const filtered = `[0:${picture.index}]${picture.filters.join(",")}`;
	const chains =
		watermark === null ? [`${filtered},${split}`] : [`${filtered}[plain]`, ...watermarkFilters(watermark, { from: "[plain]", mark: "[1:0]", to: `,${split}` })];
	for (const [n, { width, height }] of renditions.entries()) {
		const same = width === picture.size.width && height === picture.size.height;
		chains.push(`[s${n}]${same ? "null" : `scale=${width}:${height}:flags=bicubic,setsar=1`}[v${n}]`);
	}
	if (sound !== null) chains.push(`${soundPad}${sound.filters.join(",")}[a]`);
	return chains.join(";");
}

/**
 * The arguments of the one ffmpeg process that decodes the source once and encodes every track, each to one CMAF file with an index in front.
 * `evenSound` is a file whose sound stands in for the source's; see `evenSoundArguments`.
 */
export function encodeArguments(plan: EncodePlan, source: string, paths: TrackPaths, evenSound?: string): string[] {
	const fragments = "+cmaf+frag_keyframe+delay_moov+global_sidx";
	const segmentMicroseconds = Math.round((plan.gop / perSecond(plan.frameRate)) * 1e6);
	const args = ["-nostdin", "-hide_banner", "-v", "error", "-y", "-progress", "pipe:1", "-nostats"];
	// A picture that changes its size midway must not start the filters anew: they count frames from the beginning. The scaler takes it as it comes.
	args.push("-reinit_filter:v", "0", ...guardedInput(plan.container, source));
	if (plan.watermark !== null) args.push(...watermarkInput);
	if (evenSound !== undefined) args.push("-f", "matroska", "-i", evenSound);
	const soundPad = evenSound === undefined ? `[0:${plan.sound?.index}]` : `[${plan.watermark === null ? 1 : 2}:0]`;
	args.push("-filter_complex", filterGraph(plan, soundPad));
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

/** Decodes the sound alone, to one rate and two channels in a file of its own: there its filters may start anew where the source changes channels or rate midway. */
export function evenSoundArguments(plan: EncodePlan, source: string, target: string): string[] {
	const format = `aresample=${audioSampleRate},aformat=sample_fmts=s16:channel_layouts=stereo`;
	const args = ["-nostdin", "-v", "error", "-y", ...guardedInput(plan.container, source), "-map", `0:${plan.sound?.index}`];
	return [...args, "-af", format, "-c:a", "pcm_s16le", "-f", "matroska", target];
}

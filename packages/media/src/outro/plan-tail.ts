import type { EncodePlan } from "../plan/encode-plan.ts";
import { bitrateFactor, perSecond } from "../plan/frame-rate.ts";
import { audioBitrate, audioLayout, audioSampleRate, type Channels } from "../plan/ladder.ts";
import { planEncode } from "../plan/plan-encode.ts";
import { rungOf } from "../plan/rung-size.ts";
import { limiter, primingSamples } from "../plan/sound-filters.ts";
import type { SourceProbe } from "../types.ts";
import type { JoinableStreams } from "./joinable-streams.ts";

/**
 * Plans the encode of an outro that follows a video: with the video's size, rate and settings, and with bars if the
 * shapes differ. The video's sound ends up to one AAC frame before or after its picture. The outro's sound begins later
 * or is cut by as much, so that it stays in step.
 */
export function planTail(probe: SourceProbe, { video, audio }: JoinableStreams): EncodePlan {
	const outputs = { hls: false, dash: false, mp4_fallback: true, og_thumbnail: false };
	const base = planEncode(probe, {
		plan: { renditions: ["h264_1080"], outputs },
		limits: { max_duration_seconds: Number.POSITIVE_INFINITY },
	});
	const { width, height, frameRate } = video;
	const rate = perSecond(frameRate);
	const frames = Math.max(1, Math.round(base.durationSeconds * rate));
	const seconds = frames / rate;
	const { settings, maxBitrate } = rungOf({ codec: "h264", width, height });
	const { preset, crf } = settings.balanced;
	const rendition = { name: "tail", codec: "h264" as const, width, height, preset, crf, delivered: false };
	const late = Math.round(((audio?.seconds ?? video.seconds) - video.seconds) * audioSampleRate);
	const channels: Channels = audio?.channels === 1 ? 1 : 2;
	const from = Math.max(0, primingSamples + late);
	return {
		...base,
		durationSeconds: seconds,
		frameRate,
		frames,
		gop: Math.round(2 * rate),
		picture: {
			index: probe.video.index,
			size: { width, height },
			filters: [
				`fps=${frameRate.numerator}/${frameRate.denominator}:start_time=0`,
				"tpad=stop_mode=clone:stop_duration=0.5",
				`trim=end_frame=${frames}`,
				`scale=${width}:${height}:flags=bicubic:force_original_aspect_ratio=decrease:force_divisible_by=2:in_color_matrix=bt709:out_color_matrix=bt709:out_range=tv`,
				`pad=${width}:${height}:-1:-1`,
				"format=yuv420p",
				"setsar=1",
			],
		},
		sounds: base.sounds.map((sound) => ({
			...sound,
			channels,
			bitrate: audioBitrate[channels],
			filters: [
				`aresample=${audioSampleRate}:async=1:first_pts=0`,
				`aformat=sample_fmts=fltp:channel_layouts=${audioLayout[channels]}`,
				...limiter,
				`apad=whole_dur=${seconds}`,
				`atrim=start_sample=${from}:end=${seconds}`,
			],
			hidesPriming: false,
		})),
		renditions: [{ ...rendition, maxBitrate: Math.round(maxBitrate * bitrateFactor(rate)) }],
	};
}

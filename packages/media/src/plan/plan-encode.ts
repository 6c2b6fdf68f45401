import { MediaError } from "../errors.ts";
import { lengthSentence, roundingSeconds } from "../source/declared-length.ts";
import { boundDecoding } from "../source/decoding-budget.ts";
import type { MediaJob, Size, SourceProbe } from "../types.ts";
import type { Decision } from "./decision.ts";
import type { EncodePlan } from "./encode-plan.ts";
import { constantFrameRate, perSecond } from "./frame-rate.ts";
import { fastAv1Preset } from "./ladder.ts";
import { pictureFilters } from "./picture-filters.ts";
import { area, selectRenditions } from "./renditions.ts";
import { isAudible, soundFilters } from "./sound-filters.ts";
import { placeWatermark } from "./watermark.ts";

const thousandths = (value: number): number => Math.round(value * 1000) / 1000;

/**
 * Decides how a source is encoded. The same probe and job always give the same plan. Its `report` says what was decided
 * and why.
 * @throws {MediaError} `duration_too_long` when the source is more than one second over the job's limit;
 * `dimensions_too_large` when more would be decoded than the job allows
 * @example
 * ```ts
 * import { planEncode, probe } from "@reelmill/media";
 *
 * const outputs = { hls: true, dash: false, mp4_fallback: true, og_thumbnail: true };
 * const plan = planEncode(await probe("clip.mp4", { ffmpeg: "ffmpeg", ffprobe: "ffprobe" }), {
 * 	plan: { renditions: ["h264_720", "av1_720"], outputs },
 * 	limits: { max_duration_seconds: 60 },
 * });
 * console.log(plan.renditions.map(({ name }) => name)); // => [ 'h264_404', 'av1_404' ]
 * console.log(plan.report.decisions[0]?.because); // => it would be larger than the source of 720x404
 * ```
 */
export function planEncode(probe: SourceProbe, job: MediaJob): EncodePlan {
	const limit = job.limits.max_duration_seconds;
	if (probe.durationSeconds > limit + 1) {
		throw new MediaError(
			"duration_too_long",
			`The video is ${probe.durationSeconds.toFixed(1)} seconds long; at most ${limit} are allowed.`,
		);
	}
	const decoding = boundDecoding(probe.video, job.limits);
	const decisions: Decision[] = [];
	const decide = (decision: Decision) => void decisions.push(decision);
	const { video, length } = probe;
	const lost = (length.declaredSeconds ?? 0) - length.foundSeconds;
	if (lost > roundingSeconds)
		decide({
			about: "length",
			decision: `${lost.toFixed(2)} s are missing at the end`,
			because: lengthSentence(length),
		});
	const audio = isAudible(probe.durationSeconds) ? probe.audio : null;
	const renditions = selectRenditions(probe, job, decide);
	if (job.speed === "fast" && renditions.some(({ codec }) => codec === "av1")) {
		decide({ about: "AV1", decision: `encoded at preset ${fastAv1Preset}`, because: "the job asks for speed" });
	}
	const frameRate = constantFrameRate(video.frameRate);
	const size = renditions.reduce(
		(largest: Size, rendition) => (area(rendition) > area(largest) ? rendition : largest),
		{ width: 0, height: 0 },
	);
	const { durationSeconds } = probe;
	const rate = perSecond(frameRate);
	if (video.variableFrameRate || Math.abs(video.frameRate - rate) > 0.01) {
		const average = `${video.frameRate.toFixed(3)} frames a second on average${video.variableFrameRate ? ", unevenly" : ""}`;
		decide({
			about: "frame rate",
			decision: `${frameRate.numerator}/${frameRate.denominator}, constant`,
			because: `the source has ${average}`,
		});
	}
	if (video.rotation !== 0)
		decide({ about: "rotation", decision: `turned by ${video.rotation} degrees`, because: "the source asks for it" });
	if (video.matrix === "upended")
		decide({ about: "picture", decision: "mirrored top to bottom", because: "the source asks for it" });
	if (video.matrix === "tilted")
		decide({ about: "rotation", decision: "none", because: "the source asks for an angle that players don't show" });
	const { numerator, denominator } = video.sampleAspectRatio;
	if (numerator !== denominator)
		decide({ about: "pixels", decision: "made square", because: `the source's are ${numerator}:${denominator}` });
	if (audio === null) {
		const because =
			probe.audio === null ? "the source has no sound that can be decoded" : "the source is too short for any";
		decide({ about: "sound", decision: "none", because });
	}
	if (job.plan.watermark)
		decide({ about: "watermark", decision: "drawn over every picture", because: "the job asks for it" });
	const frames = Math.max(1, Math.round(durationSeconds * rate));
	const picture = pictureFilters(probe, {
		frameRate,
		frames,
		size: { width: size.width, height: size.height },
		decide,
	});
	return {
		container: probe.container,
		durationSeconds,
		frameRate,
		frames,
		gop: Math.round(2 * rate),
		picture: {
			index: video.index,
			...(video.matrix === "tilted" ? { unturned: true } : {}),
			filters: picture,
			size: { width: size.width, height: size.height },
		},
		decoding,
		watermark: job.plan.watermark ? placeWatermark(size) : null,
		sound: audio === null ? null : { index: audio.index, filters: soundFilters(audio, durationSeconds, decide) },
		renditions,
		outputs: { ...job.plan.outputs },
		storyboard: job.plan.outputs.hls || job.plan.outputs.dash || job.plan.outputs.mp4_fallback,
		moderationFrames: job.plan.moderation_frames ?? false,
		report: {
			source: {
				container: probe.container,
				video_codec: video.codec,
				audio_codec: audio?.codec ?? null,
				duration_seconds: thousandths(durationSeconds),
				declared_seconds: length.declaredSeconds === null ? null : thousandths(length.declaredSeconds),
				found_seconds: thousandths(length.foundSeconds),
				width: probe.width,
				height: probe.height,
				frame_rate: thousandths(video.frameRate),
			},
			decisions,
		},
	};
}

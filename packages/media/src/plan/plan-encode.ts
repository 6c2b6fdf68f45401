import { MediaError } from "../errors.ts";
import { lengthSentence, lostSeconds, roundingSeconds } from "../source/declared-length.ts";
import { boundDecoding } from "../source/decoding-budget.ts";
import type { MediaJob, Size, SourceProbe, SourceVideo } from "../types.ts";
import { contentDecisions } from "./content-settings.ts";
import type { Decision } from "./decision.ts";
import { pictureChanges } from "./describe-changes.ts";
import type { EncodePlan } from "./encode-plan.ts";
import { isTurnedByFilters, needsBars } from "./fit-shapes.ts";
import { constantFrameRate, earlierBy, perSecond, picturesPerSecond } from "./frame-rate.ts";
import { pictureFilters } from "./picture-filters.ts";
import { planSounds } from "./plan-sounds.ts";
import { area, selectRenditions } from "./renditions.ts";
import { isAudible } from "./sound-filters.ts";
import { placeWatermark } from "./watermark.ts";

const codecNames = { h264: "H.264", av1: "AV1" };

const thousandths = (value: number): number => Math.round(value * 1000) / 1000;

/** Describes a source's rate for people. */
function sourceRate({ frameRate, motionRate, variableFrameRate }: SourceVideo): string {
	const average = `${frameRate.toFixed(3)} frames a second on average${variableFrameRate ? ", unevenly" : ""}`;
	return motionRate > frameRate * 1.01 ? `${average}, and ${motionRate.toFixed(3)} where it moves` : average;
}

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
	const lost = lostSeconds(length);
	if (lost > roundingSeconds)
		decide({
			about: "length",
			decision: `${lost.toFixed(2)} s are missing at the end`,
			because: lengthSentence(length),
		});
	if (probe.programme !== undefined) {
		const others = probe.programme.others.join(", ");
		decide({ about: "programme", decision: probe.programme.name, because: `a video has one; left out: ${others}` });
	}
	if (probe.isFirstAlone) {
		const because = "the source's other recordings can't be put behind it";
		decide({ about: "recordings", decision: "the first one alone", because });
	}
	if (probe.renumbered !== undefined) {
		const because = "the source's streams go on under other numbers midway";
		decide({ about: "recordings", decision: "put together", because });
	}
	if (probe.clockJumps !== undefined)
		decide({ about: "clock", decision: "its parts put behind one another", because: "the source's clock jumps" });
	const renditions = selectRenditions(probe, job, decide);
	const { content } = probe;
	if (content !== undefined && content.kind !== "filmed")
		decide({ about: "content", decision: contentDecisions[content.kind], because: content.because });
	if (job.speed === "fast") {
		const presets = [...new Set(renditions.map(({ codec, preset }) => `${codecNames[codec]} ${preset}`))].join(", ");
		decide({ about: "presets", decision: presets, because: "the job asks for speed" });
	}
	const frameRate = constantFrameRate(picturesPerSecond(video));
	const size = renditions.reduce(
		(largest: Size, rendition) => (area(rendition) > area(largest) ? rendition : largest),
		{ width: 0, height: 0 },
	);
	const rate = perSecond(frameRate);
	const earlier = earlierBy(frameRate, video);
	const durationSeconds = Math.round((probe.durationSeconds - earlier) * 1e6) / 1e6;
	const audio = isAudible(durationSeconds) ? probe.audio : null;
	if (earlier > 0 && audio !== null)
		decide({
			about: "beginning",
			decision: `${earlier.toFixed(3)} s of sound left out`,
			because: "the first picture comes later, and begins with a frame",
		});
	if (video.variableFrameRate || Math.abs(picturesPerSecond(video) - rate) > 0.01) {
		decide({
			about: "frame rate",
			decision: `${frameRate.numerator}/${frameRate.denominator}, constant`,
			because: `the source has ${sourceRate(video)}`,
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
	const changed = pictureChanges(video);
	if (changed !== null)
		decide({
			about: "picture size",
			decision: `as of ${probe.width}x${probe.height}${needsBars(video) ? "; other shapes have bars" : ""}`,
			because: `it changes midway: ${changed}`,
		});
	if (job.plan.watermark)
		decide({ about: "watermark", decision: "drawn over every picture", because: "the job asks for it" });
	const frames = Math.max(1, Math.round(durationSeconds * rate));
	const picture = pictureFilters(probe, {
		frameRate,
		frames,
		size: { width: size.width, height: size.height },
		earlier,
		decide,
	});
	const isStreamed = job.plan.outputs.hls || job.plan.outputs.dash;
	const { sounds, tracks } = planSounds(
		{ audio, furtherAudio: probe.furtherAudio },
		{ durationSeconds, earlier, isStreamed },
		decide,
	);
	return {
		container: probe.container,
		anchor: probe.earliestStream,
		durationSeconds,
		frameRate,
		frames,
		gop: Math.round(2 * rate),
		picture: {
			index: video.index,
			...(video.matrix === "tilted" || isTurnedByFilters(video) ? { unturned: true } : {}),
			...(video.decoder === undefined ? {} : { decoder: video.decoder }),
			filters: picture,
			size: { width: size.width, height: size.height },
		},
		decoding,
		watermark: job.plan.watermark ? placeWatermark(size) : null,
		sounds,
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
			sound_tracks: tracks,
			decisions,
		},
	};
}

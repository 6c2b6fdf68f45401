import { lengthSentence, roundingSeconds } from "./declared-length.ts";
import { boundDecoding, type DecodingBounds } from "./decoding-budget.ts";
import { MediaError } from "./errors.ts";
import { isAudible, pictureFilters, soundFilters } from "./filters.ts";
import { constantFrameRate, perSecond } from "./frame-rate.ts";
import { evenSize, rungSize } from "./geometry.ts";
import { fastAv1Preset, ladder, type Rung, smallestAv1Side } from "./ladder.ts";
import type { Codec, Container, MediaJob, OutputSelection, Rational, Size, SourceProbe } from "./types.ts";
import { placeWatermark, type Watermark } from "./watermark.ts";

export type PlannedRendition = Size & {
	readonly name: string;
	readonly codec: Codec;
	readonly preset: string;
	readonly crf: number;
	readonly maxBitrate: number;
	/** Its track is delivered. False for an encode that only feeds web.mp4 or the thumbnail. */
	readonly delivered: boolean;
};

/** What was decided about one thing, and why. */
export type Decision = { readonly about: string; readonly decision: string; readonly because: string };

/** Everything that ffmpeg is told, and nothing that depends on the machine or the moment. */
export type EncodePlan = {
	readonly container: Container;
	/** Seconds that every output lasts. */
	readonly durationSeconds: number;
	readonly frameRate: Rational;
	/** Frames that every rendition has. */
	readonly frames: number;
	/** Frames from one key frame to the next: two seconds, the same in every rendition. */
	readonly gop: number;
	/** `unturned`: shown as it is stored, whatever the source asks for. */
	readonly picture: {
		readonly index: number;
		readonly unturned?: true;
		readonly filters: readonly string[];
		readonly size: Size;
	};
	/** What may be decoded, whatever the packets turn out to hold; null where the job sets no bound. */
	readonly decoding: DecodingBounds | null;
	/** Drawn over the picture before it is split into renditions. */
	readonly watermark: Watermark | null;
	readonly sound: { readonly index: number; readonly filters: readonly string[] } | null;
	readonly renditions: readonly PlannedRendition[];
	readonly outputs: OutputSelection;
	/** Made wherever there is something to play. */
	readonly storyboard: boolean;
	readonly moderationFrames: boolean;
	readonly report: {
		readonly source: Record<string, string | number | boolean | null>;
		readonly decisions: readonly Decision[];
	};
};

const thousandths = (value: number): number => Math.round(value * 1000) / 1000;

const area = ({ width, height }: Size): number => width * height;

function chooseRenditions(
	probe: SourceProbe,
	{ plan: { renditions: names }, speed }: MediaJob,
	decide: (decision: Decision) => void,
): PlannedRendition[] {
	const size = `${probe.width}x${probe.height}`;
	const faster = perSecond(constantFrameRate(probe.video.frameRate)) > 31 ? 1.5 : 1;
	const make = ({ name, codec, preset, crf, maxBitrate }: Rung, { width, height }: Size): PlannedRendition => {
		const fast = codec === "av1" && speed === "fast";
		return {
			name,
			codec,
			width,
			height,
			preset: fast ? fastAv1Preset : preset,
			crf,
			maxBitrate: Math.round(maxBitrate * faster),
			delivered: true,
		};
	};
	const own = evenSize(probe);
	const chosen: PlannedRendition[] = [];
	for (const codec of ["h264", "av1"] as const) {
		const rungs = ladder.filter((rung) => rung.codec === codec && names.includes(rung.name));
		const [smallest] = rungs;
		if (smallest === undefined) continue;
		const isTooSmall = ({ width, height }: Size) => codec === "av1" && Math.min(width, height) < smallestAv1Side;
		if (isTooSmall(own)) {
			for (const rung of rungs)
				decide({
					about: rung.name,
					decision: "skipped",
					because: `AV1 needs ${smallestAv1Side} pixels on each side, the source has ${size}`,
				});
			continue;
		}
		const fitting = rungs.flatMap((rung) => {
			const fit = rungSize(probe, rung.shortSide);
			const skip = (because: string) => {
				decide({ about: rung.name, decision: "skipped", because });
				return [];
			};
			if (fit === null) return skip(`it would be larger than the source of ${size}`);
			if (isTooSmall(fit))
				return skip(`AV1 needs ${smallestAv1Side} pixels on each side, it would have ${fit.width}x${fit.height}`);
			return [make(rung, fit)];
		});
		if (fitting.length === 0) {
			const name = `${codec}_${Math.min(own.width, own.height)}`;
			decide({
				about: name,
				decision: "added",
				because: `no ${codec} rung fits the source, so it gets one of its own size`,
			});
			fitting.push(make({ ...smallest, name }, own));
		}
		chosen.push(...fitting);
	}
	return chosen;
}

/** The H.264 encode that web.mp4 is remuxed from where the ladder holds none: 720 at most. */
function fallbackRendition(probe: SourceProbe): PlannedRendition {
	const rung = ladder[0] as Rung;
	const { preset, crf, maxBitrate } = rung;
	const size = rungSize(probe, rung.shortSide) ?? evenSize(probe);
	return {
		name: `h264_${Math.min(size.width, size.height)}`,
		codec: "h264",
		...size,
		preset,
		crf,
		maxBitrate,
		delivered: false,
	};
}

function selectRenditions(probe: SourceProbe, job: MediaJob, decide: (decision: Decision) => void): PlannedRendition[] {
	const { outputs } = job.plan;
	const chosen = chooseRenditions(probe, job, decide);
	const best = chosen.filter((rendition) => rendition.codec === "h264").sort((a, b) => area(b) - area(a))[0];
	if (!outputs.hls && !outputs.dash) {
		const only = best ?? fallbackRendition(probe);
		decide({ about: "renditions", decision: `only ${only.name}`, because: "neither HLS nor DASH is wanted" });
		return [{ ...only, delivered: !outputs.mp4_fallback && !outputs.og_thumbnail }];
	}
	if ((outputs.mp4_fallback && best === undefined) || chosen.length === 0) {
		const delivered = chosen.length === 0;
		const fallback = { ...fallbackRendition(probe), delivered };
		const because = delivered
			? "no rendition asked for can be made of this source"
			: "web.mp4 needs H.264 and no H.264 rendition is wanted";
		decide({ about: fallback.name, decision: "added", because });
		return [...chosen, fallback];
	}
	return chosen;
}

/**
 * Decides how a source is encoded. Pure: the same probe and job give the same plan, whose `report` says what was
 * decided and why. Throws {@link MediaError} `duration_too_long` where the source is more than one second over the
 * job's limit, and `dimensions_too_large` where more would have to be decoded than the job allows.
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

import type { MediaJob, Size, SourceProbe } from "../types.ts";
import { contentSetting } from "./content-settings.ts";
import type { Decision } from "./decision.ts";
import type { PlannedRendition } from "./encode-plan.ts";
import { bitrateFactor, constantFrameRate, perSecond, picturesPerSecond } from "./frame-rate.ts";
import { ladder, type Rung, smallestAv1Side } from "./ladder.ts";
import { evenSize, rungSize } from "./rung-size.ts";

/** Returns how many pixels a size has. */
export const area = ({ width, height }: Size): number => width * height;

/** Returns how a rung is encoded at a size: for the job's speed, the source's rate, and what it shows. */
function renditionOf(
	{ name, codec, maxBitrate, settings }: Rung,
	size: Size,
	probe: SourceProbe,
	speed: MediaJob["speed"] = "balanced",
): PlannedRendition {
	const faster = bitrateFactor(perSecond(constantFrameRate(picturesPerSecond(probe.video))));
	const { width, height } = size;
	const kind = probe.content?.kind ?? "filmed";
	return {
		name,
		codec,
		width,
		height,
		...contentSetting(settings[speed], { codec, kind, speed }),
		maxBitrate: Math.round(maxBitrate * faster),
		delivered: true,
	};
}

/** Chooses the rungs that the job names and that are no larger than the source, or one of its own size. */
function chooseRenditions(
	probe: SourceProbe,
	{ plan: { renditions: names }, speed }: MediaJob,
	decide: (decision: Decision) => void,
): PlannedRendition[] {
	const size = `${probe.width}x${probe.height}`;
	const make = (rung: Rung, fit: Size) => renditionOf(rung, fit, probe, speed);
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

/** Returns the H.264 rendition for web.mp4 if the job names none, of 720 at most. */
function fallbackRendition(probe: SourceProbe, speed: MediaJob["speed"]): PlannedRendition {
	const rung = ladder[0] as Rung;
	const size = rungSize(probe, rung.shortSide) ?? evenSize(probe);
	const name = `h264_${Math.min(size.width, size.height)}`;
	return { ...renditionOf({ ...rung, name }, size, probe, speed), delivered: false };
}

/** Selects what is encoded: the chosen rungs, and what web.mp4 and the thumbnail need beside them. */
export function selectRenditions(
	probe: SourceProbe,
	job: MediaJob,
	decide: (decision: Decision) => void,
): PlannedRendition[] {
	const { outputs } = job.plan;
	const chosen = chooseRenditions(probe, job, decide);
	const best = chosen.filter((rendition) => rendition.codec === "h264").sort((a, b) => area(b) - area(a))[0];
	if (!outputs.hls && !outputs.dash) {
		const only = best ?? fallbackRendition(probe, job.speed);
		decide({ about: "renditions", decision: `only ${only.name}`, because: "neither HLS nor DASH is wanted" });
		return [{ ...only, delivered: !outputs.mp4_fallback && !outputs.og_thumbnail }];
	}
	if ((outputs.mp4_fallback && best === undefined) || chosen.length === 0) {
		const delivered = chosen.length === 0;
		const fallback = { ...fallbackRendition(probe, job.speed), delivered };
		const because = delivered
			? "no rendition asked for can be made of this source"
			: "web.mp4 needs H.264 and no H.264 rendition is wanted";
		decide({ about: fallback.name, decision: "added", because });
		return [...chosen, fallback];
	}
	return chosen;
}

import { type CompleteRequest, type JobPlan, ReelmillError, type Rendition } from "@reelmill/contracts";
import { jobLimits } from "../../limits/index.ts";
import type { VideoRecord } from "../../videos/index.ts";

type Size = { readonly codec: Rendition["codec"] | null; readonly width: number; readonly height: number };

/** How far a measured duration may exceed the limit. */
const marginSeconds = 1;
/** The size of the H.264 that web.mp4 is made of if the plan asks for no H.264. */
const fallbackSide = 720;
/** A hundred times the bitrate of the ladder's best rendition. A stream that repeats whole pictures needs much. */
const mostBitrate = 500_000_000;

const refused = (field: string, why: string) => new ReelmillError("validation_error", { message: `${field} ${why}` });

/**
 * Checks that a worker's measurements are possible for this job.
 *
 * @throws {ReelmillError} `validation_error` when a duration or a picture size is beyond the job's limits, or when a
 * rendition wasn't asked for.
 */
export function checkMedia(
	{ plan, max_duration_seconds, session_id }: Pick<VideoRecord, "plan" | "max_duration_seconds" | "session_id">,
	{ media, outputs: { renditions } }: Pick<CompleteRequest, "media" | "outputs">,
): void {
	const { max_duration_seconds: longest, max_decoded_pixels: pixels } = jobLimits(
		max_duration_seconds,
		session_id !== null,
	);
	const { duration_seconds: seconds, width, height } = media;
	if (!(seconds > 0 && seconds <= longest + marginSeconds))
		throw refused("media.duration_seconds", `must be more than 0, and at most ${longest}`);
	if (width * height > pixels)
		throw refused("media.width", `and height must be within the job's ${pixels} decoded pixels`);
	const names = new Set<string>();
	for (const rendition of renditions) {
		const { name, codec, bitrate } = rendition;
		const side = Math.min(rendition.width, rendition.height);
		if (names.has(name)) throw refused("outputs.renditions", `has ${JSON.stringify(name.slice(0, 50))} twice`);
		names.add(name);
		if (!name.startsWith(`${codec}_`) || !isInBox(plan, rendition)) {
			throw refused(
				"outputs.renditions",
				`has ${JSON.stringify(name.slice(0, 50))} of ${side} lines, which the job didn't ask for`,
			);
		}
		if (bitrate < 0 || bitrate > mostBitrate) throw refused("outputs.renditions", `has a bitrate of ${bitrate}`);
	}
}

/**
 * Returns whether a picture, upright or not, fits into the largest size that the plan asks for of its codec. H.264 may
 * always be made up to 720 lines, as the fallback.
 */
export function isInBox({ renditions }: Pick<JobPlan, "renditions">, { codec, width, height }: Size): boolean {
	const sides = renditions.filter((name) => name.startsWith(`${codec}_`)).map((name) => Number(name.split("_")[1]));
	const side = Math.max(...sides, codec === "h264" ? fallbackSide : 0);
	const [short, long] = width < height ? [width, height] : [height, width];
	return short >= 1 && short <= side && long <= Math.round((side * 16) / 9);
}

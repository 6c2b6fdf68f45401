import { type CompleteRequest, type JobPlan, ReelmillError, type Rendition } from "@reelmill/contracts";
import { jobLimits } from "../limits/index.ts";
import type { VideoRecord } from "../videos/index.ts";

type Size = { readonly codec: Rendition["codec"] | null; readonly width: number; readonly height: number };

/** A measured duration may exceed the limit by this. */
const marginSeconds = 1;
/** What web.mp4 is made of where no H.264 is asked for. */
const fallbackSide = 720;
/** Of a stream that repeats whole pictures, a hundred times what the ladder's best rung may take. */
const mostBitrate = 500_000_000;

const refused = (field: string, why: string) => new ReelmillError("validation_error", { message: `${field} ${why}` });

/**
 * Throws `validation_error` for what no honest worker measures of a job's source and makes of it: a length or a picture
 * beyond the job's limits, and renditions that nobody asked for.
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
 * Whether a picture fits into the largest box that the plan asks for of its codec, upright or not. H.264 may be made of
 * any source that nothing else fits.
 */
export function isInBox({ renditions }: Pick<JobPlan, "renditions">, { codec, width, height }: Size): boolean {
	const sides = renditions.filter((name) => name.startsWith(`${codec}_`)).map((name) => Number(name.split("_")[1]));
	const side = Math.max(...sides, codec === "h264" ? fallbackSide : 0);
	const [short, long] = width < height ? [width, height] : [height, width];
	return short >= 1 && short <= side && long <= Math.round((side * 16) / 9);
}

import { processVideo } from "../../src/index.ts";
import { type Folder, job, lavfi, tools } from "./sources.ts";

export const picture = (filters: string, { size = "160x90", rate = 10, seconds = 2 } = {}) =>
	lavfi(`testsrc2=size=${size}:rate=${rate}:duration=${seconds}${filters},format=yuv420p`);
export const sound = (wave: string, seconds = 2) => lavfi(`${wave}:duration=${seconds}`);
/** Speech rises and falls: a tone that does so is clipped in every swing if it is too loud. */
export const tone = (volume: number) => `aevalsrc=${volume}*sin(2*PI*440*t)*sin(2*PI*3*t):s=48000`;

/** What warnings.test.ts shows that a report warns of: warnings.nightly.test.ts has the rest of the contract's table. */
export const shownDaily = ["variable_rate", "black_bars", "black_at_start", "sound_clipped"];

/** Encodes a source as cheaply as there are pictures of it, and returns what its report warns of. */
export async function reportOf(folder: Folder, source: string): Promise<{ warnings: unknown; details: unknown }> {
	const { report } = await processVideo({
		source,
		directory: folder.outputs(),
		tools,
		job: job(["h264_720"], { hls: false, og_thumbnail: false }),
	});
	return { warnings: report.warnings, details: report.warning_details };
}

/** Returns the codes alone. */
export const warningsOf = async (folder: Folder, source: string): Promise<unknown> =>
	(await reportOf(folder, source)).warnings;

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { processVideo } from "../../src/index.ts";
import { type Folder, job, openFolder, tools } from "../support/sources.ts";

let folder: Folder;
beforeAll(async () => {
	folder = await openFolder();
});
afterAll(() => folder.close());

const picture = (filters: string, { size = "160x90", rate = 10, seconds = 2 } = {}) => [
	...["-f", "lavfi", "-i", `testsrc2=size=${size}:rate=${rate}:duration=${seconds}${filters},format=yuv420p`],
];
const sound = (wave: string, seconds = 2) => ["-f", "lavfi", "-i", `${wave}:duration=${seconds}`];
/** Speech rises and falls: a tone that does so is clipped in every swing if it is too loud. */
const tone = (volume: number) => `aevalsrc=${volume}*sin(2*PI*440*t)*sin(2*PI*3*t):s=48000`;
const pcm = ["-c:a", "pcm_s16le"];

/** Encodes a source as cheaply as there are pictures of it, and returns what its report warns of. */
async function warningsOf(source: string): Promise<unknown> {
	const { report } = await processVideo({
		source,
		directory: folder.outputs(),
		tools,
		job: job(["h264_720"], { hls: false, og_thumbnail: false }),
	});
	return report.warnings;
}

describe("a report warns of", () => {
	it("bars, a black start, uneven times and clipped sound", async () => {
		const filters = [
			",scale=80:90,pad=160:90:40:0:black,setsar=1",
			"drawbox=t=fill:color=black:enable='lt(t,1.2)'",
			"select='not(eq(mod(n,5),3))'",
		].join(",");
		const inputs = [...picture(filters, { seconds: 3 }), ...sound(tone(6), 3)];
		const source = await folder.source("bad.mkv", { inputs, args: ["-vsync", "vfr", ...pcm] });
		expect(await warningsOf(source)).toEqual(["variable_rate", "black_bars", "black_at_start", "sound_clipped"]);
	});
});

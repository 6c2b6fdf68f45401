import { truncate } from "node:fs/promises";
import { warnings } from "@reelmill/contracts/warnings";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { processVideo } from "../../src/index.ts";
import { type Folder, job, openFolder, program, tools } from "../support/sources.ts";

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
	const found: string[] = [];
	const expectWarnings = async (source: string, codes: string[]) => {
		expect(await warningsOf(source)).toEqual(codes);
		found.push(...codes);
	};

	it("nothing, if a source has nothing to warn of, but for a picture that is missing", async () => {
		const inputs = [...picture(",select='not(eq(n,7))'"), ...sound(tone(0.9))];
		const source = await folder.source("fine.mkv", { inputs, args: ["-vsync", "vfr"] });
		await expectWarnings(source, []);
	});

	it("bars, a black start, uneven times and clipped sound", async () => {
		const filters = [
			",scale=80:90,pad=160:90:40:0:black,setsar=1",
			"drawbox=t=fill:color=black:enable='lt(t,1.2)'",
			"select='not(eq(mod(n,5),3))'",
		].join(",");
		const inputs = [...picture(filters, { seconds: 3 }), ...sound(tone(6), 3)];
		const source = await folder.source("bad.mkv", { inputs, args: ["-vsync", "vfr", ...pcm] });
		await expectWarnings(source, ["variable_rate", "black_bars", "black_at_start", "sound_clipped"]);
	});

	it("darkness, silence and an odd rate", async () => {
		const inputs = [...picture(",lutyuv=y=16+(val-16)/6:u=128:v=128", { rate: 23 }), ...sound("anullsrc=r=48000")];
		const source = await folder.source("night.mkv", { inputs, args: ["-shortest", "-t", "2"] });
		await expectWarnings(source, ["odd_rate", "very_dark", "silent"]);
	});

	it("no sound, and not of light letters on a dark page that end in no straight line", async () => {
		const page = ",drawbox=t=fill:color=black,drawbox=x=30:y=30:w=80:h=4:t=fill:color=white";
		await expectWarnings(await folder.source("page.mkv", { inputs: picture(page) }), ["no_sound"]);
	});

	it("a missing end, pixels of an unknown shape and tracks of sound that are left out", async () => {
		const tones = Array.from({ length: 5 }, (_, n) => ["-map", "1:a", `-metadata:s:a:${n}`, `title=${n}`]).flat();
		const source = await folder.source("tape.mov", {
			inputs: [...picture(",setsar=0", { size: "352x480" }), ...sound(tone(0.9))],
			args: ["-map", "0:v", ...tones, ...pcm, "-movflags", "+faststart"],
		});
		const size = Number(await program("ffprobe", "-show_entries", "format=size", "-of", "csv=p=0", source));
		await truncate(source, Math.round(size * 0.86));
		await expectWarnings(source, ["cut_off", "wrong_aspect", "tracks_left_out"]);
	});

	it("each thing in the contract's table", () => {
		expect([...new Set(found)].sort()).toEqual(Object.keys(warnings).sort());
	});
});

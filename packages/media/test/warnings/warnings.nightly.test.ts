import { readFile, truncate, writeFile } from "node:fs/promises";
import { warnings } from "@reelmill/contracts/warnings";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { kinds } from "../support/kinds-of-sources.ts";
import { type Folder, openFolder, program } from "../support/sources.ts";
import { picture, reportOf, shownDaily, sound, tone, warningsOf } from "../support/warnings.ts";

let folder: Folder;
beforeAll(async () => {
	folder = await openFolder();
});
afterAll(() => folder.close());

describe("a report warns of", () => {
	const found = [...shownDaily];
	const expectWarnings = async (source: string, codes: string[]) => {
		expect(await warningsOf(folder, source)).toEqual(codes);
		found.push(...codes);
	};

	it("nothing, if a source has nothing to warn of, but for a picture that is missing", async () => {
		const inputs = [...picture(",select='not(eq(n,7))'"), ...sound(tone(0.9))];
		const source = await folder.source("fine.mkv", { inputs, args: ["-vsync", "vfr"] });
		await expectWarnings(source, []);
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
			args: ["-map", "0:v", ...tones, "-c:a", "pcm_s16le", "-movflags", "+faststart"],
		});
		const size = Number(await program("ffprobe", "-show_entries", "format=size", "-of", "csv=p=0", source));
		await truncate(source, Math.round(size * 0.86));
		await expectWarnings(source, ["cut_off", "wrong_aspect", "tracks_left_out"]);
	});

	it("sizes that change, and when they do", async () => {
		const source = await (kinds["a screen that is turned"] as (folder: Folder) => Promise<string>)(folder);
		const { warnings, details } = await reportOf(folder, source);
		expect(warnings).toContain("changes_midway");
		expect(details).toEqual({ changes_midway: "Picture: 160x120, 320x180 from 1.0 s, 90x160 from 2.0 s." });
		found.push("changes_midway");
	});

	it("parts of a file that are zero, and what ffmpeg counted of them", async () => {
		const inputs = [...picture(",noise=alls=20:allf=t", { rate: 25 }), ...sound(tone(0.9))];
		const whole = await readFile(await folder.source("whole.mp4", { inputs, args: ["-bf", "0"] }));
		whole.fill(0, Math.round(whole.length * 0.4), Math.round(whole.length * 0.6));
		await writeFile(folder.path("zeroed.mp4"), whole);
		const { warnings, details } = await reportOf(folder, folder.path("zeroed.mp4"));
		expect(warnings).toEqual(["damaged"]);
		expect(details).toEqual({ damaged: expect.stringMatching(/^\d+ lost pictures, .*as ffmpeg counted\.$/) });
		found.push("damaged");
	});

	it("no damage, if a broadcast begins between two key frames and its last packets are missing", async () => {
		const inputs = [...picture("", { rate: 25, seconds: 4 }), ...sound(tone(0.9), 4)];
		const bytes = await readFile(await folder.source("whole.ts", { inputs, args: ["-g", "50"] }));
		const packets = Math.floor(bytes.length / 188);
		await writeFile(
			folder.path("cut.ts"),
			bytes.subarray(188 * Math.round(packets / 5), 188 * Math.round(packets * 0.9)),
		);
		expect((await reportOf(folder, folder.path("cut.ts"))).warnings).not.toContain("damaged");
	});

	it("each thing in the contract's table", () => {
		expect([...new Set(found)].sort()).toEqual(Object.keys(warnings).sort());
	});
});

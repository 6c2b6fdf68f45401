import { afterAll, beforeAll, it } from "vitest";
import { expectInStep, expectJoinInStep, x264 } from "./support/flash-and-beep.ts";
import { type Folder, openFolder } from "./support/sources.ts";

let folder: Folder;
beforeAll(async () => {
	folder = await openFolder();
});
afterAll(() => folder.close());

// flash-and-beep.nightly.test.ts has other containers, codecs and rates.
it("flash and beep are as far apart as in a source whose picture is 20 ms late, to 5 ms, at start and end", () =>
	expectInStep(folder, "picture-20-ms-late.mkv", { rate: 25, encode: x264, late: { picture: 0.02 } }));

it("flash and beep stay together through the join of two recordings, of other rates of sound", () =>
	expectJoinInStep(folder, "joined.ts", [
		{ rate: 25, encode: [...x264, "-ar", "44100"] },
		{ rate: 25, encode: [...x264, "-ar", "48000"] },
	]));

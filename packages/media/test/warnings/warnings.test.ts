import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Folder, openFolder } from "../support/sources.ts";
import { picture, shownDaily, sound, tone, warningsOf } from "../support/warnings.ts";

let folder: Folder;
beforeAll(async () => {
	folder = await openFolder();
});
afterAll(() => folder.close());

describe("a report warns of", () => {
	it("bars, a black start, uneven times and clipped sound", async () => {
		const filters = [
			",scale=80:90,pad=160:90:40:0:black,setsar=1",
			"drawbox=t=fill:color=black:enable='lt(t,1.2)'",
			"select='not(eq(mod(n,5),3))'",
		].join(",");
		const inputs = [...picture(filters, { seconds: 3 }), ...sound(tone(6), 3)];
		const source = await folder.source("bad.mkv", { inputs, args: ["-vsync", "vfr", "-c:a", "pcm_s16le"] });
		expect(await warningsOf(folder, source)).toEqual(shownDaily);
	});
});

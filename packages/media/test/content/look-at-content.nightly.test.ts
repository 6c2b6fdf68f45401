import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { probeWithContent } from "../../src/content/probe-with-content.ts";
import { planDigest } from "../../src/encode/encode-chunk.ts";
import { encodeChunk, planEncode, type SourceProbe } from "../../src/index.ts";
import { type OpenedPrograms, openPrograms } from "../../src/run/programs.ts";
import { type Folder, job, openFolder, tools } from "../support/sources.ts";

let folder: Folder;
let programs: OpenedPrograms;
let screen: string;
beforeAll(async () => {
	folder = await openFolder();
	programs = await openPrograms(tools);
	const draw = (name: string, picture: string, ...args: string[]) =>
		folder.source(name, { inputs: ["-f", "lavfi", "-i", `${picture}:rate=10:duration=2`], args: ["-g", "4", ...args] });
	// Bars as thin as letters, in lines, which a scrolled page moves.
	const letters =
		"geq=lum='if(lt(mod(Y+4*N\\,24)\\,12)*lt(mod(X*7+floor((Y+4*N)/24)*13\\,29)\\,9)\\,20\\,235)':cb=128:cr=128";
	screen = await draw("screen.mp4", "color=white:size=320x240", "-vf", `format=yuv420p,${letters}`, "-crf", "18");
});
afterAll(() => folder.close());

const look = (source: string): Promise<SourceProbe> => probeWithContent({ programs }, source);

describe("every process that encodes a part of a source", () => {
	const wanted = job(["av1_720"], { mp4_fallback: false, og_thumbnail: false });
	const encode = (digest: string) =>
		encodeChunk({
			source: screen,
			directory: folder.outputs(),
			job: wanted,
			chunk: { first: 0, end: 20 },
			digest,
			tools,
		});

	it("comes to the same settings by itself", async () => {
		const plan = planEncode(await look(screen), wanted);
		expect(plan.renditions).toMatchObject([{ name: "av1_240", screenTools: true }]);
		expect((await encode(planDigest(plan))).files).toEqual(["av1_240.mp4"]);
	});
});

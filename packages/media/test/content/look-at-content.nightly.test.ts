import { writeFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lookAtContent } from "../../src/content/look-at-content.ts";
import { probeWithContent } from "../../src/content/probe-with-content.ts";
import { planDigest } from "../../src/encode/encode-chunk.ts";
import { encodeChunk, planEncode, type SourceProbe } from "../../src/index.ts";
import { type OpenedPrograms, openPrograms } from "../../src/run/programs.ts";
import { probeWith } from "../../src/source/probe.ts";
import { clip, type Folder, job, lavfi, openFolder, tools } from "../support/sources.ts";

let folder: Folder;
let programs: OpenedPrograms;
let screen: string;
let noise: string;
beforeAll(async () => {
	folder = await openFolder();
	programs = await openPrograms(tools);
	const draw = (name: string, picture: string, ...args: string[]) =>
		folder.source(name, { inputs: lavfi(`${picture}:rate=10:duration=2`), args: ["-g", "4", ...args] });
	// Bars as thin as letters, in lines, which a scrolled page moves.
	const letters =
		"geq=lum='if(lt(mod(Y+4*N\\,24)\\,12)*lt(mod(X*7+floor((Y+4*N)/24)*13\\,29)\\,9)\\,20\\,235)':cb=128:cr=128";
	screen = await draw("screen.mp4", "color=white:size=320x240", "-vf", `format=yuv420p,${letters}`, "-crf", "18");
	noise = await draw("noise.mp4", "color=0x808080:size=320x240", "-vf", "noise=alls=20:allf=t", "-crf", "10");
});
afterAll(() => folder.close());

const look = (source: string): Promise<SourceProbe> => probeWithContent({ programs }, source);

describe("a look at a source", () => {
	it("tells a screen, noise, and what was filmed apart", async () => {
		expect((await look(screen)).content?.kind).toBe("screen");
		expect((await look(noise)).content?.kind).toBe("noise");
		expect((await look(clip)).content?.kind).toBe("filmed");
	});

	it("isn't taken of a source that is too short or small, and doesn't fail where nothing can be decoded", async () => {
		const probe = await probeWith({ programs }, clip);
		const nothing = { kind: "filmed", because: "no picture was looked at" };
		const broken = folder.path("broken.mp4");
		await writeFile(broken, "No picture is in here.");
		expect(await lookAtContent({ programs }, clip, { ...probe, durationSeconds: 1.9 })).toEqual(nothing);
		expect(await lookAtContent({ programs }, broken, probe)).toEqual(nothing);
	});
});

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

	it("refuses a part that was planned by another look", async () => {
		const plan = planEncode(await probeWith({ programs }, screen), wanted);
		await expect(encode(planDigest(plan))).rejects.toThrow("otherwise than the one that offered the chunk");
	});

	it("comes to the same settings by itself", async () => {
		const plan = planEncode(await look(screen), wanted);
		expect(plan.renditions).toMatchObject([{ name: "av1_240", screenTools: true }]);
		expect((await encode(planDigest(plan))).files).toEqual(["av1_240.mp4"]);
	});
});

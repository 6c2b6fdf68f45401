import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { processVideo, type SourceProbe } from "../src/index.ts";
import { expectGolden, goldenOf, goldens } from "./support/goldens.ts";
import { kinds } from "./support/kinds-of-sources.ts";
import { type Folder, job, lavfi, openFolder, program, streamsOf, tools } from "./support/sources.ts";

/*
 * What is probed of each kind of source is in its golden. every-kind-of-source.nightly.test.ts makes the sources, probes
 * them again, and looks at what comes of each.
 */
let folder: Folder;
beforeAll(async () => {
	folder = await openFolder();
});
afterAll(() => folder.close());

describe("the plan of what was probed is the golden one", () => {
	it("of every kind of source", async () => {
		const names = Object.keys(kinds).map((kind) => goldenOf(kind));
		expect((await readdir(goldens)).sort()).toEqual(names.sort());
	});

	it.each(Object.keys(kinds))("%s", async (kind) => {
		const { probe } = JSON.parse(await readFile(join(goldens, goldenOf(kind)), "utf8")) as { probe: SourceProbe };
		await expectGolden(kind, probe);
	});
});

it("a phone's recording becomes upright, even and whole: turned, of a varying rate, its sound too short", async () => {
	const sides = "color=red:size=160x90:rate=30:duration=2,drawbox=x=80:w=80:h=90:color=blue:t=fill";
	const uneven = ["-vf", "select='lt(n,20)+not(mod(n,2))'", "-fps_mode", "vfr"];
	const inputs = lavfi(sides, "sine=duration=1.2:sample_rate=44100");
	const flat = await folder.source("sides.mp4", { inputs, args: uneven });
	const source = folder.path("sides-turned.mp4");
	await program("ffmpeg", "-i", flat, "-c", "copy", "-metadata:s:v:0", "rotate=90", source);
	const directory = folder.outputs();
	const outputs = job(["h264_720"], { hls: false, og_thumbnail: false });
	const { report } = await processVideo({ source, directory, tools, job: outputs });
	const web = join(directory, "web.mp4");
	const [video, audio] = await streamsOf(web);
	expect(video).toMatchObject({
		width: 90,
		height: 160,
		avg_frame_rate: "30/1",
		r_frame_rate: "30/1",
	});
	expect(video).toMatchObject({ pix_fmt: "yuv420p", color_space: "bt709", color_transfer: "bt709" });
	expect(video).not.toHaveProperty("side_data_list");
	expect(Math.abs(Number(video?.nb_frames) - 60)).toBeLessThan(2);
	expect(audio).toMatchObject({ codec_name: "aac", channels: 1, sample_rate: "48000" });
	expect(Math.abs(Number(audio?.duration) - 2)).toBeLessThan(0.1);
	expect(report.decisions).toContainEqual(expect.objectContaining({ about: "rotation" }));

	const raw = folder.path("picture.raw");
	const thirds = ["-frames:v", "1", "-vf", "scale=1:3", "-pix_fmt", "rgb24", "-f", "rawvideo"];
	await program("ffmpeg", "-y", "-i", web, ...thirds, raw);
	const [red, , , , , , , , blue] = await readFile(raw);
	// ffmpeg writes `rotate=90` as counter-clockwise: what was left is at the bottom.
	expect([red, blue].every((value) => (value ?? 255) < 60)).toBe(true);
});

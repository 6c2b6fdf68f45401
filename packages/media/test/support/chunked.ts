import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { processVideo } from "../../src/index.ts";
import { decodes, everything, type Folder, job, keyFrameTimes, program, streamsOf, tools } from "./sources.ts";

const renditions = ["h264_720", "av1_720"];
/** Seven groups of 20 pictures: three chunks begin at 0, 4 and 10 s. */
export const long = { size: "160x90", rate: "10", seconds: 12.2 };
/** What tests of chunks make and compare, in the folder of a test file. */
export function openChunked(folder: Folder) {
	async function made(source: string, chunks: number, marks = false) {
		const directory = folder.outputs();
		const { plan, limits } = job(renditions, everything);
		const result = await processVideo({
			source,
			directory,
			tools,
			job: { plan: { ...plan, watermark: marks }, limits },
			chunks,
		});
		return { ...result, directory, file: (path: string) => join(directory, path) };
	}

	/** How alike each picture is to the one that stands at its place in the source, from 0 to 1. */
	async function likeness(path: string, source: string, size: string): Promise<number[]> {
		const stats = folder.path("ssim.txt");
		const graph = `[0:v]settb=1/1000,setpts=N[a];[1:v]fps=10:start_time=0,scale=${size},settb=1/1000,setpts=N[b];[a][b]ssim=stats_file=${stats}:shortest=1`;
		await program("ffmpeg", "-i", path, "-i", source, "-lavfi", graph, "-f", "null", "-");
		return [...(await readFile(stats, "utf8")).matchAll(/All:([\d.]+)/g)].map(([, all]) => Number(all));
	}
	const kinds = {
		"an MP4 with B-frames and few key frames": () =>
			folder.source("b-frames.mp4", { ...long, args: ["-preset", "fast", "-bf", "3", "-g", "44"] }),
		"a Matroska whose pictures begin late": () =>
			folder.source("late.mkv", { ...long, args: ["-bf", "2", "-g", "28", "-output_ts_offset", "3"] }),
		"an MP4 whose rate varies": () =>
			folder.source("varying.mp4", {
				...long,
				args: ["-vf", "select='not(between(mod(n\\,16)\\,2\\,8))'", "-fps_mode", "vfr", "-g", "24"],
			}),
		"a fragmented MP4": () =>
			folder.source("fragments.mp4", { ...long, args: ["-g", "18", "-movflags", "frag_keyframe+empty_moov"] }),
	};

	/** Expects of three chunks what one encode makes; gives the outputs of the three. */
	async function expectJoined(kind: keyof typeof kinds) {
		const source = await kinds[kind]();
		const [one, three] = [await made(source, 1), await made(source, 3)];
		expect(three.report.decisions).toContainEqual({
			about: "encoding",
			decision: "in 3 chunks at once",
			because: expect.any(String),
		});
		expect(three.files).toEqual(one.files);
		expect(await readdir(three.directory)).toEqual(await readdir(one.directory));
		expect(await readFile(three.file("media/audio.m4a"))).toEqual(await readFile(one.file("media/audio.m4a")));
		for (const track of ["h264_90", "av1_90"]) {
			const [whole, joined] = [one.file(`media/${track}.mp4`), three.file(`media/${track}.mp4`)];
			await decodes(joined);
			expect(await keyFrameTimes(joined)).toEqual([0, 2, 4, 6, 8, 10, 12]);
			const [expected, found] = [await likeness(whole, source, "160x90"), await likeness(joined, source, "160x90")];
			expect(found).toHaveLength(expected.length);
			expect(Math.min(...found)).toBeGreaterThan(Math.min(...expected) - 0.02);
			for (const seam of [40, 100]) {
				for (const at of [seam - 1, seam]) expect(found[at]).toBeGreaterThan((expected[at] ?? 1) - 0.02);
			}
		}
		const lengths = async (file: string) =>
			(await streamsOf(file)).map(({ duration, nb_frames }) => [duration, nb_frames]);
		expect(await lengths(three.file("web.mp4"))).toEqual(await lengths(one.file("web.mp4")));
		return three;
	}

	return { made, likeness, expectJoined };
}

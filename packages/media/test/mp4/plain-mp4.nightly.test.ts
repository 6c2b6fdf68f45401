import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { writePlainMp4 } from "../../src/mp4/plain-mp4.ts";
import { remuxMp4 } from "../../src/package/web-mp4.ts";
import { openPrograms } from "../../src/run/programs.ts";
import { made } from "../support/made.ts";
import { type Folder, openFolder, program, streamsOf, tools } from "../support/sources.ts";

let folder: Folder;
beforeAll(async () => {
	folder = await openFolder();
});
afterAll(() => folder.close());

const fields = "packet=stream_index,pts,dts,size,flags,data_hash";
const packets = async (path: string) =>
	(
		await program(
			...([
				"ffprobe",
				"-show_packets",
				"-show_data_hash",
				"md5",
				"-show_entries",
				fields,
				"-of",
				"csv=p=0",
				path,
			] as const),
		)
	)
		.trim()
		.split("\n")
		.sort();

it.each(["pictures and sound", "pictures alone"])(
	"has the packets, times and lengths of ffmpeg's remux: %s",
	async (of) => {
		const { directory } = await made("a small clip");
		const [video, sound] = [join(directory, "media/h264_90.mp4"), join(directory, "media/audio.m4a")];
		const audio = of === "pictures alone" ? null : sound;
		const [plain, remuxed] = [folder.path("plain.mp4"), folder.path("remuxed.mp4")];
		await writePlainMp4(audio === null ? [video] : [video, audio], plain);
		const programs = await openPrograms(tools);
		await remuxMp4({ programs }, { video, audio, hiddenSamples: 1024, target: remuxed });
		expect(await packets(plain)).toEqual(await packets(remuxed));
		const known = async (path: string) =>
			(await streamsOf(path)).map(({ codec_name, start_time, nb_frames, width, r_frame_rate, avg_frame_rate }) => ({
				...{ codec_name, start_time, nb_frames, width, r_frame_rate, avg_frame_rate },
			}));
		expect(await known(plain)).toEqual(await known(remuxed));
		const [a, b] = [await streamsOf(plain), await streamsOf(remuxed)];
		for (const [n, { duration }] of a.entries())
			expect(Math.abs(Number(duration) - Number(b[n]?.duration))).toBeLessThan(0.022);
	},
);

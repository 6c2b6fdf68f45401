import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { appendOutro } from "@reelmill/media";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { kinds } from "../support/kinds-of-sources.ts";
import { lengths, openOutros, packets } from "../support/outros.ts";
import { decodes, type Folder, openFolder, streamsOf, tools } from "../support/sources.ts";

let folder: Folder;
let outros: ReturnType<typeof openOutros>;
beforeAll(async () => {
	folder = await openFolder();
	outros = openOutros(folder);
});
afterAll(() => folder.close());

describe("an outro at the end of web.mp4", () => {
	it("leaves the video's packets, picture and sound, as they are, and goes on without a gap", async () => {
		const { web, plain } = await outros.expectJoined({ size: "640x360", rate: "30" }, { size: "640x360" });
		const [sound, old] = [await packets(web, "a"), await packets(plain, "a")];
		expect(sound.slice(0, old.length)).toEqual(old);
	});

	it("takes the video's size and rate, whatever its own are", async () => {
		const { web } = await outros.expectJoined({ size: "640x360", rate: "30" }, { size: "360x640", rate: "24000/1001" });
		expect((await streamsOf(web))[0]).toMatchObject({ width: 640, height: 360, r_frame_rate: "30/1" });
		await outros.expectJoined(
			{ size: "360x640", rate: "60", seconds: 1.3 },
			{ size: "1920x1080", rate: "12", seconds: 1 },
		);
		await outros.expectJoined(
			{ size: "426x240", rate: "30000/1001", seconds: 2.7 },
			{ size: "318x178", rate: "50", seconds: 1 },
		);
	});

	it.each([
		["turned by a phone", { width: 90, height: 160 }],
		["portrait", { width: 90, height: 160 }],
		["a variable frame rate", { width: 160, height: 90 }],
		["HDR as PQ", { width: 160, height: 90 }],
		["pixels that are not square", { width: 256, height: 144 }],
		["sound that goes on", { width: 160, height: 90 }],
	])("may be of any kind that a video may be: %s", async (kind, size) => {
		const source = (await kinds[kind]?.(folder)) ?? "";
		const { tail } = await outros.expectJoined({}, { source });
		const [video] = await streamsOf(tail);
		expect(video).toMatchObject({
			...size,
			pix_fmt: "yuv420p",
			color_transfer: "bt709",
			color_primaries: "bt709",
			color_space: "bt709",
		});
		expect(video?.r_frame_rate).toBe(video?.avg_frame_rate);
	});

	it("adds silence to a video without sound, and to an outro without sound", async () => {
		const loudness = async (path: string, from: number, seconds: number) => {
			const { stderr } = await import("node:child_process").then(({ spawnSync }) =>
				spawnSync(
					"ffmpeg",
					["-ss", String(from), "-t", String(seconds), "-i", path, "-af", "volumedetect", "-vn", "-f", "null", "-"],
					{ encoding: "utf8" },
				),
			);
			return Number(/max_volume: (-?[\d.]+|-inf) dB/.exec(stderr)?.[1]?.replace("-inf", "-Infinity"));
		};
		const mute = await outros.expectJoined({ sound: false }, {});
		expect(await loudness(mute.web, 0, mute.first - 0.1)).toBeLessThan(-80);
		expect(await loudness(mute.web, mute.first + 0.1, 1)).toBeGreaterThan(-30);
		const loud = await outros.expectJoined({}, { sound: false });
		expect(await loudness(loud.web, 0, loud.first - 0.1)).toBeGreaterThan(-30);
		expect(await loudness(loud.web, loud.first + 0.1, 1)).toBeLessThan(-60);
	});

	it("has no gap in the silence of a long video without sound", async () => {
		await outros.expectJoined({ size: "160x90", sound: false, seconds: 20.3, rate: "30000/1001" }, {});
	});

	it("has the whole encoded if the video was encoded differently", async () => {
		const directory = folder.outputs();
		await mkdir(directory);
		const foreign = await folder.source("foreign.mp4", {
			size: "640x360",
			args: ["-profile:v", "main", "-c:a", "aac", "-ar", "44100"],
		});
		await copyFile(foreign, join(directory, "web.mp4"));
		const tail = await outros.mezzanine({});
		expect(await appendOutro({ directory, outro: tail, tools })).toEqual({ whole: true });
		const web = join(directory, "web.mp4");
		await decodes(web);
		expect(Math.abs(((await lengths(web))[0] ?? 0) - 3.5)).toBeLessThan(0.1);
	});
});

import { copyFile, cp, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { appendOutro, makeMezzanine, processVideo } from "@reelmill/media";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { kinds } from "../support/kinds-of-sources.ts";
import { decodes, type Folder, job, openFolder, program, streamsOf, tools } from "../support/sources.ts";

let folder: Folder;
beforeAll(async () => {
	folder = await openFolder();
});
afterAll(() => folder.close());

type Kind = { readonly size?: string; readonly rate?: string; readonly seconds?: number; readonly sound?: boolean };
type Tail = Kind & { readonly source?: string };
let made = 0;

/** Calls a function once for each argument: what it makes is only read. */
function once<Argument, Made>(make: (argument: Argument) => Promise<Made>): (argument: Argument) => Promise<Made> {
	const before = new Map<string, Promise<Made>>();
	return (argument) => {
		const key = JSON.stringify(argument);
		const found = before.get(key) ?? make(argument);
		before.set(key, found);
		return found;
	};
}

const mezzanine = once(async ({ source: given, ...kind }: Tail): Promise<string> => {
	const directory = folder.outputs();
	const source = given ?? (await folder.source(`outro-${++made}.mp4`, { seconds: 1.5, ...kind }));
	await makeMezzanine({ source, directory, tools, job: { limits: { max_duration_seconds: 60 } } });
	return join(directory, "mezzanine.mp4");
});
const processed = once(async (kind: Kind): Promise<string> => {
	const directory = folder.outputs();
	await processVideo({
		source: await folder.source(`video-${++made}.mp4`, kind),
		directory,
		tools,
		job: job(["h264_720"], { hls: true, og_thumbnail: false }),
	});
	return directory;
});
/** A processed video in a folder of its own; `plain` is its web.mp4 as it was. */
async function video(kind: Kind = {}): Promise<{ directory: string; web: string; plain: string }> {
	const [before, directory] = [await processed(kind), folder.outputs()];
	await cp(before, directory, { recursive: true });
	return { directory, web: join(directory, "web.mp4"), plain: join(before, "web.mp4") };
}
/** Size and hash of each packet's bytes, in the order of decoding. */
const packets = async (path: string, stream: string): Promise<string[]> =>
	(
		await program(
			"ffprobe",
			"-select_streams",
			stream,
			"-show_packets",
			"-show_data_hash",
			"sha256",
			"-show_entries",
			"packet=size,data_hash",
			"-of",
			"csv=p=0",
			path,
		)
	)
		.trim()
		.split("\n");
const times = async (path: string, stream: string): Promise<number[]> =>
	(await program("ffprobe", "-select_streams", stream, "-show_entries", "packet=pts_time", "-of", "csv=p=0", path))
		.trim()
		.split("\n")
		.map(Number.parseFloat)
		// Beside a packet whose samples are hidden stands a line that says so.
		.filter((time) => !Number.isNaN(time))
		.sort((a, b) => a - b);
const lengths = async (path: string) => (await streamsOf(path)).map(({ duration }) => Number(duration));

async function expectJoined(main: Kind, outro: Tail) {
	const { directory, web, plain } = await video(main);
	const tail = await mezzanine(outro);
	const before = (await readdir(directory)).sort();
	expect(await appendOutro({ directory, outro: tail, tools })).toEqual({ whole: false });
	expect((await readdir(directory)).sort()).toEqual(before);
	await decodes(web);
	const [pictures, old] = [await packets(web, "v"), await packets(plain, "v")];
	expect(pictures.length).toBeGreaterThan(old.length);
	expect(pictures.slice(0, old.length)).toEqual(old);
	const [[whole = 0, sound = 0], [first = 0], [second = 0]] = [
		await lengths(web),
		await lengths(plain),
		await lengths(tail),
	];
	expect(Math.abs(whole - first - second)).toBeLessThan(0.1);
	expect(Math.abs(sound - whole)).toBeLessThan(0.05);
	const [a, b] = [await times(web, "v"), await times(web, "a")];
	const gaps = (moments: number[]) => moments.slice(1).map((moment, n) => moment - (moments[n] ?? 0));
	const frame = first / old.length;
	expect(Math.max(...gaps(a))).toBeLessThan(frame * 1.1);
	expect(Math.min(...gaps(a))).toBeGreaterThan(frame * 0.9);
	for (const gap of gaps(b)) expect(Math.abs(gap - 1024 / 48_000)).toBeLessThan(0.002);
	return { web, plain, tail, first };
}

describe("an outro at the end of web.mp4", () => {
	it("leaves the video's packets, picture and sound, as they are, and goes on without a gap", async () => {
		const { web, plain } = await expectJoined({ size: "640x360", rate: "30" }, { size: "640x360" });
		const [sound, old] = [await packets(web, "a"), await packets(plain, "a")];
		expect(sound.slice(0, old.length)).toEqual(old);
	});

	it("takes the video's size and rate, whatever its own are", async () => {
		const { web } = await expectJoined({ size: "640x360", rate: "30" }, { size: "360x640", rate: "24000/1001" });
		expect((await streamsOf(web))[0]).toMatchObject({ width: 640, height: 360, r_frame_rate: "30/1" });
		await expectJoined({ size: "360x640", rate: "60", seconds: 1.3 }, { size: "1920x1080", rate: "12", seconds: 1 });
		await expectJoined(
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
		const { tail } = await expectJoined({}, { source });
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
		const mute = await expectJoined({ sound: false }, {});
		expect(await loudness(mute.web, 0, mute.first - 0.1)).toBeLessThan(-80);
		expect(await loudness(mute.web, mute.first + 0.1, 1)).toBeGreaterThan(-30);
		const loud = await expectJoined({}, { sound: false });
		expect(await loudness(loud.web, 0, loud.first - 0.1)).toBeGreaterThan(-30);
		expect(await loudness(loud.web, loud.first + 0.1, 1)).toBeLessThan(-60);
	});

	it("has no gap in the silence of a long video without sound", async () => {
		await expectJoined({ size: "160x90", sound: false, seconds: 20.3, rate: "30000/1001" }, {});
	});

	it("has the whole encoded if the video was encoded differently", async () => {
		const directory = folder.outputs();
		await mkdir(directory);
		const foreign = await folder.source("foreign.mp4", {
			size: "640x360",
			args: ["-profile:v", "main", "-c:a", "aac", "-ar", "44100"],
		});
		await copyFile(foreign, join(directory, "web.mp4"));
		const tail = await mezzanine({});
		expect(await appendOutro({ directory, outro: tail, tools })).toEqual({ whole: true });
		const web = join(directory, "web.mp4");
		await decodes(web);
		expect(Math.abs(((await lengths(web))[0] ?? 0) - 3.5)).toBeLessThan(0.1);
	});

	it("leaves web.mp4 as it was when it can't be appended, or is aborted", async () => {
		const { directory, web, plain } = await video();
		await expect(appendOutro({ directory, outro: folder.path("missing"), tools })).rejects.toThrow();
		await expect(
			appendOutro({ directory, outro: await mezzanine({}), tools, signal: AbortSignal.abort(new Error("stop")) }),
		).rejects.toThrow("stop");
		expect(await packets(web, "v")).toEqual(await packets(plain, "v"));
		expect(await readdir(directory)).not.toContain(".outro");
	});
});

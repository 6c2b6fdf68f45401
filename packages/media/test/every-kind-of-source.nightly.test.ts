import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { processVideo, type SourceProbe } from "../src/index.ts";
import { expectGolden } from "./support/goldens.ts";
import { kinds } from "./support/kinds-of-sources.ts";
import { type Folder, job, lavfi, openFolder, probeAgain, program, streamsOf, tools } from "./support/sources.ts";

let folder: Folder;
const clips = new Map<string, string>();
beforeAll(async () => {
	folder = await openFolder();
	for (const [kind, make] of Object.entries(kinds)) clips.set(kind, await make(folder));
});
afterAll(() => folder.close());

/**
 * Times in tenths of a second, and no bytes: how many samples an encoder puts in front, and how many bytes it makes,
 * differs with its version.
 */
const rounded = (found: SourceProbe): SourceProbe =>
	JSON.parse(JSON.stringify(found), (key, value) => {
		if (key === "bytesBySecond") return undefined;
		if (key.endsWith("Seconds")) return Math.round(value * 10) / 10 + 0;
		return key === "frameRate" || key === "motionRate" ? Math.round(value * 1000) / 1000 : value;
	});

describe("what is probed of a real clip, and its plan, are the golden ones", () => {
	it.each(Object.keys(kinds))("%s", async (kind) => {
		const found = rounded(await probeAgain(clips.get(kind) as string));
		await expectGolden(kind, found);
	});
});

const mute = [
	...["no sound", "interlaced", "a call that grows", "a screen that is turned"],
	...["turned by a phone, and of several sizes", "a transparent half that grows"],
];

type Output = { directory: string; web: string; decisions: string[] };

describe("what comes of it", () => {
	const outputs = new Map<string, Output>();
	const of = async (kind: string): Promise<Output> => {
		const made = outputs.get(kind);
		if (made !== undefined) return made;
		const directory = folder.outputs();
		const { report } = await processVideo({
			source: clips.get(kind) as string,
			directory,
			tools,
			job: job(["h264_720"], { hls: false, og_thumbnail: false }),
		});
		const decisions = (report.decisions as { about: string; decision: string }[]).map(
			({ about, decision }) => `${about}: ${decision}`,
		);
		const output = { directory, web: join(directory, "web.mp4"), decisions };
		outputs.set(kind, output);
		return output;
	};
	/** Red, green and blue, 0 to 255, of a point given in parts of width and height, of a frame given by its number. */
	const colourAt = async (file: string, x: number, y: number, frame = 0) => {
		const raw = folder.path("pixel.raw");
		const point = `select=eq(n\\,${frame}),format=rgb24,crop=2:2:iw*${x}:ih*${y}`;
		await program("ffmpeg", "-y", "-i", file, "-map", "0:v", "-vf", point, "-frames:v", "1", "-f", "rawvideo", raw);
		const [red = 0, green = 0, blue = 0] = await readFile(raw);
		return { red, green, blue };
	};
	/** Loudness of each tenth of a second of a channel, 0 to 1. */
	const loudness = async (file: string, channel = 0) => {
		const raw = folder.path("sound.raw");
		const one = ["-map", "0:a", "-af", `pan=mono|c0=c${channel}`, "-ar", "8000", "-f", "s16le"];
		await program("ffmpeg", "-y", "-i", file, ...one, raw);
		const bytes = await readFile(raw);
		const samples = new Int16Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / 2));
		return Array.from({ length: Math.floor(samples.length / 800) }, (_, n) => {
			const part = samples.subarray(n * 800, (n + 1) * 800);
			return Math.sqrt(part.reduce((sum, sample) => sum + sample ** 2, 0) / part.length) / 32_768;
		});
	};

	it.each([
		["plain", 160, 90, 25, 1],
		["turned by a phone", 90, 160, 25, 1],
		["turned on its head", 160, 90, 25, 1],
		["pixels that are not square", 256, 144, 25, 1],
		["an odd size", 160, 90, 25, 1],
		["an odd size in VP8", 160, 90, 25, 1],
		["portrait", 90, 160, 25, 1],
		["a variable frame rate", 160, 90, 30, 2],
		["twice sixty frames a second", 160, 90, 60, 1],
		["interlaced", 160, 96, 50, 1],
		["HDR as PQ", 160, 90, 25, 1],
		["HDR as HLG", 160, 90, 25, 1],
		["ten bits", 160, 90, 25, 1],
		["full range", 160, 90, 25, 1],
		["mono", 160, 90, 25, 1],
		["5.1 with words in the centre alone", 160, 90, 25, 1],
		["silent", 160, 90, 25, 1],
		["no sound", 160, 90, 25, 1],
		["sound that ends early", 160, 90, 25, 1],
		["sound that goes on", 160, 90, 25, 2],
		["sound that begins late", 160, 90, 25, 1.4],
		["an edit list", 160, 90, 25, 1],
		["a picture that changes its size", 320, 180, 25, 2],
		["sound that changes its channels and rate", 160, 90, 25, 2],
		["recordings one behind another", 160, 90, 25, 2],
		["recordings under other numbers", 160, 90, 25, 2],
		["a clock that jumps ahead", 160, 90, 25, 2],
		["mirrored top to bottom", 160, 90, 25, 2],
		["tilted by half a quarter", 160, 90, 25, 1],
		["a long strip", 1280, 52, 25, 1],
		["BT.2020 in SDR", 160, 90, 25, 1],
		["Display P3", 160, 90, 25, 1],
		["twelve channels", 160, 90, 25, 1],
		["sound of a sphere", 160, 90, 25, 1.2],
		["one picture beside sound in Matroska", 160, 90, 25, 2],
		["fields that change their size", 160, 96, 50, 1.96],
		["transport packets of 204 bytes", 160, 90, 25, 1],
		["an unknown stream in front", 160, 90, 25, 1.48],
		["HDR as ICtCp", 160, 90, 25, 1],
		["a transparent half", 160, 90, 25, 1],
		["a transparent half that grows", 320, 180, 25, 2],
		["grey of standard definition", 160, 90, 25, 1],
		["dropped pictures in AVI", 160, 90, 25, 2.04],
		["sound that begins late and is trimmed", 160, 90, 25, 3],
		["one still picture with sound", 160, 90, 10, 2],
		["a call that grows", 320, 180, 25, 2],
		["a screen that is turned", 320, 180, 25, 3],
		["turned by a phone, and of several sizes", 240, 320, 25, 2],
		["pixels that change their shape", 256, 144, 50, 1.96],
		["a still picture in front of the film", 160, 90, 25, 1],
		["a description in front of the sound", 160, 90, 25, 1],
		["two programmes", 160, 90, 25, 1],
	])(
		"%s: %dx%d at %d frames a second for %d s, picture and sound alike, in 8 bits of BT.709",
		async (kind, width, height, rate, seconds) => {
			const { web } = await of(kind);
			const [video, audio] = await streamsOf(web);
			expect(video).toMatchObject({
				width,
				height,
				sample_aspect_ratio: "1:1",
				avg_frame_rate: `${rate}/1`,
				r_frame_rate: `${rate}/1`,
			});
			expect(video).toMatchObject({
				pix_fmt: "yuv420p",
				color_space: "bt709",
				color_transfer: "bt709",
				color_primaries: "bt709",
				color_range: "tv",
			});
			expect(video).not.toHaveProperty("side_data_list");
			expect(Number(video?.nb_frames)).toBe(Math.round(seconds * rate));
			expect(audio === undefined).toBe(mute.includes(kind));
			if (audio === undefined) return;
			expect(audio).toMatchObject({ codec_name: "aac", channels: kind === "mono" ? 1 : 2, sample_rate: "48000" });
			expect(Math.abs(Number(audio.duration) - seconds)).toBeLessThan(0.1);
		},
	);

	it("a clip that a phone turned stands upright: what was left is at the bottom", async () => {
		const sides = "color=red:size=160x90:rate=25:duration=0.4,drawbox=x=80:w=80:h=90:color=blue:t=fill";
		const flat = await folder.source("sides.mp4", { inputs: lavfi(sides) });
		await program("ffmpeg", "-i", flat, "-c", "copy", "-metadata:s:v:0", "rotate=90", folder.path("sides-turned.mp4"));
		const directory = folder.outputs();
		await processVideo({ source: folder.path("sides-turned.mp4"), directory, tools, job: job() });
		const web = join(directory, "web.mp4");
		const [top, bottom] = [await colourAt(web, 0.5, 0.1), await colourAt(web, 0.5, 0.9)];
		// ffmpeg writes `rotate=90` as counter-clockwise: left goes to the bottom.
		expect(top.blue).toBeGreaterThan(200);
		expect(bottom.red).toBeGreaterThan(200);
	});

	it("interlaced fields are woven into whole pictures", async () => {
		const combed = (file: string) => {
			const detect = ["-hide_banner", "-i", file, "-map", "0:v", "-vf", "idet", "-f", "null", "-"];
			const { stderr } = spawnSync("ffmpeg", detect, { encoding: "utf8" });
			const [, fields = "0", whole = "0"] =
				/Multi frame detection: TFF:\s*(\d+) BFF:\s*\d+ Progressive:\s*(\d+)/.exec(stderr) ?? [];
			return { fields: Number(fields), whole: Number(whole) };
		};
		const before = combed(clips.get("interlaced") as string);
		expect(before.fields, "the source is combed").toBeGreaterThan(before.whole);
		const { web, decisions } = await of("interlaced");
		const after = combed(web);
		expect(after.whole).toBeGreaterThan(20);
		expect(after.fields).toBe(0);
		expect(decisions).toContain("interlacing: deinterlaced, a picture for each field");
	});

	it("colours stay what they were, in full range and without colour tags", async () => {
		for (const format of ["yuvj420p", "yuv420p"]) {
			const brick = "color=0xb05030:size=160x90:rate=25:duration=0.4,format=rgb24";
			const source = await folder.source(`brick-${format}.mp4`, {
				inputs: lavfi(brick),
				args: ["-pix_fmt", format],
			});
			const directory = folder.outputs();
			await processVideo({ source, directory, tools, job: job() });
			const { red, green, blue } = await colourAt(join(directory, "web.mp4"), 0.5, 0.5);
			expect(Math.max(Math.abs(red - 0xb0), Math.abs(green - 0x50), Math.abs(blue - 0x30))).toBeLessThan(8);
		}
	});

	it("one channel stays one, as loud as it was", async () => {
		const { web } = await of("mono");
		const [[made = 0], [source = 1]] = [await loudness(web), await loudness(clips.get("mono") as string)];
		expect(source).toBeGreaterThan(0.02);
		expect(made / source).toBeCloseTo(1, 1);
	});

	it("the centre of 5.1 is heard on both sides", async () => {
		const { web, decisions } = await of("5.1 with words in the centre alone");
		for (const side of [0, 1]) expect((await loudness(web, side))[4]).toBeGreaterThan(0.02);
		expect(decisions).toContain("channels: stereo");
	});

	it("silence stays silent, and is not taken for missing sound", async () => {
		const { web } = await of("silent");
		expect(Math.max(...(await loudness(web)))).toBeLessThan(0.001);
	});

	it("sound that ends early is followed by silence to the end of the picture", async () => {
		const { web, decisions } = await of("sound that ends early");
		const heard = await loudness(web);
		expect(heard[2]).toBeGreaterThan(0.02);
		expect(Math.max(...heard.slice(5))).toBeLessThan(0.002);
		expect(decisions).toContain("sound: silence of 0.60 s after it");
	});

	it("sound that begins late keeps its place", async () => {
		const heard = await loudness((await of("sound that begins late")).web);
		expect(Math.max(...heard.slice(0, 3))).toBeLessThan(0.002);
		expect(heard[6]).toBeGreaterThan(0.02);
	});

	it("sound that goes on is heard to its end over the last picture", async () => {
		const { web, decisions } = await of("sound that goes on");
		expect((await loudness(web))[17]).toBeGreaterThan(0.02);
		expect(decisions).toContain("last picture: held for 1.00 s");
	});

	it("what an edit list hides is not shown", async () => {
		const { blue, red } = await colourAt((await of("an edit list")).web, 0.5, 0.5);
		expect(blue).toBeGreaterThan(200);
		expect(red).toBeLessThan(60);
	});

	it.each([
		["a call that grows", 2, "red", "red"],
		["a call that grows", 12, "red", "red"],
		["a screen that is turned", 12, "black", "red"],
		["a screen that is turned", 37, "red", "red"],
		["a screen that is turned", 62, "black", "red"],
		["turned by a phone, and of several sizes", 12, "black", "red"],
		["turned by a phone, and of several sizes", 37, "red", "red"],
	])("%s: frame %d is fitted, %s at its side and %s in its middle", async (kind, frame, side, middle) => {
		const { web } = await of(kind);
		const at = async (x: number) => {
			const { red, green, blue } = await colourAt(web, x, 0.5, frame);
			return green < 60 && blue < 60 ? (red > 200 ? "red" : red < 40 && "black") : "another";
		};
		expect([await at(0.1), await at(0.5), await at(0.88)]).toEqual([side, middle, side]);
	});

	it("a picture in 4:3 before one in 16:9 has bars, and its lines stay where they were", async () => {
		const { web } = await of("pixels that change their shape");
		const colours = async (frame: number) => [
			...[await colourAt(web, 0.04, 0.7, frame), await colourAt(web, 0.94, 0.7, frame)],
		];
		for (const { red, green, blue } of await colours(20)) expect(Math.max(red, green, blue)).toBeLessThan(40);
		for (const { red, green, blue } of await colours(70)) expect(Math.max(red, green, blue)).toBeGreaterThan(200);
	});

	it("sound that gets more channels is heard in all of its parts", async () => {
		const { web, decisions } = await of("sound that gets more channels");
		const heard = await loudness(web);
		for (const tenth of [2, 6, 10, 15, 19, 23]) expect(heard[tenth]).toBeGreaterThan(0.02);
		expect(decisions).toContain("channels: as of 6 throughout");
		expect(decisions).toContain("sound: decoded apart first");
	});

	it("a film is shown, and not the still picture in front of it", async () => {
		const { blue, red } = await colourAt((await of("a still picture in front of the film")).web, 0.5, 0.5, 12);
		expect(blue).toBeGreaterThan(200);
		expect(red).toBeLessThan(60);
	});

	it("ordinary sound plays by default, and not what is spoken for the visually impaired", async () => {
		const { web, decisions } = await of("a description in front of the sound");
		expect(Math.max(...(await loudness(web)))).toBeLessThan(0.001);
		expect(decisions).toContain("sound: stream 2 plays by default");
	});

	it("one of two programmes is taken, and named", async () => {
		const { decisions } = await of("two programmes");
		expect(decisions).toContain("programme: One");
	});

	it("a picture that changes its size midway goes on in step, in its largest size", async () => {
		const { web } = await of("a picture that changes its size");
		for (const frame of [2, 22]) expect((await colourAt(web, 0.5, 0.5, frame)).red).toBeGreaterThan(200);
		for (const frame of [28, 47]) expect((await colourAt(web, 0.5, 0.5, frame)).blue).toBeGreaterThan(200);
	});

	it("sound that changes its channels and rate midway goes on in step", async () => {
		const { web, decisions } = await of("sound that changes its channels and rate");
		const heard = await loudness(web);
		expect(Math.max(...heard.slice(0, 9))).toBeLessThan(0.002);
		for (const tenth of [12, 15, 18]) expect(heard[tenth]).toBeGreaterThan(0.02);
		expect(decisions).toContain("sound: decoded apart first");
	});

	it.each([
		["with sound that goes on", 2, 2],
		["with no more sound", 0.01, 0.03],
	])("a picture of a thousandth of a second is shown for a frame at least, %s", async (_, soundSeconds, seconds) => {
		const sound = `sine=duration=${soundSeconds}:sample_rate=48000`;
		const inputs = lavfi("testsrc2=size=160x90:rate=1000:duration=0.001", sound);
		const source = await folder.source("flash.mov", { inputs, args: ["-c:a", "pcm_s16le"] });
		const { media, files } = await processVideo({ source, directory: folder.outputs(), tools, job: job() });
		expect(files).toContain("web.mp4");
		expect(media.duration_seconds).toBeLessThanOrEqual(seconds);
	});

	it.each([
		...["recordings one behind another", "recordings under other numbers", "a clock that jumps ahead"],
		...["recordings in one WebM", "recordings in one FLV"],
	])("%s: the second part follows on the first, picture and sound alike", async (kind) => {
		const { web } = await of(kind);
		for (const frame of [2, 22]) expect((await colourAt(web, 0.5, 0.5, frame)).red).toBeGreaterThan(200);
		for (const frame of [28, 47]) expect((await colourAt(web, 0.5, 0.5, frame)).blue).toBeGreaterThan(200);
		const heard = await loudness(web);
		expect(Math.max(...heard.slice(0, 9))).toBeLessThan(0.002);
		for (const tenth of [12, 15, 18]) expect(heard[tenth]).toBeGreaterThan(0.02);
	});

	it.each(["mirrored top to bottom", "a long strip"])("%s: is encoded as AV1, too", async (kind) => {
		const directory = folder.outputs();
		const { renditions } = await processVideo({
			source: clips.get(kind) as string,
			directory,
			tools,
			job: job(["av1_720"]),
			maxSeconds: 60,
		});
		expect(renditions.map(({ codec }) => codec)).toEqual(["av1"]);
	});

	it("a mirrored picture is shown mirrored: what was at the top is at the bottom", async () => {
		const { web } = await of("mirrored top to bottom");
		expect((await colourAt(web, 0.5, 0.1)).blue).toBeGreaterThan(200);
		expect((await colourAt(web, 0.5, 0.9)).red).toBeGreaterThan(200);
	});

	it.each(["BT.2020 in SDR", "Display P3"])("%s: colours look as they did in their own primaries", async (kind) => {
		const { red, green, blue } = await colourAt((await of(kind)).web, 0.5, 0.5);
		expect(Math.max(Math.abs(red - 0xb0), Math.abs(green - 0x50), Math.abs(blue - 0x30))).toBeLessThan(8);
	});

	it.each([12, 37])("SDR, then HDR: frame %d has the colour that both had", async (frame) => {
		const { web, decisions } = await of("SDR, then HDR");
		const { red, green, blue } = await colourAt(web, 0.5, 0.5, frame);
		expect(Math.max(Math.abs(red - 0xb0), Math.abs(green - 0x50), Math.abs(blue - 0x30))).toBeLessThan(8);
		expect(decisions).toContain("dynamic range: tone-mapped to SDR where it is HDR");
	});

	it("HDR as ICtCp: colours look as they did before", async () => {
		const { red, green, blue } = await colourAt((await of("HDR as ICtCp")).web, 0.5, 0.5);
		expect(red, `${red} ${green} ${blue}`).toBeGreaterThan(1.5 * green);
		expect(green).toBeGreaterThan(1.2 * blue);
	});

	it.each([
		["a transparent half", 12],
		["a transparent half that grows", 12],
		["a transparent half that grows", 37],
	])("%s, frame %d: what is transparent is black, and the other half stays what it was", async (kind, frame) => {
		const { web, decisions } = await of(kind);
		const [left, right] = [await colourAt(web, 0.25, 0.5, frame), await colourAt(web, 0.75, 0.5, frame)];
		expect(Math.max(left.red, left.green, left.blue)).toBeLessThan(8);
		expect(
			Math.max(Math.abs(right.red - 0xb0), Math.abs(right.green - 0x50), Math.abs(right.blue - 0x30)),
		).toBeLessThan(8);
		expect(decisions).toContain("transparency: blended over black");
	});

	it("a grey of standard definition stays grey", async () => {
		const { red, green, blue } = await colourAt((await of("grey of standard definition")).web, 0.5, 0.5);
		expect(Math.max(red, green, blue) - Math.min(red, green, blue)).toBeLessThan(2);
		expect(Math.abs(green - 0x80)).toBeLessThan(3);
	});

	it("the first two of twelve channels are heard, one on each side", async () => {
		const { web, decisions } = await of("twelve channels");
		for (const side of [0, 1]) expect((await loudness(web, side))[4]).toBeGreaterThan(0.02);
		expect(decisions).toContain("channels: the first two");
	});

	it("what is on the left of a sphere is heard on the left", async () => {
		const { web } = await of("sound of a sphere");
		const [left = 0, right = 1] = [(await loudness(web, 0))[4], (await loudness(web, 1))[4]];
		expect(left).toBeGreaterThan(0.02);
		expect(right).toBeLessThan(left / 4);
	});

	it("a still picture is shown for as long as its sound lasts", async () => {
		const { web } = await of("one still picture with sound");
		expect((await loudness(web))[15]).toBeGreaterThan(0.02);
	});
});

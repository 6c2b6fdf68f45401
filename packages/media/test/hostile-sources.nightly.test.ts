import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openPrograms } from "../src/run/programs.ts";
import { type Canary, openCanary } from "./support/canary.ts";
import { lyingMp4, nestedMp4, pointers, repeatable } from "./support/hostile-files.ts";
import { asfWithScript, gifWithXmp, mxfWithLocator } from "./support/planted-references.ts";
import { type Folder, lavfi, openFolder, program, tools } from "./support/sources.ts";

let folder: Folder;
let canary: Canary;
beforeAll(async () => {
	folder = await openFolder();
	canary = await openCanary(folder);
});
afterAll(async () => {
	canary.close();
	await folder.close();
});

describe("files that point elsewhere, named .mp4", () => {
	it("reach nothing in the sandbox, even if the probe lets them in", async () => {
		const before = canary.touched();
		const programs = await openPrograms(tools, { maxSeconds: 20 });
		for (const content of Object.values(pointers(canary.uris))) {
			const source = await canary.written("let-in.mp4", content);
			for (const guess of [[], ["-f", "hls"], ["-f", "concat", "-safe", "0"]]) {
				await programs.run("ffprobe", ["-v", "quiet", ...guess, "-i", source], { reads: [source] }).catch(() => {});
			}
		}
		for (const url of canary.uris)
			await expect(programs.run("ffprobe", ["-v", "quiet", "-i", url])).rejects.toThrow("ffprobe ended with code");
		expect(canary.touched()).toEqual(before);
	});
});

describe("videos that name other files and addresses", () => {
	const small = lavfi("testsrc2=size=64x48:rate=25:duration=0.4");
	const made = async (name: string, ...args: string[]): Promise<Buffer> => {
		await program("ffmpeg", "-y", ...small, ...args, folder.path(name));
		return readFile(folder.path(name));
	};
	it.each<[string, () => Promise<Buffer[]>]>([
		["WMV", async () => [asfWithScript(await made("whole.wmv", "-c:v", "wmv2"), canary.uris)]],
		[
			"MXF",
			async () => {
				const whole = await made("whole.mxf", "-c:v", "mpeg2video");
				return canary.uris.map((uri) => mxfWithLocator(whole, uri));
			},
		],
		[
			"GIF",
			async () => {
				const whole = await made("whole.gif");
				return canary.uris.map((uri) => gifWithXmp(whole, uri));
			},
		],
		[
			"Ogg",
			async () => {
				const told = canary.uris.flatMap((uri, n) => ["-metadata", `LOCATION${n}=${uri}`, "-metadata", `url=${uri}`]);
				return [await made("whole.ogv", "-c:v", "libtheora", ...told)];
			},
		],
	])("%s: it is made, and nothing that it names is touched, without confinement as well", async (kind, make) => {
		const before = canary.touched();
		for (const bytes of await make()) {
			expect(
				canary.uris.some((uri) => [uri, Buffer.from(uri, "utf16le")].some((text) => bytes.includes(text))) ||
					canary.uris.some((uri) => bytes.includes(Buffer.from(uri, "utf16le").swap16())),
				"an address is in it",
			).toBe(true);
			const source = await canary.written(`names-others.${kind.toLowerCase()}`, bytes);
			expect(await canary.fate(source, { ...tools, confinement: "off" })).toBe("made");
		}
		expect(canary.touched()).toEqual(before);
	});
});

describe("files that lie about their size", () => {
	it.each<[string, () => Buffer, string]>([
		["100,000 tracks", () => lyingMp4(...Array.from({ length: 100_000 }, () => ({}))), "invalid_media"],
		["65535x65535", () => lyingMp4({ width: 65_535, height: 65_535 }), "invalid_media"],
		[
			"65535x65535 with a codec that trusts the container",
			() => lyingMp4({ width: 65_535, height: 65_535, codec: "jpeg" }),
			"invalid_media",
		],
		[
			"an index of four thousand million samples",
			() => lyingMp4({ samples: 0xffff_fff0, sampleBytes: 1 }),
			"invalid_media",
		],
		["an index of eighty million samples", () => lyingMp4({ samples: 80_000_000, sampleBytes: 1 }), "invalid_media"],
		["an index of twenty million samples", () => lyingMp4({ samples: 20_000_000, sampleBytes: 1 }), "invalid_media"],
		["boxes in boxes, five thousand deep", () => nestedMp4(5000), "no_video_stream"],
		["nothing at all", () => Buffer.alloc(0), "invalid_media"],
		["zeros", () => Buffer.alloc(100_000), "invalid_media"],
	])("%s", async (_, make, reason) => {
		await canary.expectRefused(await canary.written("liar.mp4", make()), reason);
	});

	it("a JPEG in a movie whose own header says 65535x65535", async () => {
		const made = folder.path("small.mov");
		await program("ffmpeg", ...lavfi("color=red:size=64x64:rate=10:duration=0.3"), "-c:v", "mjpeg", made);
		const bytes = await readFile(made);
		let patched = 0;
		for (
			let at = bytes.indexOf("\xff\xc0\0\x11\x08", 0, "latin1");
			at >= 0;
			at = bytes.indexOf("\xff\xc0\0\x11\x08", at + 1, "latin1")
		) {
			bytes.writeUInt32BE(0xffffffff, at + 5);
			patched += 1;
		}
		expect(patched).toBe(3);
		const reason = await canary.fate(await canary.written("patched.mov", bytes));
		expect(["invalid_media", "dimensions_too_large"]).toContain(reason);
	});

	it("one frame a second for ten hours", async () => {
		const [second, day] = [folder.path("second.avi"), folder.path("day.mkv")];
		await program("ffmpeg", ...lavfi("color=red:size=64x36:rate=1:duration=1"), "-c:v", "mjpeg", second);
		await program("ffmpeg", "-stream_loop", "35999", "-i", second, "-c", "copy", day);
		await canary.expectRefused(day, "duration_too_long");
	});
});

describe("damaged files", () => {
	it("with bits flipped end as a video or with their reason, in time", async () => {
		const whole = await readFile(
			await folder.source("whole.mp4", { size: "160x90", seconds: 1, args: ["-movflags", "+faststart"] }),
		);
		const chance = repeatable(7);
		const fates: string[] = [];
		for (let n = 0; n < 8; n++) {
			const bytes = Buffer.from(whole);
			for (let flips = 0; flips < 2 ** (n % 6); flips++) {
				const at = Math.floor(chance() * bytes.length);
				bytes[at] = (bytes[at] as number) ^ (1 << Math.floor(chance() * 8));
			}
			fates.push(await canary.fate(await canary.written("flipped.mp4", bytes)));
		}
		expect(fates).toContain("made");
		expect(
			fates.every((reason) => ["made", "invalid_media", "no_video_stream", "duration_too_long"].includes(reason)),
		).toBe(true);
	});

	it.each([0.1, 0.4, 0.7])(
		"cut off after %d of their bytes are refused, although ffmpeg would end with code 0",
		async (share) => {
			const whole = await readFile(
				await folder.source("long.mp4", { size: "160x90", seconds: 4, args: ["-movflags", "+faststart"] }),
			);
			await canary.expectRefused(
				await canary.written("cut.mp4", whole.subarray(0, Math.floor(whole.length * share))),
				"invalid_media",
			);
		},
	);
});

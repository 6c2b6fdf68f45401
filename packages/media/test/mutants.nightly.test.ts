import { readFile, rm, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MediaError, processVideo } from "../src/index.ts";
import { mutant } from "./support/mutants.ts";
import { type Folder, job, openFolder, program, tools } from "./support/sources.ts";

/** REELMILL_MUTANTS asks for more files, REELMILL_MUTANTS_FROM for others; a failing one tells its number. */
const count = Number(process.env.REELMILL_MUTANTS ?? 32);
const from = Number(process.env.REELMILL_MUTANTS_FROM ?? 0);

const picture = ["-f", "lavfi", "-i", "testsrc2=size=64x48:rate=10:duration=0.5"];
const sound = ["-f", "lavfi", "-i", "sine=duration=0.5:sample_rate=48000"];
const small = [...picture, ...sound];

/** The smallest files of each container, of which the mutants are made. */
const originals: Record<string, string[]> = {
	"theora.ogv": [...small, "-c:v", "libtheora", "-c:a", "libvorbis"],
	"vp8.ogg": [...small, "-c:v", "libvpx", "-deadline", "realtime", "-c:a", "libopus"],
	"a.wmv": [...small, "-c:v", "wmv2", "-c:a", "wmav2"],
	"a.dv": [...small, "-t", "0.2", "-target", "pal-dv", "-ac", "2"],
	"a.gif": picture,
	"mpeg2.mxf": [...small, "-r", "25", "-c:v", "mpeg2video", "-c:a", "pcm_s16le"],
	"h264.mxf": [
		...small,
		"-r",
		"25",
		"-c:v",
		"libx264",
		"-preset",
		"ultrafast",
		"-pix_fmt",
		"yuv420p",
		"-c:a",
		"pcm_s16le",
	],
	"a.3gp": [...picture, "-s", "176x144", "-c:v", "h263"],
};

let folder: Folder;
const whole: { name: string; bytes: Buffer }[] = [];
beforeAll(async () => {
	folder = await openFolder();
	for (const [name, args] of Object.entries(originals)) {
		await program("ffmpeg", ...args, folder.path(name));
		whole.push({ name, bytes: await readFile(folder.path(name)) });
	}
});
afterAll(() => folder.close());

/** What may become of a damaged file: a video, or an error that names the file as the reason. */
const fine = ["made", "invalid_media", "no_video_stream", "duration_too_long", "dimensions_too_large"];

/** Returns what becomes of a source: `made` or a reason. Rejects with anything that is no fault of the file. */
async function fate(source: string): Promise<string> {
	const directory = folder.outputs();
	try {
		const signal = AbortSignal.timeout(120_000);
		const outputs = job(["h264_720"], { hls: false, og_thumbnail: false }, 20);
		await processVideo({ source, directory, tools, signal, job: outputs });
		return "made";
	} catch (error) {
		if (error instanceof MediaError) return error.reason;
		throw error;
	} finally {
		await rm(directory, { recursive: true, force: true });
	}
}

/** Writes a mutant, and returns its name with what was done to it. */
async function write(number: number): Promise<string> {
	const { name, bytes } = whole[number % whole.length] as (typeof whole)[number];
	const { bytes: damaged, damage } = mutant(bytes, number);
	await writeFile(folder.path("mutant"), damaged);
	return `${name} with ${damage}`;
}

describe("damaged files of each container", () => {
	it("of which ffmpeg gives up most frames are the source's fault", async () => {
		expect(await write(923)).toBe("a.dv with a piece that comes twice");
		expect(await fate(folder.path("mutant"))).toBe("invalid_media");
	});

	it(
		`end as a video or with their reason: ${count} from number ${from}`,
		async () => {
			const fates = new Map<string, number>();
			const wrong: string[] = [];
			for (let number = from; number < from + count; number++) {
				const damaged = await write(number);
				const reason = await fate(folder.path("mutant")).catch(String);
				if (!fine.includes(reason)) wrong.push(`Mutant ${number}, ${damaged}: ${reason}`);
				fates.set(reason, (fates.get(reason) ?? 0) + 1);
			}
			expect(wrong).toEqual([]);
			if (count >= 32) for (const reason of ["made", "invalid_media"]) expect(fates.get(reason)).toBeGreaterThan(0);
		},
		count * 130_000,
	);
});

import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { encodeTracks } from "../../src/encode/encode-tracks.ts";
import { MediaError, ProgramError, planEncode, probe } from "../../src/index.ts";
import type { Finished } from "../../src/run/execute.ts";
import { openPrograms, type Programs } from "../../src/run/programs.ts";
import { clip, job, openFolder, probeAgain, program, tools } from "../support/sources.ts";

const planned = probe(clip, tools).then((probed) => planEncode(probed, job()));

/** How an encode fails if ffmpeg ends like this. */
async function failure(end: () => Promise<Finished>): Promise<unknown> {
	const programs: Programs = { run: end };
	const plan = await planned;
	const directory = "/nonexistent";
	const paths = {
		video: ({ name }: { readonly name: string }) => join(directory, `${name}.mp4`),
		audio: ({ name }: { readonly name: string }) => join(directory, `${name}.m4a`),
	};
	return encodeTracks({ programs, source: clip, plan, paths, directory }).catch((error: unknown) => error);
}
const ending = (stderr: string) => () =>
	Promise.reject(new ProgramError("ffmpeg", { code: 1, killedBy: null, stderr }));

it.each([
	"Error while decoding stream #0:0: Invalid data found when processing input",
	"[aac @ 0x55dadcb32440] more samples than frame size\nError submitting audio frame to the encoder",
	"Error while filtering: Operation not permitted\nError while processing the decoded data for stream #0:0",
])("blames the source for what decoders and filters can't take: %s", async (stderr) => {
	expect(await failure(ending(stderr))).toMatchObject({ name: "MediaError", reason: "invalid_media" });
});

it.each(["No space left on device", "Cannot allocate memory"])(
	"blames the machine, and no damage of the source that ffmpeg got over, for: %s",
	async (shortage) => {
		const stderr = `Error while decoding stream #0:0: Invalid data found when processing input\nav_interleaved_write_frame(): ${shortage}`;
		expect(await failure(ending(stderr))).toBeInstanceOf(ProgramError);
	},
);

it("leaves out further tracks of sound with which the source can't be decoded", async () => {
	const folder = await openFolder();
	const tone = ["-f", "lavfi", "-i", "sine=duration=1"];
	const inputs = ["-f", "lavfi", "-i", "testsrc2=size=64x64:rate=25:duration=1", ...tone, ...tone];
	const encoders = ["-map", "0", "-map", "1", "-map", "2", "-c:a:0", "aac", "-c:a:1", "ac3"];
	const whole = await folder.source("whole.mkv", { inputs, args: encoders });
	const source = folder.path("damaged.mkv");
	await program("ffmpeg", "-i", whole, "-map", "0", "-c", "copy", "-bsf:a:1", "noise=amount=1", source);
	const directory = folder.outputs();
	await mkdir(directory);
	const paths = {
		video: ({ name }: { readonly name: string }) => join(directory, `${name}.mp4`),
		audio: ({ name }: { readonly name: string }) => join(directory, `${name}.m4a`),
	};
	const plan = planEncode(await probeAgain(source), job());
	const programs = await openPrograms({ ...tools, confinement: "off" });
	const decisions = await encodeTracks({ programs, source, plan, paths, directory });
	const made = await readdir(directory);
	await folder.close();
	expect(plan.sounds.map(({ name }) => name)).toEqual(["audio", "audio_2"]);
	expect(made.filter((file) => file.endsWith(".m4a"))).toEqual(["audio.m4a"]);
	expect(decisions).toContainEqual(expect.objectContaining({ decision: "only the first track" }));
});

it("sees that there was no room for the last bytes, even if ffmpeg ends with code 0", async () => {
	const failed = await failure(async () => ({
		stdout: Buffer.alloc(0),
		stderr: "Error writing trailer of a.mp4: No space left on device\n",
	}));
	expect(failed).not.toBeInstanceOf(MediaError);
	expect(String(failed)).toContain("could not be written: Error writing trailer of a.mp4: No space left on device");
});

import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { encodeTracks } from "../../src/encode/encode-tracks.ts";
import { planEncode, processVideo } from "../../src/index.ts";
import { onlyKeyFrames } from "../../src/mp4/key-frames.ts";
import { provePackets, sumFile } from "../../src/mp4/packet-sums.ts";
import { readTrack, type Segment, type Track } from "../../src/mp4/track.ts";
import { type OpenedPrograms, openPrograms } from "../../src/run/programs.ts";
import { type Folder, job, openFolder, probeAgain, program, tools } from "../support/sources.ts";

let folder: Folder;
let programs: OpenedPrograms;
let path: string;
let whole: Buffer;
let track: Track;

const encodeTo = async (name: string, sums: boolean): Promise<string> => {
	const source = await folder.source("source.mp4", { rate: "24000/1001", seconds: 3 });
	const directory = folder.path(name);
	await mkdir(directory);
	const paths = { video: () => join(directory, "track.mp4"), audio: () => join(directory, "audio.m4a") };
	await encodeTracks(
		{ programs, source, plan: planEncode(await probeAgain(source), job()), paths, directory },
		{ sums },
	);
	return paths.video();
};

beforeAll(async () => {
	[folder, programs] = [await openFolder(), await openPrograms({ ...tools, confinement: "off" })];
	// Whatever a folder is called: ffmpeg has a meaning of its own for these.
	path = await encodeTo("a 'folder' | [with] \\signs", true);
	whole = await readFile(path);
	track = await readTrack(path, "track");
});
afterAll(() => folder.close());

const proved = (sum = sumFile(path)) => provePackets({ programs }, { path, sum }, [path]);
const damage = async (at: number, change: (byte: number) => number, length = 1) => {
	const damaged = Buffer.from(whole);
	for (let n = at; n < at + length; n += 1) damaged[n] = change(damaged[n] as number);
	await writeFile(path, damaged);
};

it("takes a track as it was encoded, which is the one that is encoded without a sum", async () => {
	await proved();
	expect(whole.equals(await readFile(await encodeTo("plain", false)))).toBe(true);
});

it("refuses a track of which any bit was changed, or the end is missing", async () => {
	for (const { offset, length } of track.segments) {
		for (const share of [0.2, 0.5, 0.8, 0.999]) {
			await damage(offset + Math.floor(share * length), (byte) => byte ^ 1);
			await expect(proved(), `${share} of the segment at ${offset}`).rejects.toThrow();
		}
	}
	const { offset, length } = track.segments.at(-1) as Segment;
	await writeFile(path, whole.subarray(0, offset + length - 1));
	await expect(proved()).rejects.toThrow();
});

it("refuses key frames that don't decode, even if they are what the encoder gave", async () => {
	await writeFile(path, whole);
	const { offset, length } = (await onlyKeyFrames(track, path)).segments.at(-1) as Segment;
	await damage(offset + Math.floor(0.7 * length), () => 0xa5, Math.floor(0.2 * length));
	const filter = ["-c", "copy", "-bsf:v", "filter_units=remove_types=7-8"];
	const sum = folder.path("sum");
	await program("ffmpeg", "-y", "-f", "mov", "-i", path, ...filter, "-f", "streamhash", "-hash", "md5", sum);
	await expect(proved(sum)).rejects.toThrow("error while decoding");
});

/** Makes a job whose tracks of H.264 with such a name are changed near their end as soon as ffmpeg has written them. */
const makeDamaged = async (name: string, chunks: number) => {
	const [directory, ffmpeg] = [folder.outputs(), folder.path(`damaging-${name.replaceAll("*", "")}`)];
	const change = "printf '\\245\\245\\245\\245' | dd of=$file bs=1 seek=$(($(stat -c %s $file) - 300)) conv=notrunc";
	const script = [
		"#!/bin/sh",
		"PATH=/usr/local/bin:/usr/bin:/bin",
		'ffmpeg "$@"; code=$?',
		`case "$*" in *libx264*) for file in $(find ${directory} -name '${name}'); do ${change} 2>/dev/null; done;; esac`,
		"exit $code",
	];
	await writeFile(ffmpeg, script.join("\n"));
	await chmod(ffmpeg, 0o755);
	const source = await folder.source("four.mp4", { seconds: 4, sound: false });
	const damaging = { ...tools, ffmpeg, confinement: "off" as const };
	return processVideo({ source, directory, tools: damaging, job: job(), chunks });
};

it("lets a job fail whose track was changed on the disk", async () => {
	await expect(makeDamaged("h264*.mp4", 1)).rejects.toThrow("does not hold what the encoder gave");
});

it("makes a job encode a source as one whose chunk was changed on the disk", async () => {
	const { report } = await makeDamaged("h264*.from-50", 2);
	const because = expect.stringContaining("does not hold what the encoder gave");
	expect(report.decisions).toContainEqual({ about: "encoding", decision: "as one", because });
});

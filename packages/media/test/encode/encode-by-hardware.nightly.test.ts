import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { encodeByHardware } from "../../src/encode/encode-by-hardware.ts";
import { openEncode } from "../../src/encode/open-encode.ts";
import { type Decision, type Playable, type ProcessOptions, planEncode, processVideo } from "../../src/index.ts";
import { readTrack } from "../../src/mp4/track.ts";
import { type Fault, pretended, pretendHardware } from "../support/pretended-hardware.ts";
import { decodes, type Folder, job, keyFrameTimes, openFolder, tools } from "../support/sources.ts";

let folder: Folder;
let source: string;
let made = 0;
beforeAll(async () => {
	folder = await openFolder();
	source = await folder.source("source.mp4", { size: "160x90", rate: "10", seconds: 3 });
});
afterAll(() => folder.close());

const both = job(["h264_720", "av1_720"], { og_thumbnail: false });
/** What ffmpeg is told, and where the hardware is given up, is the same in and out of the sandbox. */
const withFault = async (fault: Fault) => ({
	...tools,
	confinement: "off" as const,
	ffmpeg: await pretendHardware(folder.path(`ffmpeg-${++made}`), fault),
	hardware: pretended,
});
const gaveUp = "the hardware encoder failed: the video is encoded in software";
function collectWarnings() {
	const warnings: string[] = [];
	const warn = (_: object, message: string) => void warnings.push(message);
	return { warnings, logger: { debug() {}, info() {}, warn, error() {} } };
}

/** Makes all outputs with a pretended hardware. */
async function make(fault: Fault, options: Partial<ProcessOptions> = {}) {
	const directory = folder.outputs();
	const { warnings, logger } = collectWarnings();
	const use = { source, directory, logger, job: both, tools: await withFault(fault) };
	const { report, files } = await processVideo({ ...use, ...options });
	return { decisions: report.decisions as Decision[], files, directory, warnings };
}

/** Makes the tracks alone. */
async function encodeTracks(fault: Fault, signal?: AbortSignal) {
	const { warnings, logger } = collectWarnings();
	const options = { source, directory: folder.outputs(), tools: await withFault(fault), logger, signal };
	const { encode } = await openEncode(options, (probed) => planEncode(probed, job()));
	const decisions = await encodeByHardware(encode);
	const { renditions } = encode.plan;
	return { decisions, warnings, path: encode.paths.video(renditions[0] as (typeof renditions)[0]) };
}

/** Whole outputs: every key frame is there, all decodes, and nothing else is left. */
async function areWhole({ directory, files }: { readonly directory: string; readonly files: readonly string[] }) {
	const tracks = files.filter((file) => /^media\/.*mp4$/.test(file));
	expect(tracks).toEqual(["media/av1_90.mp4", "media/h264_90.mp4"]);
	for (const file of tracks) {
		await decodes(join(directory, file));
		expect(await keyFrameTimes(join(directory, file))).toEqual([0, 2]);
	}
	const found = await readdir(directory, { recursive: true, withFileTypes: true });
	expect(found.filter((entry) => entry.isFile())).toHaveLength(files.length);
}
const softwareBecause = (because: string) => ({ about: "encoders", decision: "software after all", because });

describe("a job by hardware", () => {
	it("makes the renditions, and the report says which encoder made each", async () => {
		const result = await make({});
		await areWhole(result);
		const because = "hardware encoders are switched on";
		expect(result.decisions).toContainEqual({ about: "h264_90", decision: "encoded by h264_vaapi", because });
		expect(result.decisions).toContainEqual({
			about: "av1_90",
			decision: "encoded in software",
			because: "av1_vaapi does not work here",
		});
		expect(result.warnings).not.toContain(gaveUp);
	});

	it("that fails in the middle is done in software, and loses nothing, also if H.264 comes first", async () => {
		const percents: number[] = [];
		const playable: string[][] = [];
		const onPlayable = ({ files }: Playable) => void playable.push(files);
		const instead = 'ffmpeg -t 2 "$@"\necho "[h264_vaapi] Failed to end picture encode issue: 23" >&2\nexit 187';
		const onProgress = (percent: number) => void percents.push(percent);
		const result = await make({ instead }, { onPlayable, onProgress });
		await areWhole(result);
		expect(result.decisions).toContainEqual(softwareBecause("h264_vaapi failed: ffmpeg ended with code 187"));
		expect(result.decisions.filter(({ about }) => about === "encoders")).toHaveLength(1);
		expect(playable[0]).toContain("media/h264_90.mp4");
		expect(JSON.stringify(result.decisions)).not.toContain("encoded by");
		expect(result.warnings).toContain(gaveUp);
		expect(percents).toEqual([...percents].sort((a, b) => a - b));
		expect(percents.at(-1)).toBe(100);
	});

	it.each<[string, Fault, string]>([
		["is killed by its driver", { instead: "kill -SEGV $$" }, "ffmpeg was ended by SIGSEGV"],
		["leaves frames out", { options: "-frames:v 21" }, "Error: h264_90 has 21 of 30 frames."],
		[
			"makes other key frames",
			{ options: "-force_key_frames 'expr:gte(n,n_forced*7)'" },
			"Error: The key frames of h264_90 don't come every 20 frames.",
		],
		[
			"makes what does not decode",
			{
				instead:
					'ffmpeg "$@" || exit 1\nfor word; do case $word in *h264_90.mp4) dd if=/dev/zero of="$word" bs=1 ' +
					'seek=$(($(stat -c %s "$word") / 2)) count=2000 conv=notrunc status=none ;; esac; done',
			},
			"Error: What it made does not decode.",
		],
	])("that %s makes the same track in software", async (_, fault, because) => {
		const { decisions, warnings, path } = await encodeTracks(fault);
		expect(decisions).toEqual([softwareBecause(`h264_vaapi failed: ${because}`)]);
		expect(warnings).toContain(gaveUp);
		const track = await readTrack(path, "h264_90");
		expect([track.seconds, track.segments.map(({ startSeconds }) => startSeconds)]).toEqual([3, [0, 2]]);
		await decodes(path);
	});

	it("does not fall back if the job is cancelled or the disk is full", async () => {
		const full = encodeTracks({ instead: 'echo "av_write_frame(): No space left on device" >&2\nexit 1' });
		await expect(full).rejects.toThrow("No space left on device");
		const stop = new AbortController();
		const fault = { instead: `touch ${folder.path("started")}\nsleep 86394` };
		const cancelled = encodeTracks(fault, stop.signal);
		const isStarted = async () => (await readdir(folder.folder)).includes("started");
		await expect.poll(isStarted).toBe(true);
		stop.abort(new Error("The job was cancelled."));
		await expect(cancelled).rejects.toThrow("The job was cancelled.");
	});

	it("that is cut is all in software: no rendition is of both", async () => {
		const result = await make({}, { chunks: 2, job: job(["h264_720"], { og_thumbnail: false }) });
		expect(result.decisions.map(({ decision }) => decision)).toContain("in 2 chunks at once");
		expect(JSON.stringify(result.decisions)).not.toContain("vaapi");
	});
});

import { access, chmod, readFile, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCommandTranscriber, processVideo, type Transcriber } from "../../src/index.ts";
import { clip, type Folder, job, openFolder, tools } from "../support/sources.ts";

const recordings = "/usr/share/pocketsphinx/test/data";
let folder: Folder;
let spoken: string;

/** A program of the operator's; the WAV file is its first argument. */
async function script(name: string, lines: string): Promise<Transcriber> {
	const path = folder.path(name);
	await writeFile(path, `#!/bin/sh\n${lines}\n`);
	await chmod(path, 0o755);
	return createCommandTranscriber({ program: path });
}

const wanting = (renditions?: string[]) => {
	const { plan, limits } = job(renditions);
	return { plan: { ...plan, transcript: true }, limits };
};
const make = async (source: string, transcriber?: Transcriber) => {
	const directory = folder.outputs();
	return { directory, ...(await processVideo({ source, directory, tools, job: wanting(), transcriber })) };
};
beforeAll(async () => {
	folder = await openFolder();
	await access(recordings).catch(() => {
		throw new Error(
			"The recorded speech is missing; on Debian or Ubuntu: apt-get install pocketsphinx pocketsphinx-en-us pocketsphinx-testdata",
		);
	});
	const picture = ["-f", "lavfi", "-i", "testsrc2=size=160x90:rate=5:duration=5"];
	// A man says "go forward ten meters"; here he begins two seconds later.
	const speech = ["-f", "s16le", "-ar", "16000", "-ac", "1", "-i", `${recordings}/goforward.raw`];
	spoken = await folder.source("spoken.mp4", {
		inputs: [...picture, ...speech],
		args: ["-af", "adelay=2000,apad=whole_dur=5"],
	});
});
afterAll(() => folder.close());

describe("a video without a transcript", () => {
	const unused: Transcriber = {
		name: "unused",
		transcribe: () => Promise.reject(new Error("Nobody should have asked.")),
	};

	it("says that it is unavailable if there is no transcriber", async () => {
		const made = await make(spoken);
		expect(made.transcript).toEqual({ status: "unavailable", language: null });
		expect(await readFile(`${made.directory}/hls/master.m3u8`, "utf8")).not.toContain("SUBTITLES");
	});

	it("has none if the job wants none", async () => {
		const made = await processVideo({
			source: spoken,
			directory: folder.outputs(),
			tools,
			job: job(),
			transcriber: unused,
		});
		expect(made.transcript).toEqual({ status: "disabled", language: null });
		expect(made.files.filter((file) => /transcript|captions/.test(file))).toEqual([]);
	});

	it("has no speech if its sound is silence, or missing, and no transcriber makes words up", async () => {
		const silence = [
			"-f",
			"lavfi",
			"-i",
			"testsrc2=size=320x180:rate=25:duration=2",
			"-f",
			"lavfi",
			"-i",
			"anullsrc=r=44100:cl=stereo:d=2",
		];
		for (const source of [
			await folder.source("silent.mp4", { inputs: silence }),
			await folder.source("mute.mp4", { sound: false }),
		]) {
			expect((await make(source, unused)).transcript).toEqual({ status: "no_speech", language: null });
		}
	});

	it("has no speech if the transcriber hears none", async () => {
		const hearing = await script(
			"blank",
			`echo '{ "language": "en", "cues": [{ "start": 0, "end": 2, "text": " [BLANK_AUDIO]" }] }'`,
		);
		const made = await make(await folder.source("tone.mp4"), hearing);
		expect(made.transcript).toEqual({ status: "no_speech", language: null });
		expect(made.files).not.toContain("transcript.vtt");
	});

	it.each([
		["ends with an error", "echo no model >&2; exit 3", /^failing ended with code 3$/],
		[
			"prints something else",
			"echo [00:01] hello",
			/^What failing printed can't be read. It printed neither WebVTT nor JSON.$/,
		],
	])("is there all the same where the transcriber %s", async (_, lines, because) => {
		const made = await make(spoken, await script("failing", lines));
		expect(made.transcript).toEqual({ status: "failed", language: null });
		expect(made.files).toContain("hls/master.m3u8");
		expect(made.report.decisions).toContainEqual({
			about: "transcript",
			decision: "failed",
			because: expect.stringMatching(because),
		});
	});
});

describe("a transcriber at work", () => {
	it("begins before the encoders have ended", async () => {
		let [progress, atStart] = [0, 100];
		const transcriber: Transcriber = {
			name: "watching",
			transcribe: async () => {
				atStart = progress;
				return { cues: [], language: null, confidence: null };
			},
		};
		const onProgress = (percent: number) => {
			progress = percent;
		};
		await processVideo({
			source: clip,
			directory: folder.outputs(),
			tools,
			job: wanting(["h264_720", "av1_720"]),
			transcriber,
			onProgress,
		});
		expect(atStart).toBeLessThan(90);
	});

	it("takes a sound that changes its channels and rate midway", async () => {
		const wavs: number[] = [];
		const parts = await Promise.all([
			folder.source("first.ts", { args: ["-c:a", "aac", "-ac", "1", "-ar", "44100"] }),
			folder.source("second.ts", { args: ["-c:a", "aac", "-ac", "2", "-ar", "48000"] }),
		]);
		await writeFile(folder.path("midway.ts"), Buffer.concat(await Promise.all(parts.map((part) => readFile(part)))));
		const transcriber: Transcriber = {
			name: "measuring",
			transcribe: async (wav) => {
				wavs.push((await readFile(wav)).length);
				return { cues: [], language: null, confidence: null };
			},
		};
		const made = await make(folder.path("midway.ts"), transcriber);
		expect(made.transcript?.status).toBe("no_speech");
		expect((wavs[0] ?? 0) / 32_000).toBeCloseTo(made.media.duration_seconds, 0);
	});
});

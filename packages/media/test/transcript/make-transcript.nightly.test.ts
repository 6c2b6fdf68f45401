import { execFile } from "node:child_process";
import { access, chmod, readdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import * as hls from "hls-parser";
import { Parser } from "m3u8-parser";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { WebVTTParser } from "webvtt-parser";
import { createCommandTranscriber, processVideo, type Transcriber } from "../../src/index.ts";
import { clip, type Folder, job, lavfi, openFolder, tools } from "../support/sources.ts";

const recordings = "/usr/share/pocketsphinx/test/data";
let folder: Folder;
let spoken: string;
let pocketsphinx: Transcriber;

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
/** A command that does not end by itself, and that no other run of these tests has. */
const sleep = (seconds: number) => `sleep ${seconds}.${process.pid}`;
const processesWith = async (text: string) =>
	(await promisify(execFile)("ps", ["-eo", "args"])).stdout.split("\n").filter((line) => line.includes(text));

beforeAll(async () => {
	folder = await openFolder();
	await access(recordings).catch(() => {
		throw new Error(
			"The recorded speech is missing; on Debian or Ubuntu: apt-get install pocketsphinx pocketsphinx-en-us pocketsphinx-testdata",
		);
	});
	const picture = lavfi("testsrc2=size=160x90:rate=5:duration=5");
	// A man says "go forward ten meters"; here he begins two seconds later.
	const speech = ["-f", "s16le", "-ar", "16000", "-ac", "1", "-i", `${recordings}/goforward.raw`];
	spoken = await folder.source("spoken.mp4", {
		inputs: [...picture, ...speech],
		args: ["-af", "adelay=2000,apad=whole_dur=5"],
	});
	const program = fileURLToPath(new URL("../support/pocketsphinx.ts", import.meta.url));
	pocketsphinx = await createCommandTranscriber({ program: process.execPath, args: [program] });
});
afterAll(() => folder.close());

describe("a video in which someone speaks", () => {
	let made: Awaited<ReturnType<typeof make>>;
	const text = (file: string) => readFile(`${made.directory}/${file}`, "utf8");
	beforeAll(async () => {
		made = await make(spoken, pocketsphinx);
	});

	it("gets what was said, when it was said, and in which language", async () => {
		expect(made.transcript).toEqual({ status: "available", language: "en" });
		const { cues, errors } = new WebVTTParser().parse(await text("transcript.vtt"), "captions");
		expect(errors).toEqual([]);
		expect(cues.map((cue) => cue.text)).toEqual(["go forward ten meters"]);
		expect(cues[0]?.startTime).toBeGreaterThan(2.3);
		expect(cues[0]?.startTime).toBeLessThan(2.7);
		expect(cues[0]?.endTime).toBeLessThan(4.4);
	});

	it("says in its report who heard it and how surely", () => {
		const because = expect.stringMatching(/ heard words, confidence 0\.\d\d$/);
		expect(made.report.decisions).toContainEqual({ about: "transcript", decision: "made", because });
	});

	it("declares the transcript and its playlist, and leaves nothing else", async () => {
		expect(made.files).toEqual(expect.arrayContaining(["transcript.vtt", "hls/captions.m3u8"]));
		const left = await readdir(made.directory, { recursive: true, withFileTypes: true });
		expect(left.filter((entry) => entry.isFile())).toHaveLength(made.files.length);
	});

	it("has captions in the master playlist, as two parsers see it", async () => {
		const master = await text("hls/master.m3u8");
		const parsed = hls.parse(master) as hls.types.MasterPlaylist;
		for (const variant of parsed.variants.filter((one) => !one.isIFrameOnly)) {
			expect(variant.subtitles).toEqual([
				expect.objectContaining({
					groupId: "captions",
					language: "en",
					name: "English",
					uri: "captions.m3u8",
					isDefault: false,
					autoselect: true,
					forced: false,
				}),
			]);
		}
		const parser = new Parser();
		parser.push(master);
		parser.end();
		expect(parser.manifest.mediaGroups.SUBTITLES).toEqual({
			captions: { English: expect.objectContaining({ language: "en", uri: "captions.m3u8" }) },
		});
	});

	it("has a playlist of its own for them: the one file, as long as the video", async () => {
		const playlist = hls.parse(await text("hls/captions.m3u8")) as hls.types.MediaPlaylist;
		expect(playlist).toMatchObject({ endlist: true, playlistType: "VOD", targetDuration: 5 });
		expect(playlist.segments.map(({ uri, duration }) => ({ uri, duration }))).toEqual([
			{ uri: "../transcript.vtt", duration: 5 },
		]);
	});
});

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
		const silence = lavfi("testsrc2=size=320x180:rate=25:duration=2", "anullsrc=r=44100:cl=stereo:d=2");
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
		["crashes", "kill -SEGV $$", /^failing was ended by SIGSEGV$/],
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

	it("is killed with all that it started when the job is aborted", async () => {
		await promisify(execFile)("mkfifo", [folder.path("started")]);
		const hanging = await script("hanging", `${sleep(86391)} &\necho now > ${folder.path("started")}\nwait`);
		const stop = new AbortController();
		const running = processVideo({
			source: spoken,
			directory: folder.outputs(),
			tools,
			job: wanting(),
			transcriber: hanging,
			signal: stop.signal,
		});
		await readFile(folder.path("started"));
		await expect.poll(() => processesWith(sleep(86391))).toHaveLength(1);
		stop.abort(new Error("The job was cancelled."));
		await expect(running).rejects.toThrow("The job was cancelled.");
		expect(await processesWith(sleep(86391))).toEqual([]);
	});

	it("is killed with all that it started when its time is over", async () => {
		const hanging = await script("slow", `${sleep(86392)} & wait`);
		await expect(hanging.transcribe(folder.path("none.wav"), { maxSeconds: 0.5 })).rejects.toThrow(
			"longer than the 0.5 s allowed",
		);
		expect(await processesWith(sleep(86392))).toEqual([]);
	});

	it("is killed when it prints without end", async () => {
		const endless = await script("endless", "yes WEBVTT");
		await expect(endless.transcribe(folder.path("none.wav"), {})).rejects.toThrow("printed more than");
	});

	it("leaves nothing running in its process group when it ends well", async () => {
		const careless = await script("careless", `echo WEBVTT\n${sleep(86393)} > /dev/null 2>&1 &`);
		expect((await careless.transcribe(folder.path("none.wav"), {})).cues).toEqual([]);
		await expect.poll(() => processesWith(sleep(86393))).toEqual([]);
	});

	it.each(["left to end", "aborted"])(
		"is not waited for if a daemon that it started holds its output open: %s",
		async (way) => {
			const daemon = folder.path(`daemon-${way}`);
			const leave = `setsid sh -c 'echo $$ > "$0"; exec ${sleep(86394)}' '${daemon}' &\nuntil test -s '${daemon}'; do :; done`;
			const forking = await script("forking", `echo WEBVTT\n${leave}`);
			const stop = new AbortController();
			vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
			try {
				const running = forking
					.transcribe(folder.path("none.wav"), { signal: stop.signal })
					.catch((error: unknown) => error);
				// It waits for the rest of the output from the program's end on.
				await expect.poll(() => vi.getTimerCount()).toBeGreaterThan(0);
				if (way === "aborted") stop.abort(new Error("The job was cancelled."));
				await vi.advanceTimersByTimeAsync(5000);
				expect(String(await running)).toMatch(
					way === "aborted" ? "The job was cancelled." : "left something running that holds its output open",
				);
			} finally {
				vi.useRealTimers();
				process.kill(Number(await readFile(daemon, "utf8")), "SIGKILL");
			}
		},
	);

	it("gets nothing of the environment but the language", async () => {
		const curious = await script(
			"curious",
			`echo "{\\"cues\\": [{ \\"start\\": 0, \\"end\\": 1, \\"text\\": \\"$(env | cut -d= -f1 | sort | tr '\\n' ' ')\\" }]}"`,
		);
		const { cues } = await curious.transcribe(folder.path("none.wav"), {});
		expect(
			cues[0]?.text
				.trim()
				.split(" ")
				.filter((name) => !["PWD", "_", "SHLVL", "OLDPWD"].includes(name)),
		).toEqual(["LANG", "SVT_LOG"]);
	});
});

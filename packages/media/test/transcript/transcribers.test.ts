import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createWhisperTranscriber, openTranscriber } from "../../src/index.ts";
import { readTranscription } from "../../src/transcript/read-transcription.ts";

const binding = import.meta.resolve("@fugood/whisper.node");
let folder: string;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "reelmill-transcribers-"));
});
afterAll(() => rm(folder, { recursive: true }));

describe("what a transcribing program prints", () => {
	it("may be WebVTT, with ids, notes, settings and tags", async () => {
		const file =
			"WEBVTT - made up\r\n\r\nNOTE nothing\r\n\r\n1\r\n00:01.500 --> 00:02.000 align:start\r\n<v Ann>Q &amp; A\r\n\r\n01:00:00.000 --> 01:00:01.000\r\nlate";
		expect(await readTranscription(file)).toEqual({
			cues: [
				{ startSeconds: 1.5, endSeconds: 2, text: "Q & A" },
				{ startSeconds: 3600, endSeconds: 3601, text: "late" },
			],
			language: null,
			confidence: null,
		});
	});

	it("may be JSON in seconds, with language and confidence", async () => {
		const printed = JSON.stringify({
			language: "en-GB",
			confidence: 0.5,
			cues: [{ start: 1, end: 2.5, text: "hello" }],
		});
		expect(await readTranscription(printed)).toEqual({
			cues: [{ startSeconds: 1, endSeconds: 2.5, text: "hello" }],
			language: "en",
			confidence: 0.5,
		});
	});

	it("may be what whisper-cli writes for -oj, in milliseconds", async () => {
		const segment = {
			timestamps: { from: "00:00:01,000", to: "00:00:02,500" },
			offsets: { from: 1000, to: 2500 },
			text: " hallo",
		};
		const printed = JSON.stringify({
			systeminfo: "",
			params: { language: "auto" },
			result: { language: "de" },
			transcription: [segment],
		});
		expect(await readTranscription(printed)).toEqual({
			cues: [{ startSeconds: 1, endSeconds: 2.5, text: " hallo" }],
			language: "de",
			confidence: null,
		});
	});

	it("is read in time, even if it only has beginnings of tags, and a search might begin again at each", {
		timeout: 60_000,
	}, async () => {
		const signs = "<".repeat(1_000_000);
		const [cue] = (await readTranscription(`WEBVTT\n\n00:00.000 --> 00:01.000\n${signs}`)).cues;
		expect(cue?.text).toBe(signs.slice(0, 8192));
	});

	it("has a language only of two letters, and a confidence only from 0 to 1", async () => {
		const printed = JSON.stringify({ language: "english", confidence: 80, cues: [] });
		expect(await readTranscription(printed)).toEqual({ cues: [], language: null, confidence: null });
	});

	it.each([
		["en_US", "en"],
		["eng", "en"],
		["jw", "jv"],
		["tl", "tl"],
		["zz", null],
		["haw", null],
		["auto", null],
	])("has the language %s as ISO 639-1 has it: %s", async (language, code) => {
		expect((await readTranscription(JSON.stringify({ language, cues: [] }))).language).toBe(code);
	});

	it.each([
		["", "neither WebVTT nor JSON"],
		["hello", "neither WebVTT nor JSON"],
		["{}", "no cues"],
		["{", "JSON"],
		['{"cues":[{"start":"1"}]}', "without start, end or text"],
		["WEBVTT\n\nnow --> then\nhello", "without times: now --> then"],
	])("is refused with the reason where it is %j", async (printed, reason) => {
		await expect(readTranscription(printed)).rejects.toThrow(reason);
	});
});

describe("whisper.cpp", () => {
	it("is loaded here, and says in one sentence that a model is broken", async () => {
		const model = join(folder, "ggml-broken.bin");
		await writeFile(model, Buffer.alloc(5000, 7));
		await expect(createWhisperTranscriber({ model, binding })).rejects.toThrow(
			`${model} is no Whisper model that can be loaded.`,
		);
	});

	it("says so of a file that begins as a model and breaks off", async () => {
		const model = join(folder, "ggml-short.bin");
		const bytes = Buffer.alloc(48);
		bytes.writeUInt32LE(0x67676d6c, 0);
		await writeFile(model, bytes);
		await expect(createWhisperTranscriber({ model, binding })).rejects.toThrow(
			`${model} is no Whisper model that can be loaded.`,
		);
	});

	it("says in one sentence that a model is missing", async () => {
		await expect(openTranscriber({ model: "/nonexistent/ggml-base.bin", binding })).rejects.toThrow(
			"The Whisper model /nonexistent/ggml-base.bin can't be read (ENOENT).",
		);
	});

	// No model can be had here: a module of the binding's documented shape stands in, so that this shows what is asked of
	// it, and not that it understands speech.
	it("is asked for every language, and its milliseconds become seconds", async () => {
		const model = join(folder, "ggml-stand-in.bin");
		const standIn = join(folder, "stand-in.mjs");
		await writeFile(model, "");
		await writeFile(
			standIn,
			`export const initWhisper = async ({ filePath, useGpu }) => ({
				transcribeFile: (wav, { language }) => ({
					stop: async () => undefined,
					promise: Promise.resolve({ language: "fr", segments: [{ t0: 1500, t1: 2040, text: [filePath, useGpu, wav, language].join(" ") }] }),
				}),
				release: async () => undefined,
			});`,
		);
		const transcriber = await createWhisperTranscriber({ model, binding: pathToFileURL(standIn).href });
		const cues = [{ startSeconds: 1.5, endSeconds: 2.04, text: `${model} false /recordings/speech.wav auto` }];
		expect(await transcriber.transcribe("/recordings/speech.wav", {})).toEqual({
			cues,
			language: "fr",
			confidence: null,
		});
	});

	it("says that the binding is missing", async () => {
		const model = join(folder, "ggml-any.bin");
		await writeFile(model, "");
		await expect(createWhisperTranscriber({ model, binding: "file:///nonexistent.js" })).rejects.toThrow(
			"whisper.cpp does not run",
		);
	});
});

describe("the transcriber that settings name", () => {
	it("is none if they name none", async () => {
		expect(await openTranscriber({ binding })).toBeNull();
	});

	it("is the program, before a model", async () => {
		expect(await openTranscriber({ program: "cat", model: "/nonexistent", binding })).toMatchObject({ name: "cat" });
	});

	it("is refused in one sentence if the program is missing", async () => {
		await expect(openTranscriber({ program: "/nonexistent/whisper", binding })).rejects.toThrow(
			"The program /nonexistent/whisper can't be found or run.",
		);
	});
});

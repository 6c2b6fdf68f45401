import { megabyteOf, provesQuick } from "../../../scripts/test/worst-texts.ts";
import { createDamageMeter } from "../src/encode/damage-meter.ts";
import type { Programs } from "../src/run/programs.ts";
import { findChanges } from "../src/source/find-changes.ts";
import { type PacketScan, scanPackets } from "../src/source/scan-packets.ts";
import { parseStreams, type StreamVideo } from "../src/source/streams.ts";
import { parseWords } from "../src/source/text-tracks.ts";
import { showableCues, webVtt } from "../src/transcript/captions.ts";
import { createCaptionsDecoder } from "../src/transcript/cea-608.ts";
import { createScenaristReader } from "../src/transcript/closed-captions.ts";
import { plainCues } from "../src/transcript/plain-cues.ts";
import { readTranscription } from "../src/transcript/read-transcription.ts";
import { createScreenReader } from "../src/transcript/screens.ts";
import { createSubRipReader } from "../src/transcript/sub-rip.ts";
import { plainBy } from "../src/transcript/text-tracks.ts";
import { languageCode } from "../src/transcript/transcriber.ts";

const cueOf = (text: string) => [{ startSeconds: 0, endSeconds: 1, text: text.slice(0, 8192) }];
const starts = Array.from({ length: 20_000 }, () => Math.random());
const manyOf = (text: string) =>
	starts.map((startSeconds) => ({ startSeconds, endSeconds: 2, text: text.slice(0, 50) }));
const head = "WEBVTT\n\n00:00.000 --> 00:01.000\n";
/** ffprobe, which prints this. */
const printing = (text: string): Programs => ({
	async run(_program, _args, options) {
		for (let at = 0; at < text.length; at += 65_536) {
			options?.onOutput?.(Buffer.from(text.slice(at, at + 65_536)));
			await new Promise((resolve) => setImmediate(resolve));
		}
		return { stdout: Buffer.from(""), stderr: "" };
	},
});

const keys = Array.from({ length: 40_000 }, (_, n) => ({ pts: n / 4, seconds: n / 4 }));
const looksFor = (text: string) =>
	findChanges(
		printing(text),
		[],
		{},
		{
			...{ container: "matroska", sounds: [], video: { index: 0 } as StreamVideo, isSteady: true },
			packets: new Map([[0, { keys, startSeconds: 0, endSeconds: 10_000 } as unknown as PacketScan]]),
		},
	);
const hears = (text: string) => createDamageMeter().listen({ picture: 0, chunk: null })(Buffer.from(text));
/** Gives a text to a reader piece by piece, as a program prints it. */
async function inPieces(text: string, write: (piece: Buffer) => void): Promise<void> {
	for (let at = 0; at < text.length; at += 65_536) {
		write(Buffer.from(text.slice(at, at + 65_536)));
		await new Promise((resolve) => setImmediate(resolve));
	}
}
const subRip = (text: string) => inPieces(text, createSubRipReader(() => {}).write);
const captions = (text: string) => {
	const screens = createScreenReader();
	return inPieces(text, createScenaristReader(createCaptionsDecoder(screens.show)).write);
};
const times = { zeroSeconds: 0, durationSeconds: 10 };
const ass = plainBy({
	...{ index: 0, codec: "ass", language: null, title: null },
	...{ isDefault: false, isForced: false, tellsSounds: false },
});

provesQuick([
	["a source's text", "a line without an end", megabyteOf("a"), subRip],
	["a source's text", "cues", megabyteOf("1\n00:00:00,000 --> 00:00:01,000\n\n"), subRip],
	["a source's text", "lines of a cue", `1\n00:00:00,000 --> 00:00:01,000\n${megabyteOf("1\n")}`, subRip],
	["closed captions", "a line without an end", megabyteOf("9420 "), captions],
	["closed captions", "letters", megabyteOf("00:00:00:00\t9425 4142 4344\n"), captions],
	["closed captions", "rows that roll up", megabyteOf("00:00:00:00\t9425 4142 94ad 9470\n"), captions],
	...["{", "{}", "\\h", " ", "m 1 1 l ", "\u202e", "\n"].map(
		(piece) =>
			["a source's cues", piece, megabyteOf(piece), (text: string) => plainCues(manyOf(text), times, ass)] as const,
	),
	[
		"a source's chapters",
		"many",
		`{"chapters":[${megabyteOf('{"start_time":"1","tags":{"title":"a"}},')}{}]}`,
		(text) => parseWords(text, 0),
	],
	["a transcript", "beginnings of tags", head + megabyteOf("<"), readTranscription],
	["a transcript", "tags", head + megabyteOf("<>"), readTranscription],
	["a transcript", "entities", head + megabyteOf("&a;"), readTranscription],
	["a transcript", "lines", head + megabyteOf("a\n"), readTranscription],
	["a transcript", "blank lines", head + megabyteOf("\n"), readTranscription],
	["a transcript", "returns", head + megabyteOf("\r"), readTranscription],
	["a transcript", "cues", `WEBVTT\n\n${megabyteOf("00:00.000 --> 00:01.000\n\n")}`, readTranscription],
	["a transcript", "blanks before an arrow", `WEBVTT\n\n00:00.000${megabyteOf(" ")}--> 00:01.000`, readTranscription],
	["a transcript", "digits", `WEBVTT\n\n${megabyteOf("0")}-->`, readTranscription],
	["a transcript", "blanks", megabyteOf(" "), readTranscription],
	["a transcript in JSON", "cues", `{"cues":[${megabyteOf('{"start":0,"end":1,"text":"a"},')}{}]}`, readTranscription],
	["a transcript in JSON", "objects", `{"cues":[${megabyteOf("{},")}{}]}`, readTranscription],
	["a transcript in JSON", "lists in one another", `{"cues":${megabyteOf("[")}`, readTranscription],
	...["[", "(", "*", "[(", "♪", "\0", " ", "a "].flatMap((piece) => [
		["cues to be shown", piece, megabyteOf(piece), (text: string) => showableCues(cueOf(text), 10)] as const,
		["many cues to be shown", piece, megabyteOf(piece), (text: string) => showableCues(manyOf(text), 10)] as const,
	]),
	["captions", "many cues", megabyteOf("<&>"), (text) => Array.fromAsync(webVtt(manyOf(text)))],
	["a language", "separators", megabyteOf("-"), languageCode],
	["a language", "letters", megabyteOf("a"), languageCode],
	[
		"ffprobe's streams",
		"a display matrix",
		JSON.stringify({
			streams: [{ codec_type: "video", side_data_list: [{ rotation: 0, displaymatrix: megabyteOf("\n ") }] }],
		}),
		(text) => parseStreams(text, "", "mov"),
	],
	["ffprobe's packets", "a line without an end", megabyteOf(","), (text) => scanPackets(printing(text), [], {})],
	["ffprobe's packets", "blank lines", megabyteOf("\n"), (text) => scanPackets(printing(text), [], {})],
	["ffprobe's frames", "fields", megabyteOf(`${"a=|".repeat(1000)}\n`), looksFor],
	["ffprobe's frames", "frames", megabyteOf("stream_index=0|best_effort_timestamp_time=1\n"), looksFor],
	["what ffmpeg complains of", "a line without an end", megabyteOf("["), hears],
	["what ffmpeg complains of", "lines", megabyteOf("[h264 @ 0x1] \n"), hears],
	["what ffmpeg complains of", "blanks", megabyteOf(" "), hears],
]);

import { createTurns } from "./in-slices.ts";
import { type Cue, languageCode, type Transcription } from "./transcriber.ts";

type Fields = { readonly [key: string]: unknown };
const fieldsOf = (value: unknown): Fields => (typeof value === "object" && value !== null ? (value as Fields) : {});

const timing = /^(?:(\d{2,}):)?(\d{2}):(\d{2}[.,]\d{3})\s+-->\s+(?:(\d{2,}):)?(\d{2}):(\d{2}[.,]\d{3})/;
const entities: Readonly<Record<string, string>> = {
	amp: "&",
	lt: "<",
	gt: ">",
	nbsp: "\u00a0",
	lrm: "\u200e",
	rlm: "\u200f",
};
const seconds = (hours: string | undefined, minutes = "0", rest = "0"): number =>
	Number(hours ?? 0) * 3600 + Number(minutes) * 60 + Number(rest.replace(",", "."));

/** More than five hours of speech need. */
const mostCues = 20_000;
/** Nobody says more in one cue, so the rest is cut. */
const longestText = 8192;
/** The most objects and lists in JSON. Whisper has one for each token of a word. */
const mostParts = 200_000;

function* linesOf(file: string): Generator<string> {
	let start = 0;
	for (const { index, 0: end } of file.matchAll(/\r\n?|\n/g)) {
		yield file.slice(start, index);
		start = index + end.length;
	}
	yield file.slice(start);
}

const plain = (text: string): string =>
	text.replaceAll(/<[^<>]*>/g, "").replaceAll(/&(\w+);/g, (whole, name: string) => entities[name] ?? whole);

/** Reads the cues of a WebVTT file (W3C WebVTT, section 4) without ids, settings, notes and tags. */
async function cuesOfWebVtt(file: string): Promise<Cue[]> {
	const cues: Cue[] = [];
	const turn = createTurns();
	let open: Cue | null = null;
	const close = () => {
		if (open !== null) cues.push({ ...open, text: plain(open.text) });
		open = null;
		if (cues.length > mostCues) throw new Error(`It printed more than ${mostCues} cues.`);
	};
	for (const line of linesOf(file)) {
		const others = turn(line.length + 16);
		if (others !== undefined) await others;
		if (line === "") close();
		else if (open !== null) open = withLine(open, line);
		else if (line.includes("-->")) open = cueAt(line);
	}
	close();
	return cues;
}

function cueAt(line: string): Cue {
	const times = timing.exec(line.trim());
	if (times === null) throw new Error(`It printed a cue without times: ${line.slice(0, 200)}`);
	return {
		startSeconds: seconds(times[1], times[2], times[3]),
		endSeconds: seconds(times[4], times[5], times[6]),
		text: "",
	};
}

function withLine(cue: Cue, line: string): Cue {
	if (cue.text.length >= longestText) return cue;
	const text = cue.text === "" ? line : `${cue.text}\n${line}`;
	return { ...cue, text: text.slice(0, longestText) };
}

function cue(start: unknown, end: unknown, text: unknown): Cue {
	if (typeof start !== "number" || typeof end !== "number" || typeof text !== "string")
		throw new Error("It printed a cue without start, end or text.");
	return { startSeconds: start, endSeconds: end, text: text.slice(0, longestText) };
}

/** Refuses JSON that would take long to read. */
function checkJson(printed: string): void {
	let parts = 0;
	for (let at = 0; at < printed.length; at++) if (printed[at] === "{" || printed[at] === "[") parts += 1;
	if (parts > mostParts) throw new Error(`Its JSON has more than ${mostParts} parts.`);
}

/**
 * Reads `{ language?, confidence?, cues: [{ start, end, text }] }` in seconds, or whisper-cli's form in milliseconds.
 */
function ofJson(printed: string): Transcription {
	checkJson(printed);
	const { cues, language, confidence, transcription, result } = fieldsOf(JSON.parse(printed));
	for (const list of [cues, transcription])
		if (Array.isArray(list) && list.length > mostCues) throw new Error(`It printed more than ${mostCues} cues.`);
	if (Array.isArray(cues)) {
		const known = typeof confidence === "number" && confidence >= 0 && confidence <= 1;
		return {
			cues: cues.map(fieldsOf).map(({ start, end, text }) => cue(start, end, text)),
			language: languageCode(language),
			confidence: known ? confidence : null,
		};
	}
	if (!Array.isArray(transcription)) throw new Error("Its JSON has no cues.");
	const milliseconds = (value: unknown) => (typeof value === "number" ? value / 1000 : value);
	const segments = transcription.map(fieldsOf).map(({ offsets, text }) => {
		const { from, to } = fieldsOf(offsets);
		return cue(milliseconds(from), milliseconds(to), text);
	});
	return { cues: segments, language: languageCode(fieldsOf(result).language), confidence: null };
}

/**
 * Reads the WebVTT or JSON that a transcribing program printed. A cue's text is cut to 8192 characters.
 * @throws {Error} when it is neither, or has too many cues; the message says what is wrong
 */
export async function readTranscription(printed: string): Promise<Transcription> {
	const text = printed.replace(/^\ufeff/, "").trim();
	if (/^WEBVTT(\s|$)/.test(text)) return { cues: await cuesOfWebVtt(text), language: null, confidence: null };
	if (text.startsWith("{")) return ofJson(text);
	throw new Error("It printed neither WebVTT nor JSON.");
}

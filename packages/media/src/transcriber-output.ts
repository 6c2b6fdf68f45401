import { type Cue, languageCode, type Transcription } from "./transcriber.ts";

type Fields = { readonly [key: string]: unknown };
const fieldsOf = (value: unknown): Fields => (typeof value === "object" && value !== null ? (value as Fields) : {});

const timing = /^(?:(\d{2,}):)?(\d{2}):(\d{2}[.,]\d{3})\s+-->\s+(?:(\d{2,}):)?(\d{2}):(\d{2}[.,]\d{3})/;
const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", nbsp: "\u00a0", lrm: "\u200e", rlm: "\u200f" };
const seconds = (hours: string | undefined, minutes = "0", rest = "0"): number =>
	Number(hours ?? 0) * 3600 + Number(minutes) * 60 + Number(rest.replace(",", "."));

/** Cues of a WebVTT file (W3C WebVTT, section 4), without ids, settings, notes and tags. */
function cuesOfWebVtt(file: string): Cue[] {
	const blocks = file.replaceAll(/\r\n?/g, "\n").split(/\n{2,}/);
	return blocks.flatMap((block) => {
		const lines = block.split("\n");
		const found = lines.findIndex((line) => line.includes("-->"));
		if (found === -1) return [];
		const times = timing.exec(lines[found]?.trim() ?? "");
		if (times === null) throw new Error(`It printed a cue without times: ${lines[found]}`);
		const text = lines
			.slice(found + 1)
			.join("\n")
			.replaceAll(/<[^<>]*>/g, "")
			.replaceAll(/&(\w+);/g, (whole, name: string) => entities[name] ?? whole);
		return [{ startSeconds: seconds(times[1], times[2], times[3]), endSeconds: seconds(times[4], times[5], times[6]), text }];
	});
}

function cue(start: unknown, end: unknown, text: unknown): Cue {
	if (typeof start !== "number" || typeof end !== "number" || typeof text !== "string") throw new Error("It printed a cue without start, end or text.");
	return { startSeconds: start, endSeconds: end, text };
}

/** `{ language?, confidence?, cues: [{ start, end, text }] }` in seconds; or whisper-cli's own, in milliseconds. */
function ofJson(printed: string): Transcription {
	const { cues, language, confidence, transcription, result } = fieldsOf(JSON.parse(printed));
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

/** Reads what a transcribing program printed: WebVTT or JSON. Throws an Error that says what is wrong with it. */
export function readTranscription(printed: string): Transcription {
	const text = printed.replace(/^\ufeff/, "").trim();
	if (/^WEBVTT(\s|$)/.test(text)) return { cues: cuesOfWebVtt(text), language: null, confidence: null };
	if (text.startsWith("{")) return ofJson(text);
	throw new Error("It printed neither WebVTT nor JSON.");
}

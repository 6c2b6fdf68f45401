import { ReelmillError } from "@reelmill/contracts";
import { cueBlock } from "@reelmill/contracts/captions";
import { type Line, subRipLine, webVttLine, webVttSettings } from "./cue-markup.ts";

/** More than five hours of speech need. */
const mostCues = 20_000;
/** Nobody reads more at once. */
const longestText = 1000;
/** No line is longer that can be read. */
const longestLine = 2000;
/** A transcript is read whole. */
const mostBytes = 2_000_000;
/** After so many characters, other work of the process gets its turn. */
const sliceCharacters = 8192;

const timing =
	/^[ \t]*(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})[.,](\d{1,3})[ \t]*-->[ \t]*(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})[.,](\d{1,3})(?:[ \t](.*))?$/;

/** A cue as it is written. */
type Cue = {
	readonly startSeconds: number;
	readonly endSeconds: number;
	readonly markup: string;
	readonly settings: string;
};

/**
 * Reads WebVTT or SubRip, whichever it is by its beginning, cue by cue, and returns it as WebVTT: the same words, times,
 * tags and places. Comments, styles, regions and names of cues are left out, and cues without a word. Cues are put in
 * the order of their beginnings, and end with the video at the latest. It is read in slices, so that a large one doesn't
 * block the process.
 *
 * @throws {ReelmillError} `validation_error`, whose message names the line and the cue, when a time can't be read, when
 * a cue ends before it begins or begins after the video, when there is text outside of cues or too much in one, and when
 * there are no cues, or too many.
 */
export async function readCues(text: string, durationSeconds: number | null): Promise<string> {
	const lines = text.split(/\r\n?|\n/);
	const isWebVtt = /^WEBVTT(?:[ \t]|$)/.test(lines[0] ?? "");
	const cues: Cue[] = [];
	let read = 0;
	let at = isWebVtt ? endOfBlock(lines, 0) : 0;
	if (lines.slice(0, at).some((line) => line.startsWith("X-TIMESTAMP-MAP")))
		throw refused(
			1,
			null,
			"times that an HLS stream moves (X-TIMESTAMP-MAP) can't be taken: count from the video's beginning",
		);
	let left = sliceCharacters;
	while (at < lines.length) {
		if ((lines[at] ?? "").trim() === "") {
			at += 1;
			continue;
		}
		const end = endOfBlock(lines, at);
		const block = lines.slice(at, end);
		if (!(isWebVtt && /^(?:NOTE|STYLE|REGION)(?:[ \t]|$)/.test(block[0] ?? ""))) {
			read += 1;
			if (read > mostCues) throw refused(at + 1, read, `there are more than ${mostCues} cues`);
			const cue = readBlock(block, { at, cue: read, isWebVtt, durationSeconds });
			if (cue !== null) cues.push(cue);
		}
		left -= block.reduce((sum, line) => sum + line.length + 1, 0);
		if (left <= 0) {
			await new Promise((resolve) => setImmediate(resolve));
			left = sliceCharacters;
		}
		at = end;
	}
	if (cues.length === 0) throw new ReelmillError("validation_error", { message: "There is no cue with a word in it." });
	cues.sort((one, other) => one.startSeconds - other.startSeconds || one.endSeconds - other.endSeconds);
	const file = `WEBVTT\n\n${cues.map(cueBlock).join("\n")}`;
	if (Buffer.byteLength(file) > mostBytes)
		throw new ReelmillError("validation_error", { message: `It is more than ${mostBytes} bytes of WebVTT.` });
	return file;
}

function endOfBlock(lines: readonly string[], at: number): number {
	const end = lines.findIndex((line, n) => n > at && line.trim() === "");
	return end < 0 ? lines.length : end;
}

type Place = {
	readonly at: number;
	readonly cue: number;
	readonly isWebVtt: boolean;
	readonly durationSeconds: number | null;
};

/** Reads a block of lines as one cue; `null` if it has no word. */
function readBlock(block: readonly string[], { at, cue, isWebVtt, durationSeconds }: Place): Cue | null {
	for (const [n, line] of block.entries())
		if (line.length > longestLine) throw refused(at + n + 1, cue, `the line has more than ${longestLine} characters`);
	const first = [0, 1].find((n) => block[n]?.includes("-->")) ?? null;
	if (first === null)
		throw refused(
			at + 1,
			cue,
			"there is text outside of a cue, which begins with its times, such as 00:00:01.000 --> 00:00:04.000",
		);
	const line = at + first + 1;
	const times = timing.exec(block[first] ?? "");
	if (times === null) throw refused(line, cue, "the times can't be read: write them as 00:00:01.000 --> 00:00:04.000");
	const [startSeconds, endSeconds] = [secondsOf(times.slice(1, 5)), secondsOf(times.slice(5, 9))];
	if (startSeconds === null || endSeconds === null) throw refused(line, cue, "minutes and seconds go to 59");
	if (endSeconds <= startSeconds) throw refused(line, cue, "the cue ends before it begins");
	if (durationSeconds !== null && startSeconds >= durationSeconds)
		throw refused(line, cue, `the cue begins after the video, which lasts ${durationSeconds.toFixed(3)} s`);
	const shown: Line[] = [];
	for (const [n, said] of block.slice(first + 1).entries()) {
		if (said.includes("-->") && timing.test(said))
			throw refused(line + n + 1, cue, "times stand within a cue: put an empty line before each cue");
		shown.push((isWebVtt ? webVttLine : subRipLine)(said));
	}
	if (shown.reduce((sum, { text }) => sum + text.length, 0) > longestText)
		throw refused(line, cue, `the cue has more than ${longestText} characters`);
	if (shown.every(({ text }) => text.trim() === "")) return null;
	return {
		startSeconds,
		endSeconds: Math.min(endSeconds, durationSeconds ?? endSeconds),
		markup: shown.flatMap(({ markup }) => (markup.trim() === "" ? [] : [markup.trim()])).join("\n"),
		settings: isWebVtt ? webVttSettings(times[9] ?? "") : "",
	};
}

/** Returns the seconds of hours, minutes, seconds and their fraction; `null` for more than 59 minutes or seconds. */
function secondsOf([hours, minutes, whole, fraction = ""]: readonly (string | undefined)[]): number | null {
	if (Number(minutes) > 59 || Number(whole) > 59) return null;
	return Number(hours ?? 0) * 3600 + Number(minutes) * 60 + Number(whole) + Number(fraction.padEnd(3, "0")) / 1000;
}

const refused = (line: number, cue: number | null, what: string): ReelmillError =>
	new ReelmillError("validation_error", { message: `Line ${line}${cue === null ? "" : `, cue ${cue}`}: ${what}.` });

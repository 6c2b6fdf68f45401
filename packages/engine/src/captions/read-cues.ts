import { ReelmillError } from "@reelmill/contracts";
import { cueBlock } from "@reelmill/contracts/captions";
import { createTurns, linesOf } from "../system/index.ts";
import { type Line, subRipLine, webVttLine, webVttSettings } from "./cue-markup.ts";

/** More than five hours of speech need. */
const mostCues = 20_000;
/** Nobody reads more at once. */
const longestText = 1000;
/** No line is longer that can be read. */
const longestLine = 2000;
/** A transcript is read whole. */
const mostBytes = 2_000_000;
/** A cue with its tags has fewer characters than this. */
const longestBlock = 10 * longestText;

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
	const turn = createTurns();
	const isWebVtt = /^WEBVTT(?:[ \t\r\n]|$)/.test(text.slice(0, 7));
	const cues: Cue[] = [];
	let block: Block | null = null;
	let [number, read] = [0, 0];
	const take = ({ at, lines, isLeftOut }: Block) => {
		const cue = isLeftOut ? null : readBlock(lines, { at, cue: read, isWebVtt, durationSeconds });
		if (cue !== null) cues.push(cue);
	};
	for (const line of linesOf(text)) {
		number += 1;
		const others = turn(line.length + 1);
		if (others !== undefined) await others;
		if (line.length > longestLine)
			throw refused(number, read + (block === null ? 1 : 0), `the line has more than ${longestLine} characters`);
		if (line.trim() === "") {
			if (block !== null) take(block);
			block = null;
		} else if (block === null) {
			const isLeftOut = isWebVtt && (number === 1 || /^(?:NOTE|STYLE|REGION)(?:[ \t]|$)/.test(line));
			block = { at: number, lines: [line], isLeftOut, length: line.length };
			if (!isLeftOut) read += 1;
			if (read > mostCues) throw refused(number, read, `there are more than ${mostCues} cues`);
		} else if (!block.isLeftOut) {
			block.lines.push(line);
			block.length += line.length + 1;
			if (block.length > longestBlock) throw tooLong(block.at, read);
		} else if (block.at === 1 && line.startsWith("X-TIMESTAMP-MAP"))
			throw refused(
				number,
				null,
				"times that an HLS stream moves (X-TIMESTAMP-MAP) can't be taken: count from the video's beginning",
			);
	}
	if (block !== null) take(block);
	if (cues.length === 0) throw new ReelmillError("validation_error", { message: "There is no cue with a word in it." });
	cues.sort((one, other) => one.startSeconds - other.startSeconds || one.endSeconds - other.endSeconds);
	let file = "WEBVTT\n";
	for (const cue of cues) {
		file += `\n${cueBlock(cue)}`;
		const others = turn(cue.markup.length + 32);
		if (others !== undefined) await others;
	}
	if (Buffer.byteLength(file) > mostBytes)
		throw new ReelmillError("validation_error", { message: `It is more than ${mostBytes} bytes of WebVTT.` });
	return file;
}

/** Lines without an empty one between them. */
type Block = { readonly at: number; readonly lines: string[]; readonly isLeftOut: boolean; length: number };

type Place = {
	/** The number of its first line. */
	readonly at: number;
	readonly cue: number;
	readonly isWebVtt: boolean;
	readonly durationSeconds: number | null;
};

/** Reads a block of lines as one cue; `null` if it has no word. */
function readBlock(block: readonly string[], { at, cue, isWebVtt, durationSeconds }: Place): Cue | null {
	const first = [0, 1].find((n) => block[n]?.includes("-->")) ?? null;
	if (first === null)
		throw refused(
			at,
			cue,
			"there is text outside of a cue, which begins with its times, such as 00:00:01.000 --> 00:00:04.000",
		);
	const line = at + first;
	const times = timing.exec(block[first] ?? "");
	if (times === null) throw refused(line, cue, "the times can't be read: write them as 00:00:01.000 --> 00:00:04.000");
	const [startSeconds, endSeconds] = [secondsOf(times.slice(1, 5)), secondsOf(times.slice(5, 9))];
	if (startSeconds === null || endSeconds === null) throw refused(line, cue, "minutes and seconds go to 59");
	if (endSeconds === startSeconds) throw refused(line, cue, "the cue ends at the moment at which it begins");
	if (endSeconds < startSeconds) throw refused(line, cue, "the cue ends before it begins");
	if (durationSeconds !== null && startSeconds >= durationSeconds)
		throw refused(line, cue, `the cue begins after the video, which lasts ${durationSeconds.toFixed(3)} s`);
	const shown: Line[] = [];
	for (const [n, said] of block.slice(first + 1).entries()) {
		if (said.includes("-->") && timing.test(said))
			throw refused(line + n + 1, cue, "times stand within a cue: put an empty line before each cue");
		shown.push((isWebVtt ? webVttLine : subRipLine)(said));
	}
	if (shown.reduce((sum, { text }) => sum + text.length, 0) > longestText) throw tooLong(line, cue);
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

const tooLong = (line: number, cue: number): ReelmillError =>
	refused(line, cue, `the cue has more than ${longestText} characters`);

const refused = (line: number, cue: number | null, what: string): ReelmillError =>
	new ReelmillError("validation_error", { message: `Line ${line}${cue === null ? "" : `, cue ${cue}`}: ${what}.` });

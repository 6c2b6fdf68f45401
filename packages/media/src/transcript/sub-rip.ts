import { StringDecoder } from "node:string_decoder";
import type { Cue } from "./transcriber.ts";

const timing = /^(\d{2,}):(\d\d):(\d\d),(\d{3}) --> (\d{2,}):(\d\d):(\d\d),(\d{3})$/;
const seconds = (parts: readonly (string | undefined)[]): number => {
	const [hours = 0, minutes = 0, rest = 0, thousandths = 0] = parts.map(Number);
	return hours * 3600 + minutes * 60 + rest + thousandths / 1000;
};

/** Nobody says more in one cue, so the rest is cut. */
const longestText = 8192;

/** Reads SubRip piece by piece. */
export type SubRipReader = { write(piece: Buffer): void; end(): void };

/**
 * Creates a reader of the SubRip that ffmpeg writes. `take` is called with each cue: its lines as they stand there, the
 * text cut to about 8192 characters. An end of more than 1000 hours is one that ffmpeg doesn't know. Whatever is
 * written, it takes time in proportion to its length.
 */
export function createSubRipReader(take: (cue: Cue) => void): SubRipReader {
	const decoder = new StringDecoder("utf8");
	let line = "";
	let open: { readonly times: RegExpExecArray; readonly lines: string[]; length: number } | null = null;
	const close = () => {
		if (open === null) return;
		const { times, lines } = open;
		take({ startSeconds: seconds(times.slice(1, 5)), endSeconds: seconds(times.slice(5, 9)), text: lines.join("\n") });
	};
	const takeLine = () => {
		const times = timing.exec(line);
		if (times !== null) {
			// The line before it is the cue's number.
			if (open !== null && /^\d{1,9}$/.test(open.lines.at(-1) ?? "")) open.lines.pop();
			close();
			open = { times, lines: [], length: 0 };
		} else if (open !== null && open.length < longestText) {
			open.lines.push(line);
			open.length += line.length + 1;
		}
		line = "";
	};
	return {
		write(piece) {
			const [first = "", ...others] = decoder.write(piece).split("\n");
			if (line.length < longestText) line += first.slice(0, longestText);
			for (const other of others) {
				takeLine();
				line = other.slice(0, longestText);
			}
		},
		end() {
			takeLine();
			close();
			open = null;
		},
	};
}

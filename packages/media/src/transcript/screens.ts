import type { Cue } from "./transcriber.ts";

/** What a decoder of closed captions shows from a moment on: its lines, from top to bottom. */
export type Screen = {
	readonly startSeconds: number;
	readonly lines: readonly string[];
	/** Whether it took the place of the screen before as a whole. A line of both is then said again (default: false). */
	readonly isAnother?: boolean;
};

/** A line as it was in the end, from its first letter on. */
type Line = { text: string; readonly startSeconds: number; endSeconds: number };

/** CEA-608 has decoders erase what stood for so long without anything new. */
const longestSeconds = 16;
/** By how many letters a line grows or shrinks at most from one screen to the next. A picture brings two to four. */
const mostLetters = 6;

const isGrown = (before: string, after: string): boolean =>
	Math.abs(after.length - before.length) <= mostLetters && (after.startsWith(before) || before.startsWith(after));

/** Takes the screens of a decoder one after another, and makes cues of them. */
export type ScreenReader = {
	show(screen: Screen): void;
	/** Returns the cues of all screens. The last one ends at this moment, if it wasn't erased before. */
	end(atSeconds: number): Cue[];
};

/**
 * Creates a reader of what a decoder of closed captions shows. Captions roll up, grow letter by letter, or appear at
 * once: each line comes once, as it was in the end, from its first letter on. Lines that appear together are one cue. A
 * cue lasts until the next one begins or its lines are gone, and 16 s at most.
 */
export function createScreenReader(mostLines = 40_000): ScreenReader {
	const all: Line[] = [];
	let shown: readonly Line[] = [];
	return {
		show({ startSeconds, lines, isAnother = false }) {
			const texts = lines.map((line) => line.trim()).filter((line) => line !== "");
			const left = [...shown];
			const goingOn = isAnother ? [] : left;
			const takeLeft = (isSame: (line: Line) => boolean): Line | undefined => {
				const at = goingOn.findIndex(isSame);
				return at < 0 ? undefined : goingOn.splice(at, 1)[0];
			};
			const same = texts.map((text) => takeLeft((line) => line.text === text));
			shown = texts.map((text, n) => {
				const line = same[n] ?? takeLeft((one) => isGrown(one.text, text));
				if (line !== undefined) {
					line.text = text;
					return line;
				}
				const begun = { text, startSeconds, endSeconds: Number.POSITIVE_INFINITY };
				if (all.length < mostLines) all.push(begun);
				return begun;
			});
			for (const line of left) line.endSeconds = startSeconds;
		},
		end(atSeconds) {
			const cues: Cue[] = [];
			let together: Line[] = [];
			const close = (nextSeconds: number) => {
				const [first] = together;
				if (first === undefined) return;
				const { startSeconds } = first;
				const gone = Math.max(...together.map(({ endSeconds }) => endSeconds));
				const endSeconds = Math.min(gone, nextSeconds, startSeconds + longestSeconds);
				cues.push({ startSeconds, endSeconds, text: together.map(({ text }) => text).join("\n") });
			};
			for (const line of all) {
				if (together[0]?.startSeconds !== line.startSeconds) {
					close(line.startSeconds);
					together = [];
				}
				together.push(line);
			}
			close(atSeconds);
			return cues;
		},
	};
}

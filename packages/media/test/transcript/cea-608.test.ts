import { expect, it } from "vitest";
import { createCaptionsDecoder } from "../../src/transcript/cea-608.ts";
import { createScenaristReader } from "../../src/transcript/closed-captions.ts";
import type { Screen } from "../../src/transcript/screens.ts";
import { cea608 } from "../support/closed-captions.ts";

type Pair = readonly [number, number];
/** What is to be seen in the end, of pairs that come one a second; and when it began to be seen. */
const shown = (...pairs: readonly Pair[]) => {
	const screens: (readonly [number, ...string[]])[] = [];
	const decoder = createCaptionsDecoder(({ startSeconds, lines }) => void screens.push([startSeconds, ...lines]));
	for (const [n, [first, second]] of pairs.entries()) decoder.take(first, second, n);
	return screens;
};
const letters = (text: string): Pair => [text.charCodeAt(0), text.charCodeAt(1) || 0];
const rollUp: Pair = [0x14, 0x25];

it("shows lines that appear at once when they are shown, and not when they are sent", () => {
	const pairs = cea608.popOn("GOOD", "MORNING");
	expect(shown(...pairs, ...cea608.erase)).toEqual([[pairs.length - 2, "GOOD", "MORNING"], [pairs.length]]);
});

it("rolls up as many rows as it is told", () => {
	const line = (text: string): Pair[] => [[0x14, 0x2d], [0, 0], letters(text)];
	const seen = (rows: number) => shown([0x14, rows], ...["A", "B", "C"].flatMap(line)).at(-1);
	expect(seen(0x25)).toEqual([9, "B", "C"]);
	expect(seen(0x26)).toEqual([9, "A", "B", "C"]);
});

it("knows the letters of other languages, of which the rarer take the place of the one before", () => {
	const word: Pair[] = [rollUp, [0x2a, 0x7e], [0x11, 0x37], letters("AU"), [0x12, 0x24], [0x13, 0x34]];
	expect(shown(...word).at(-1)?.[1]).toBe("áñ♪Aß");
	expect(shown(rollUp, letters("OK"), [0x13, 0x34]).at(-1)?.[1]).toBe("Oß");
});

it("has a rarer letter take the place of the last one of a full row, too", () => {
	const full = Array.from({ length: 16 }, () => letters("AE"));
	expect(shown(rollUp, ...full, [0x12, 0x21]).at(-1)?.[1]).toBe(`${"AE".repeat(15)}AÉ`);
	expect(shown(rollUp, ...full, letters("XY")).at(-1)?.[1]).toBe(`${"AE".repeat(15)}AY`);
});

it("says that a screen is another one if it was written out of sight, and not if it rolls up", () => {
	const screens: Screen[] = [];
	const decoder = createCaptionsDecoder((screen) => void screens.push(screen));
	const sent = [...cea608.popOn("GOOD", "MORNING"), ...cea608.rollUp("LINE")];
	for (const [n, [first, second]] of sent.entries()) decoder.take(first, second, n);
	expect(screens.map(({ lines, isAnother = false }) => [lines.at(-1), isAnother])).toEqual([
		["MORNING", true],
		[undefined, false],
		["LI", false],
		["LINE", false],
	]);
});

it("takes back letters, moves to the right, and hears a command that comes twice once", () => {
	const back: Pair[] = [
		[0x14, 0x21],
		[0x14, 0x21],
	];
	expect(shown(rollUp, letters("AB"), ...back, [0x17, 0x22], letters("C")).at(-1)?.[1]).toBe("A  C");
	expect(shown([0x14, 0x29], [0x14, 0x74], letters("IN")).at(-1)?.[1]).toBe(`${" ".repeat(8)}IN`);
});

it("leaves out the second channel, and text that is no captions", () => {
	expect(shown(rollUp, letters("A"), [0x1c, 0x25], letters("X"), [0x14, 0x2a], letters("Y")).at(-1)).toEqual([1, "A"]);
	expect(shown([0x14, 0x2a], letters("Y"), [0x14, 0x21], rollUp, letters("A")).at(-1)).toEqual([4, "A"]);
});

it("reads what ffmpeg prints in pieces of any length", () => {
	const printed = "Scenarist_SCC V1.0\n\n00:00:01:15\t9425 9425\n\n01:00:02:00\t4c49\n\nwhat is this\n00:00:00:00\tzz";
	for (const length of [1, 5, 1000]) {
		const seen: unknown[] = [];
		const reader = createScenaristReader(createCaptionsDecoder((screen) => void seen.push(screen)));
		for (let at = 0; at < printed.length; at += length) reader.write(Buffer.from(printed.slice(at, at + length)));
		reader.end();
		expect(seen).toEqual([{ startSeconds: 3602, lines: ["LI"] }]);
	}
});

import { expect, it } from "vitest";
import { createScreenReader } from "../../src/transcript/screens.ts";

/** The cues of screens that begin at these seconds. */
const cuesOf = (screens: Readonly<Record<string, readonly string[]>>, end = 10) => {
	const reader = createScreenReader();
	const sorted = Object.entries(screens).sort(([one], [other]) => Number(one) - Number(other));
	for (const [startSeconds, lines] of sorted) reader.show({ startSeconds: Number(startSeconds), lines });
	return reader.end(end).map(({ startSeconds, endSeconds, text }) => [startSeconds, endSeconds, text]);
};

it("writes a line that rolls up once, as it was in the end, from its first letter until the next line", () => {
	const screens = {
		0.2: ["LI"],
		0.3: ["LINE ONE"],
		1.2: ["LINE ONE", "TW"],
		1.3: ["LINE ONE", "TWO "],
		2.2: ["TWO", "TWO MO"],
		2.3: ["TWO", "TWO MORE"],
	};
	expect(cuesOf(screens)).toEqual([
		[0.2, 1.2, "LINE ONE"],
		[1.2, 2.2, "TWO"],
		[2.2, 10, "TWO MORE"],
	]);
});

it("keeps lines together that appear at once, until they are erased", () => {
	expect(cuesOf({ 1: ["GOOD", "MORNING"], 3: [], 4: ["GOOD"], 5: ["BYE"] })).toEqual([
		[1, 3, "GOOD\nMORNING"],
		[4, 5, "GOOD"],
		[5, 10, "BYE"],
	]);
});

it("says a line again that the next screen has, too", () => {
	const reader = createScreenReader();
	reader.show({ startSeconds: 1, lines: ["MAN:", "GOOD"], isAnother: true });
	reader.show({ startSeconds: 2, lines: ["MAN:", "MORNING"], isAnother: true });
	expect(reader.end(10).map(({ startSeconds, text }) => [startSeconds, text])).toEqual([
		[1, "MAN:\nGOOD"],
		[2, "MAN:\nMORNING"],
	]);
});

it("takes back what was mistyped, and ends what nobody erases", () => {
	expect(cuesOf({ 1: ["HELP"], 2: ["HEL"], 3: ["HELLO"] }, 100)).toEqual([[1, 17, "HELLO"]]);
});

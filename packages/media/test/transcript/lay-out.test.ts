import { expect, it } from "vitest";
import { showableCues } from "../../src/transcript/captions.ts";
import type { Cue } from "../../src/transcript/transcriber.ts";

const cue = (startSeconds: number, endSeconds: number, text: string): Cue => ({ startSeconds, endSeconds, text });
const texts = (cues: readonly Cue[]) => cues.map(({ text }) => text);
const longText =
	"No one who had ever seen Catherine Morland in her infancy would have supposed her born to be an heroine. " +
	"Her situation in life, the character of her father and mother, her own person and disposition, were all equally " +
	"against her. Her father was a clergyman, without being neglected, or poor, and a very respectable man.";

it("breaks a long cue after sentences and clauses, into lines that fit", async () => {
	expect(texts(await showableCues([cue(0, 24, longText)], 30))).toEqual([
		"No one who had ever seen Catherine Morland\nin her infancy would have supposed her",
		"born to be an heroine.",
		"Her situation in life,\nthe character of her father and mother,",
		"her own person and disposition,\nwere all equally against her.",
		"Her father was a clergyman,\nwithout being neglected, or poor,",
		"and a very respectable man.",
	]);
});

it.each([
	["English", longText],
	[
		"German",
		"Die Würde des Menschen ist unantastbar und sie zu achten ist Verpflichtung aller staatlichen Gewalt ".repeat(4),
	],
	["Chinese", "人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。".repeat(6)],
	["Japanese", "すべての人間は生れながらにして自由でありかつ尊厳と権利とについて平等である".repeat(6)],
	["Thai", "มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ".repeat(6)],
	["one word without an end", "x".repeat(1000)],
	["short words", "a ".repeat(600)],
])("has two lines of 42 columns and 7 s at most, and loses nothing: %s", async (_, text) => {
	const shown = await showableCues([cue(1, 61, text)], 70);
	for (const { startSeconds, endSeconds, text } of shown) {
		const lines = text.split("\n");
		expect(lines.length).toBeLessThanOrEqual(2);
		for (const line of lines) {
			const wide = line.match(/[\p{Script=Han}\p{Script=Hiragana}，。]/gu)?.length ?? 0;
			expect(Array.from(line).length + wide).toBeLessThanOrEqual(42);
		}
		expect(endSeconds - startSeconds).toBeLessThanOrEqual(7.0005);
		expect(endSeconds - startSeconds).toBeGreaterThanOrEqual(0.9995);
	}
	const bare = (words: string) => words.replaceAll(/\s/g, "");
	expect(bare(texts(shown).join(""))).toBe(bare(text));
});

it("keeps cues that can be read as they are, also where the text has no marks", async () => {
	const given = [cue(0, 2, "go forward ten meters"), cue(2, 4, "turn left"), cue(4.5, 6, "and then stop")];
	expect(await showableCues(given, 10)).toEqual(given);
});

it("joins a sentence that the transcriber cut in the middle of a clause", async () => {
	const given = [
		cue(0, 2, "He was not an ill-disposed"),
		cue(2, 3.5, "young man."),
		cue(3.5, 6, "He might have been."),
	];
	expect(texts(await showableCues(given, 10))).toEqual([
		"He was not an ill-disposed young man.",
		"He might have been.",
	]);
});

it("takes no shortened word for the end of a sentence", async () => {
	const given = [
		cue(0, 7, "It was the house of Mr. J. Dashwood, who had it from his uncle, and there he meant to stay."),
	];
	expect(texts(await showableCues(given, 10))).toEqual([
		"It was the house of Mr. J. Dashwood,\nwho had it from his uncle,",
		"and there he meant to stay.",
	]);
});

it("joins what is shorter than a second, and lets a cue that stands alone be seen for one", async () => {
	expect(texts(await showableCues([cue(0, 0.4, "Yes."), cue(0.4, 2, "I will come.")], 10))).toEqual([
		"Yes. I will come.",
	]);
	expect(await showableCues([cue(3, 3.2, "Yes.")], 10)).toEqual([cue(3, 4, "Yes.")]);
	expect(await showableCues([cue(9.5, 9.7, "Yes.")], 10)).toEqual([cue(9.5, 10, "Yes.")]);
});

it("shows nothing over a pause: the words go where something is heard", async () => {
	const quiet = [
		{ startSeconds: 0, endSeconds: 10 },
		{ startSeconds: 12, endSeconds: 20 },
		{ startSeconds: 22, endSeconds: 60 },
	];
	expect(await showableCues([cue(0, 30, "It is late, and I go.")], 60, quiet)).toEqual([
		cue(10, 12, "It is late,"),
		cue(20.182, 22, "and I go."),
	]);
});

it("leaves out what a model makes up over silence, and has no transcript if nothing else is there", async () => {
	const quiet = [{ startSeconds: 5, endSeconds: 60 }];
	const madeUp = cue(4.95, 35, "Thank you for watching!");
	expect(texts(await showableCues([cue(1, 4, "It is late."), madeUp], 60, quiet))).toEqual(["It is late."]);
	expect(await showableCues([cue(0, 4, "[Music]"), madeUp], 60, quiet)).toEqual([]);
});

it("keeps what two people say at the same time, in the order of its beginnings", async () => {
	const given = [cue(0, 5, "I will come tomorrow."), cue(2, 4, "No, today.")];
	expect(await showableCues(given, 10)).toEqual(given);
});

// What Whisper's base model heard in the five sentences of LibriVox that Debian's pocketsphinx-testdata has: recorded
// once, since no model can be had in these tests.
it("makes captions of what a real model hears", async () => {
	const heard = [
		cue(0, 5.98, " And Mr. John Dashwood had then leisure to consider how much there might be prudently in his power"),
		cue(5.98, 7.38, " to do for them."),
		cue(7.38, 13.72, " He was not an ill-disposed young man, unless to be rather cold-hearted and rather selfish"),
		cue(13.72, 15.76, " is to be ill-disposed."),
		cue(15.76, 20.52, " Had he married a more amiable woman, he might have been made still more respectable than"),
		cue(20.52, 21.72, " he was."),
		cue(21.72, 24.36, " He might even have been made amiable himself."),
	];
	expect(await showableCues(heard, 24.73)).toEqual([
		cue(0, 5.187, "And Mr. John Dashwood had then leisure to\nconsider how much there might be prudently"),
		cue(5.187, 7.38, "in his power to do for them."),
		cue(7.38, 10.057, "He was not an ill-disposed young man,"),
		cue(10.057, 15.76, "unless to be rather cold-hearted and\nrather selfish is to be ill-disposed."),
		cue(15.76, 17.739, "Had he married a more amiable woman,"),
		cue(17.739, 21.72, "he might have been made still\nmore respectable than he was."),
		cue(21.72, 24.36, "He might even have been\nmade amiable himself."),
	]);
});

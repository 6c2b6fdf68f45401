import { expect, it } from "vitest";
import { plainCues, plainText } from "../../src/transcript/plain-cues.ts";
import { createSubRipReader } from "../../src/transcript/sub-rip.ts";
import { plainBy } from "../../src/transcript/text-tracks.ts";
import type { Cue } from "../../src/transcript/transcriber.ts";

const cue = (startSeconds: number, endSeconds: number, text: string): Cue => ({ startSeconds, endSeconds, text });
const read = (text: string, pieceBytes: number): Cue[] => {
	const cues: Cue[] = [];
	const reader = createSubRipReader((one) => void cues.push(one));
	const bytes = Buffer.from(text);
	for (let at = 0; at < bytes.length; at += pieceBytes) reader.write(bytes.subarray(at, at + pieceBytes));
	reader.end();
	return cues;
};

it("reads SubRip in pieces of any length, with blank lines, numbers and arrows in the text", () => {
	const text =
		"1\n00:00:00,500 --> 00:00:01,234\nGrüße\n\n7\n-->\n\n2\n01:00:02,000 --> 1193:02:47,295\nlast\n\n3\n00:00:05,000 --> 00:00:06,000\n";
	for (const bytes of [1, 7, 1000])
		expect(read(text, bytes).map((one) => ({ ...one, text: one.text.trim() }))).toEqual([
			cue(0.5, 1.234, "Grüße\n\n7\n-->"),
			cue(3602, 1193 * 3600 + 167.295, "last"),
			cue(5, 6, ""),
		]);
	const long = read(`1\n00:00:00,000 --> 00:00:01,000\n${"x".repeat(1e6)}\n`, 65_536);
	expect(long[0]?.text.length).toBeLessThan(20_000);
});

it("leaves of a text what can be seen", () => {
	expect(plainText(" a\u0007\tb \\h c\r\n\n \u202edesrever\u202c\u2066x\u2069 \n\\{d\\}")).toBe(
		"a b c\ndesreverx\n{d}",
	);
	expect(plainText("\u200fשלום! می‌شود 👨‍👩‍👧")).toBe("\u200fשלום! می‌شود 👨‍👩‍👧");
	expect(plainText("👋".repeat(1000)).isWellFormed()).toBe(true);
	const ass = plainBy({
		...{ index: 2, codec: "ass", language: null, title: null },
		...{ isDefault: false, isForced: false, tellsSounds: false },
	});
	expect(ass("{a note}Sign\nm 0 0 l 100 0 100.5 -50\nm 3 apples")).toBe("Sign\nm 3 apples");
	expect(ass(String.raw`{\p1}m 0 0 b 1.5 2 3 4 5 6 c{\p0}Then words`)).toBe("Then words");
	expect(ass("m 10 20")).toBe("");
});

it("keeps words and times as they are, within the video, in order, each once", async () => {
	const cues = [
		...[cue(3, 4, "two"), cue(3, 4, "two"), cue(1.5, 2.25, "one"), cue(0, 0.9, "before"), cue(9, 20, "end")],
		...[
			cue(4, 1193 * 3600, "until the next"),
			cue(5, 1193 * 3600, "five seconds"),
			cue(30, 31, "late"),
			cue(6, 7, " "),
		],
	];
	expect(await plainCues(cues, { zeroSeconds: 1, durationSeconds: 9.5 })).toEqual([
		...[cue(0.5, 1.25, "one"), cue(2, 3, "two"), cue(3, 4, "until the next")],
		...[cue(4, 5, "five seconds"), cue(8, 9.5, "end")],
	]);
});

it("bounds the file that is made of them to less than 2 MiB", async () => {
	const many = Array.from({ length: 30_000 }, (_, n) => cue(n, n + 1, `${n}${"<".repeat(200)}`));
	const kept = await plainCues(many, { zeroSeconds: 0, durationSeconds: 40_000 });
	expect(kept.length).toBeGreaterThan(1000);
	expect(kept.length * 840).toBeLessThan(2 * 1024 ** 2);
});

it("ends what has no end where the next one begins, if that isn't at the same moment", async () => {
	const endless = 1193 * 3600 + 167.295;
	const cues = [cue(2, endless, "a sign"), cue(2, endless, "speech"), cue(4, 5, "next"), cue(9, endless, "last")];
	const kept = await plainCues(cues, { zeroSeconds: 0, durationSeconds: 100 });
	expect(kept.slice(0, 3)).toEqual([cue(2, 4, "a sign"), cue(2, 4, "speech"), cue(4, 5, "next")]);
	expect(kept[3]?.endSeconds).toBeLessThan(100);
});

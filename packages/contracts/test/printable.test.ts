import { expect, it } from "vitest";
import { printable } from "../src/printable.ts";

it("escapes what a terminal obeys and what hides how a text reads, and nothing else", () => {
	const escaped: string[] = [];
	for (let code = 0; code < 0x10000; code++) {
		const character = String.fromCharCode(code);
		if (printable(character) !== character) escaped.push(printable(character).slice(2));
	}
	const between = (from: number, to: number) =>
		escaped.filter((digits) => from <= Number.parseInt(digits, 16) && Number.parseInt(digits, 16) <= to).length;
	// C0 but two, DEL and C1; marks and embeddings of directions; isolates; separators; the invisible ones.
	expect([between(0, 0x1f), between(0x7f, 0x9f), between(0x200e, 0x200f), between(0x202a, 0x202e)]).toEqual([
		30, 33, 2, 5,
	]);
	expect([between(0x2066, 0x2069), between(0x2028, 0x2029), between(0x2060, 0x2064)]).toEqual([4, 2, 5]);
	for (const digits of ["00ad", "061c", "180e", "200b", "feff"]) expect(escaped).toContain(digits);
	expect(printable("a\u{e0041}")).toBe("a\\udb40\\udc41");
	const plain = "Zoë\tläuft\nनमस्ते می‌خواهم 👩‍👩‍👧 שלום C:\\x \\u001b";
	expect(printable(plain)).toBe(plain);
});

it("leaves a JSON document the same document", () => {
	const document = { "\u009b2J": "\u001b]0;x\u0007", bidi: "\u202egpj\u2069", tag: "\u{e0041}", lines: "a\u2028b\nc" };
	const text = printable(JSON.stringify(document, null, 2));
	expect(JSON.parse(text)).toEqual(document);
	expect(text).toMatch(/^[\n -~]*$/);
});

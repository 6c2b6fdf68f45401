import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { warnings } from "../src/warnings.ts";

describe("the warnings of a report", () => {
	it("are those of the guide's table, with the same sentences in the same order", async () => {
		const guide = await readFile(new URL("../../../docs/guides/encoding.md", import.meta.url), "utf8");
		const section = guide.split(/^## /m).find((text) => text.startsWith("Warnings\n"));
		const rows = [...(section ?? "").matchAll(/^\| `(\w+)` \| ([^|]+) \|/gm)].map(([, code, sentence]) => [
			code,
			sentence,
		]);
		expect(rows).toEqual(Object.entries(warnings));
	});

	it("are codes in snake case, and sentences", () => {
		for (const [code, sentence] of Object.entries(warnings)) {
			expect(code).toMatch(/^[a-z]+(?:_[a-z]+)*$/);
			expect(sentence).toMatch(/^[A-Z].*\.$/);
		}
	});
});

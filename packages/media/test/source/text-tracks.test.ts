import { expect, it } from "vitest";
import { parseWords } from "../../src/source/text-tracks.ts";

it("keeps the first thousand chapters, in the order of their times", () => {
	const chapters = Array.from({ length: 1200 }, (_, n) => ({ start_time: String(1200 - n), tags: { title: `C${n}` } }));
	const { chapters: found = [] } = parseWords(JSON.stringify({ chapters }), 1);
	expect(found).toHaveLength(1000);
	expect(found[0]).toEqual({ startSeconds: 0, title: "C1199" });
	expect(found.at(-1)).toEqual({ startSeconds: 999, title: "C200" });
});

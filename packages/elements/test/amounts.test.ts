import { expect, it } from "vitest";
import { lengthInWords } from "../src/uploader/amounts.ts";

it.each([
	[0.4, "0:00"],
	[9.6, "0:10"],
	[200, "3:20"],
	[3599.5, "1:00:00"],
	[3800, "1:03:20"],
])("says a length of %s s as %s", (seconds, words) => {
	expect(lengthInWords(seconds)).toBe(words);
});

import { expect, it } from "vitest";
import { bytesInWords, lengthInWords } from "../src/uploader/amounts.ts";

it.each([
	[0.4, "0:00"],
	[9.6, "0:10"],
	[200, "3:20"],
	[3599.5, "1:00:00"],
	[3800, "1:03:20"],
])("says a length of %s s as %s", (seconds, words) => {
	expect(lengthInWords(seconds)).toBe(words);
});

it.each([
	[1, "en", "1 byte"],
	[1023, "en", "1,023 bytes"],
	[1024, "en", "1\u00a0KiB"],
	[1_500_000, "de", "1,4\u00a0MiB"],
	[200 * 1024 ** 2, "en", "200\u00a0MiB"],
	[5.5 * 1024 ** 3, "fr", "5,5\u00a0Gio"],
	[2048, "ar", "\u20662\u00a0KiB\u2069"],
	[3 * 1024 ** 5, "en", "3,072\u00a0TiB"],
])("says %s bytes in %s as %s", (bytes, language, words) => {
	expect(bytesInWords(bytes, language)).toBe(words);
});

it("says how much is sent in the unit of the whole", () => {
	expect(bytesInWords(524_288, "en", 2 * 1024 ** 2)).toBe("0.5\u00a0MiB");
});

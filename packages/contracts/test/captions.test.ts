import { CaptionLanguage, CaptionsText, Chapter, Title } from "@reelmill/contracts";
import { languageName } from "@reelmill/contracts/captions";
import { expect, it } from "vitest";

it("languages of captions are tags in their shortest form, and others are refused by what to write", () => {
	for (const [said, tag] of [
		["deu", "de"],
		["EN-us", "en-US"],
		["zh-hant-tw", "zh-Hant-TW"],
		["iw", "he"],
		["de-X-easy", "de-x-easy"],
	])
		expect(CaptionLanguage.parse(said)).toBe(tag);
	expect(CaptionsText.safeParse("").error?.issues).toEqual([expect.objectContaining({ message: "the file is empty" })]);
	for (const said of ["e", "english", "en_US", "x-private", "zh-cmn", "en-a", ""])
		expect(CaptionLanguage.safeParse(said).error?.issues).toEqual([
			expect.objectContaining({ message: "must be a language tag, such as de, pt-BR or und" }),
		]);
});

it("every tag that captions or a source may have has a name, or none, and stops nobody", () => {
	for (const [tag, name] of [
		["pt-BR", "português (Brasil)"],
		["de-x-easy", "Deutsch"],
		["ar-u-nu-latn", "العربية"],
		["en-t-de", "English"],
		["en_US", undefined],
		["", undefined],
	] as const)
		expect(languageName(tag)).toBe(name);
});

it("titles that nobody could see are refused", () => {
	for (const title of ["  ", "\u200b", "\u202e \u00a0"]) {
		expect(Title.safeParse(title).success).toBe(false);
		expect(Chapter.safeParse({ start_seconds: 0, title }).success).toBe(false);
	}
	expect(Title.parse(" \u202eA")).toBe(" \u202eA");
});

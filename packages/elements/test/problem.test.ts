import { errorFromAnswer } from "@reelmill/client";
import { expect, it } from "vitest";
import type { UploaderFile } from "../src/uploader/file-list.ts";
import { problemOf } from "../src/uploader/problem.ts";
import { words as arabic } from "../src/words/arabic.ts";
import { english } from "../src/words/english.ts";
import { words as french } from "../src/words/french.ts";
import { words as german } from "../src/words/german.ts";
import { words as spanish } from "../src/words/spanish.ts";

/** An upload that failed because something on the way answered in the service's place. */
const failed = (status: number, body = "<h1>No</h1>") =>
	({
		status: "failed",
		refusal: null,
		upload: { error: errorFromAnswer({ status, body }) as Error },
	}) as unknown as UploaderFile;

it.each([
	[200, "Sign in"],
	[401, "Sign in"],
	[403, "refuses this upload (403)"],
	[405, "refuses this upload (405)"],
	[407, "Sign in"],
	[413, "refuses even small parts of this file (413)"],
	[429, "no more requests now (429)"],
	[431, "does not let this upload pass (431)"],
	[501, "refuses this upload (501)"],
	[502, "does not reach the service (502)"],
	[511, "Sign in"],
])("says in words, in each language, what a %i of something on the way means", (status, text) => {
	expect(problemOf(failed(status), english.uploader)).toContain(text);
	const said = [english, arabic, french, german, spanish].map(({ uploader }) => problemOf(failed(status), uploader));
	expect(new Set(said).size).toBe(5);
	expect(said.join()).not.toMatch(/[{}]/);
});

it("says what the service means if it is the service that answers", () => {
	expect(problemOf(failed(429, '{"error":"rate_limited"}'), english.uploader)).toBe(
		english.uploader.errors.rate_limited,
	);
	expect(problemOf(failed(500, '{"error":"internal_error"}'), english.uploader)).toBe(
		english.uploader.errors.internal_error,
	);
});

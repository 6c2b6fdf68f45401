import { warnings } from "@reelmill/contracts";
import { describe, expect, it } from "vitest";
import { warningsOf } from "../../src/videos/report-warnings.ts";

describe("the warnings of a report", () => {
	it("have their sentences, each once", () => {
		expect(warningsOf({ warnings: ["silent", "cut_off", "silent"] })).toEqual([
			{ code: "silent", message: warnings.silent },
			{ code: "cut_off", message: warnings.cut_off },
		]);
	});

	it("have what the worker found beside the sentence, if it says so", () => {
		const warning_details = { changes_midway: "Picture: 160x90.", silent: "", cut_off: 3, constructor: "no code" };
		expect(warningsOf({ warnings: ["changes_midway", "silent", "cut_off"], warning_details })).toEqual([
			{ code: "changes_midway", message: warnings.changes_midway, detail: "Picture: 160x90." },
			{ code: "silent", message: warnings.silent },
			{ code: "cut_off", message: warnings.cut_off },
		]);
		for (const nothing of [null, "silent", ["silent"]])
			expect(warningsOf({ warnings: ["silent"], warning_details: nothing })).toEqual([
				{ code: "silent", message: warnings.silent },
			]);
	});

	it.each([
		["no report", null],
		["a report of an older worker", { decisions: [] }],
		["codes of a newer worker, and what is no code", { warnings: ["of_the_future", "toString", 3, null] }],
		["something else in their place", { warnings: "silent" }],
	])("are none of %s", (_, report) => {
		expect(warningsOf(report)).toEqual([]);
	});
});

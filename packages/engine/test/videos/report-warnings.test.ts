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

	it.each([
		["no report", null],
		["a report of an older worker", { decisions: [] }],
		["codes of a newer worker, and what is no code", { warnings: ["of_the_future", "toString", 3, null] }],
		["something else in their place", { warnings: "silent" }],
	])("are none of %s", (_, report) => {
		expect(warningsOf(report)).toEqual([]);
	});
});

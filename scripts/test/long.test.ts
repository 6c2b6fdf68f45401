import { expect, it } from "vitest";
import { isLongTest, longTests, rowOfLongTest } from "./long.mjs";
import { findTestFiles } from "./test-files.mjs";

it("has a test of each name in each row", () => {
	const files = findTestFiles();
	const without = longTests.flatMap(([folder, ...names], row) =>
		(names.length > 0 ? names : [""])
			.filter(
				(name) => !files.some((file) => rowOfLongTest(file) === row && (!name || file.endsWith(`/${name}.test.ts`))),
			)
			.map((name) => `${folder} ${name}`),
	);
	expect(without, "correct their names in scripts/test/long.mjs").toEqual([]);
});

it("leaves most tests to the fast run", () => {
	const files = findTestFiles();
	expect(files.filter(isLongTest).length).toBeLessThan(files.length / 2);
	expect(isLongTest("packages/media/test/any/new.test.ts")).toBe(true);
	expect(isLongTest("packages/engine/test/jobs.test.ts")).toBe(false);
});

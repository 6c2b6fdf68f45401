import { expect, it } from "vitest";
import { isLongTest, longTests } from "./long.mjs";
import { exceptions, runsOnSystemPostgres } from "./on-system-postgres.ts";
import { findTestFiles, namesWithoutTest } from "./test-files.mjs";

it("names no test that is gone", () => {
	expect(namesWithoutTest(longTests), "correct scripts/test/long.mjs").toEqual([]);
	expect(namesWithoutTest(exceptions), "correct scripts/test/on-system-postgres.ts").toEqual([]);
	expect(namesWithoutTest([["packages/engine", "nowhere"]])).toEqual(["packages/engine nowhere"]);
});

it("leaves most tests to the fast run", () => {
	const files = findTestFiles();
	expect(files.filter(isLongTest).length).toBeLessThan(files.length / 2);
	expect(isLongTest("packages/media/test/any/new.test.ts")).toBe(true);
	expect(isLongTest("packages/engine/test/jobs.test.ts")).toBe(false);
});

it("runs a new test that may speak to PostgreSQL on the system's version, too", () => {
	expect(runsOnSystemPostgres("packages/engine/test/any/new.test.ts")).toBe(true);
	expect(runsOnSystemPostgres("packages/cli/test/new.test.ts")).toBe(false);
});

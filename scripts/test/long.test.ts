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
	expect(isLongTest("packages/engine/test/jobs/jobs.test.ts")).toBe(false);
});

it("runs on the system's PostgreSQL what speaks to a server that it is given", () => {
	expect(runsOnSystemPostgres("packages/postgres/test/conformance.test.ts")).toBe(true);
	expect(runsOnSystemPostgres("packages/postgres/test/embedded/embedded-postgres.test.ts")).toBe(false);
	expect(findTestFiles().filter(runsOnSystemPostgres).length).toBeGreaterThan(50);
});

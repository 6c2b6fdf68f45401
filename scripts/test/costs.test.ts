import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../setup/paths.mjs";
import { programsOfTests } from "./command.mjs";
import { readPromised, wrongCosts } from "./costs.ts";
import { filesOf, readCosts } from "./runs.mjs";
import { findTestFiles } from "./test-files.mjs";

const plain = "packages/engine/test/jobs/jobs.test.ts";
const nightly = "packages/engine/test/random.nightly.test.ts";
const table = { files: [plain, nightly], costs: { [plain]: 3, [nightly]: 90 }, promised: [] };

it("finds nothing wrong where each daily test is cheap", () => {
	expect(wrongCosts(table)).toEqual([]);
});

it.each([
	["a daily test without a cost", { costs: {} }, `${plain} has no cost: run`],
	["a test that is gone", { files: [plain] }, `${nightly} is gone`],
	[
		"a test in no part",
		{ files: [plain, nightly, "new/one.nightly.test.ts"] },
		"new/one.nightly.test.ts is in no part",
	],
	["an expensive test without a promise", { costs: { [plain]: 11 } }, `${plain} costs 11 s of CPU, and no promise`],
	["a promise that only the nightly run shows", { promised: [nightly] }, `The README says that ${nightly} shows`],
	[
		"a folder of a promise without a daily test",
		{ promised: ["packages/engine/test/videos/"] },
		"npm test runs no such",
	],
	[
		"tests over their part's budget",
		{ costs: { [plain]: 1000 }, promised: [plain] },
		"The tests of engine cost 1000 s",
	],
])("tells of %s", (_what, change, sentence) => {
	expect(wrongCosts({ ...table, ...change })).toContainEqual(expect.stringContaining(sentence));
});

it("reads the promises of the README, with the folders", () => {
	const readme =
		"| Promise | Kept by | Shown by |\n|---|---|---|\n| A. | [`a`](a.ts) | [`b`](b/), [`c`](c.test.ts) |\n\n";
	expect(readPromised(readme)).toEqual(["b/", "c.test.ts"]);
	expect(readPromised().length).toBeGreaterThan(10);
});

it("gives the fast run what is cheap and needs no program, and npm test all but the nightly tests", () => {
	const files = findTestFiles();
	const [fast, daily] = [filesOf("fast", files, readCosts()), filesOf("daily", files)];
	expect(fast).toContain("packages/contracts/test/specification.test.ts");
	expect(fast.some((file) => file.endsWith(".s3.test.ts") || file.includes(".browser."))).toBe(false);
	expect(daily.filter((file) => file.includes(".nightly."))).toEqual([]);
	expect(fast.filter((file) => !daily.includes(file))).toEqual([]);
});

it("installs for npm test what the page of commands names, and no more", () => {
	const page = readFileSync(join(root, "docs/commands.md"), "utf8");
	const table = page.split("| Package | Why |")[1]?.split("\n\n")[0] ?? "";
	const named = table.split("\n").flatMap((row) => [...(row.split(" | ")[0] ?? "").matchAll(/`([^`]+)`/g)]);
	const installed = new Set(programsOfTests({}, []).map(({ debian }) => debian));
	expect(named.map(([, name]) => name).sort()).toEqual([...installed].sort());
});

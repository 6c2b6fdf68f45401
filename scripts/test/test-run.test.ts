import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { inOneLine } from "./report.ts";
import { runTests } from "./test-run.ts";

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "reelmill-test-runs-"));
	symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
	write("whole", `it("holds", () => {});`);
	writeFileSync(join(folder, "silent-reporter.mjs"), "export default class {}");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, test: string): void =>
	writeFileSync(join(folder, `${name}.test.mjs`), `import { it } from "vitest";\n${test}`);
const run = async () => {
	const reporters = [join(folder, "silent-reporter.mjs")];
	const { failures, ...counts } = await runTests([`--root=${folder}`], { reporters });
	return { ...counts, failures: failures.map(({ name, message }) => [name, message.split("\n")[0]]) };
};

it("tells of each test that fails, of one that fails once, and of a file that can't begin", async () => {
	write("one", `it("breaks", () => { throw new Error("it is one"); });`);
	// The first run makes the folder, and fails; a second would pass.
	write(
		"once",
		`import { mkdirSync } from "node:fs";\nit("breaks once", () => { if (mkdirSync("${join(folder, "run")}", { recursive: true })) throw new Error("not at once"); });`,
	);
	write("unread", `throw new Error("not even read");`);
	const { passed, failed, failures } = await run();
	expect({ passed, failed }).toEqual({ passed: 1, failed: 2 });
	expect(failures.sort()).toEqual([
		["breaks once", "Error: not at once"],
		["breaks", "Error: it is one"],
		["the file itself", expect.stringContaining("not even read")],
	]);
});

it("rejects when a test is left out", async () => {
	write("left-out", `it.skip("is not run", () => {});`);
	await expect(run()).rejects.toThrow("1 tests did not run.");
});

it("names each test that failed in a line", () => {
	const message = `Error: it is one\n    at ${"deep/".repeat(100)}`;
	expect(inOneLine({ file: resolve("packages/one.test.ts"), name: "breaks", message })).toBe(
		"packages/one.test.ts: breaks: Error: it is one",
	);
});

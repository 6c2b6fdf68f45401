import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createTestRuns } from "./test-runs.ts";

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "reelmill-test-runs-"));
	symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
	write("whole.test.mjs", `it("holds", () => {});`);
	writeFileSync(join(folder, "silent-reporter.mjs"), "export default class {}");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, test: string): void =>
	writeFileSync(join(folder, name), `import { mkdirSync } from "node:fs";\nimport { it } from "vitest";\n${test}`);
const failing = (name: string) =>
	write(`${name}.test.mjs`, `it("breaks", () => { throw new Error("it is ${name}"); });`);
const run = async () => {
	const runs = createTestRuns({ reporter: join(folder, "silent-reporter.mjs") });
	const error = await runs.run([`--root=${folder}`]).then(
		() => undefined,
		(cause: Error) => cause.message,
	);
	const named = ({ failures, unsteady }: ReturnType<typeof runs.failures>) => ({
		failed: failures.map(({ name, message }) => [name, message.split("\n")[0]]),
		unsteady: unsteady.map(({ name, message }) => [name, message.split("\n")[0]]),
	});
	return { error, ...runs.counts(), named: named(runs.failures()) };
};

it("counts what passes", async () => {
	expect(await run()).toEqual({ error: undefined, passed: 1, failed: 0, named: { failed: [], unsteady: [] } });
});

it("runs a file once more that failed, and tells what it said", async () => {
	// The first run makes the folder, and fails.
	write(
		"once.test.mjs",
		`it("breaks once", () => { if (mkdirSync("${join(folder, "run")}", { recursive: true })) throw new Error("not at once"); });`,
	);
	expect(await run()).toEqual({
		error: undefined,
		passed: 2,
		failed: 0,
		named: { failed: [], unsteady: [["breaks once", "Error: not at once"]] },
	});
});

it("fails with a file that fails twice", async () => {
	failing("broken");
	expect(await run()).toEqual({
		error: "A file failed twice.",
		passed: 1,
		failed: 1,
		named: { failed: [["breaks", "Error: it is broken"]], unsteady: [] },
	});
});

it("fails with a file that can't begin", async () => {
	write("unread.test.mjs", `throw new Error("not even read");`);
	const { error, named } = await run();
	expect(error).toBe("A file failed twice.");
	expect(named.failed).toEqual([["the file itself", expect.stringContaining("not even read")]]);
});

it("runs nothing again where four files fail", async () => {
	for (const name of ["one", "two", "three", "four"]) failing(name);
	const { error, failed } = await run();
	expect({ error, failed }).toEqual({ error: "4 files failed.", failed: 4 });
});

it("fails where a test is left out", async () => {
	write("left-out.test.mjs", `it.skip("is not run", () => {});`);
	expect((await run()).error).toBe("1 tests did not run.");
});

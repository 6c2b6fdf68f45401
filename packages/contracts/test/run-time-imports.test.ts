import { readFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { describe, expect, it } from "vitest";

const runTimeImport = /^\s*(?:import\b|export\b.*\bfrom ")|\bimport\(/m;

describe("what a browser may import", () => {
	it.each(["errors", "routes", "containers", "events", "error-extras", "audit-actions", "warnings", "printable"])(
		"%s imports nothing at run time",
		async (name) => {
			const source = await readFile(new URL(`../src/${name}.ts`, import.meta.url), "utf8");
			expect(stripTypeScriptTypes(source)).not.toMatch(runTimeImport);
		},
	);

	it("knows a run-time import when it sees one", async () => {
		const source = await readFile(new URL("../src/operation.ts", import.meta.url), "utf8");
		expect(stripTypeScriptTypes(source)).toMatch(runTimeImport);
	});
});

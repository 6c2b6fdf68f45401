import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { invariants } from "../invariants/index.ts";

it("says in the guide what is checked, in the words of the checks", async () => {
	const guide = await readFile(new URL("../../docs/guides/faults.md", import.meta.url), "utf8");
	for (const { name, promise } of invariants) expect(guide).toContain(`| ${name} | ${promise} |`);
});

import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { rules } from "../judge/rules.ts";

it("finds each rule in the guide", async () => {
	const guide = await readFile(new URL("../../docs/guides/fuzz.md", import.meta.url), "utf8");
	for (const rule of Object.values(rules)) expect(guide).toContain(`| ${rule} | `);
});

import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { invariants } from "../invariants/index.ts";
import { faultKinds } from "../plan/catalogue.ts";

const guide = await readFile(new URL("../../docs/guides/faults.md", import.meta.url), "utf8");

it("finds each check's promise in the guide", () => {
	for (const { name, promise } of invariants) expect(guide).toContain(`| ${name} | ${promise} |`);
});

it("finds each kind of fault in the guide, and no other kind", () => {
	const table = guide.slice(guide.indexOf("## What is broken"), guide.indexOf("## What is checked"));
	const rows = table
		.split("\n")
		.flatMap((row) => [...(row.split(" | ")[1] ?? "").matchAll(/`([a-z-]+)`/g)].map(([, kind]) => kind));
	expect(rows.toSorted()).toEqual(faultKinds.toSorted());
});

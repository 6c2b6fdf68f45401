import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { invariants } from "../invariants/index.ts";
import { faultKinds } from "../plan/catalogue.ts";

const guide = await readFile(new URL("../../docs/guides/faults.md", import.meta.url), "utf8");

it("says in the guide what is checked, in the words of the checks", () => {
	for (const { name, promise } of invariants) expect(guide).toContain(`| ${name} | ${promise} |`);
});

it("names each kind of fault in the guide, and no other", () => {
	const table = guide.slice(guide.indexOf("## What is broken"), guide.indexOf("## What is checked"));
	const rows = table
		.split("\n")
		.flatMap((row) => [...(row.split(" | ")[1] ?? "").matchAll(/`([a-z-]+)`/g)].map(([, kind]) => kind));
	expect(rows.toSorted()).toEqual(faultKinds.toSorted());
});

import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { workerFaults } from "../src/worker-faults.ts";

it("the guide says of each fault of a worker what it means, in the same sentences, and what to do", async () => {
	const guide = await readFile(new URL("../../../docs/guides/incidents.md", import.meta.url), "utf8");
	const section = guide.split(/^## /m).find((text) => text.startsWith("Worker ill\n"));
	const rows = [...(section ?? "").matchAll(/^\| `(\w+)` \| ([^|]+) \| [^|]+ \|$/gm)].map((row) => row.slice(1));
	expect(rows).toEqual(Object.entries(workerFaults));
});

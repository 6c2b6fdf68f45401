import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { createServerMetrics } from "../../src/operations/metrics.ts";
import { createProcessesMetrics } from "../../src/processes/operations-of.ts";

it("the guide to metrics names every metric of ours with its labels, and no other", async () => {
	const guide = await readFile(new URL("../../../../docs/guides/metrics.md", import.meta.url), "utf8");
	const written = [...guide.matchAll(/^\| `(reelmill_\w+)` \|(.*?)\| .{10,} \|$/gm)].map(
		([, name, labels]) => `${name} ${labels?.trim()}`,
	);
	const metrics = createServerMetrics({ directory: "." });
	metrics.show({ installation: () => Promise.reject(new Error("away")), thisProcess: () => ({}) as never });
	const ofProcesses = createProcessesMetrics([]).getMetricsAsArray();
	const ours = [...metrics.labels(), ...ofProcesses.map(({ name }) => [name, []] as const)]
		.filter(([name]) => name.startsWith("reelmill_"))
		.map(([name, labels]) => `${name} ${labels.map((label) => `\`${label}\``).join(", ")}`);
	expect(written.toSorted()).toEqual(ours.toSorted());
});

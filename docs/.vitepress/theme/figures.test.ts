import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../../../scripts/setup/paths.mjs";
import figures from "../../guides/sizing.json" with { type: "json" };
import { costOf, cpuSecondsOf, gigabytesAnHour, type Plan, rounded } from "./cost.ts";

const guide = (name: string): string => readFileSync(join(root, "docs/guides", name), "utf8");

/** The rows of the table whose head begins with these words, as cells. */
function tableOf(text: string, head: string): string[][] {
	const lines = text.split("\n");
	const from = lines.findIndex((line) => line.startsWith(`| ${head} |`)) + 2;
	const rows = lines.slice(from, lines.indexOf("", from));
	return rows.map((row) => row.slice(2, -2).split(" | "));
}

it("the guide to sizing has the figures from which the cost is reckoned", () => {
	const sizing = guide("sizing.md");
	expect(tableOf(sizing, "Renditions")).toEqual(
		figures.encoding.map(({ renditions, cpuSeconds, megabytes, memoryGigabytes }) => [
			renditions,
			...[cpuSeconds, megabytes, memoryGigabytes].map(String),
		]),
	);
	expect(tableOf(sizing, "Rendition")).toEqual(
		figures.bandwidth.map(({ rendition, average, most }) => [rendition, String(average), String(most)]),
	);
	expect(sizing).toContain(`and ${figures.sound} Mb/s of sound`);
});

const plan = (of: Partial<Plan>): Plan => ({
	minutesAMonth: 0,
	encoding: 3,
	monthsKept: 12,
	viewerHoursAMonth: 0,
	watched: 0,
	busiestHour: 10,
	prices: { core: 0, stored: 0, sent: 0 },
	...of,
});

it("the guide to cost has what the calculator reckons", () => {
	const cost = guide("cost.md");
	expect(tableOf(cost, "Renditions")).toEqual(
		figures.encoding.map((one, encoding) => {
			const { coreHours, gigabytesStored } = costOf(plan({ minutesAMonth: 1000, encoding, monthsKept: 1 }), figures);
			return [one.renditions, ...[cpuSecondsOf(one, figures), coreHours, gigabytesStored].map(rounded)];
		}),
	);
	expect(tableOf(cost, "Most watched")).toEqual(
		figures.bandwidth.map((one) => [one.rendition, rounded(gigabytesAnHour(one, figures))]),
	);
	const number = (text = ""): number => Number(text.replaceAll(",", ""));
	const examples = tableOf(cost, "Minutes uploaded");
	expect(examples.length).toBe(3);
	for (const row of examples) {
		const [minutesAMonth, viewerHoursAMonth] = row.map(number) as [number, number];
		const of = costOf(plan({ minutesAMonth, viewerHoursAMonth }), figures);
		const { coresAtPeak, gigabytesStored, gigabytesSent, megabitsAtPeak } = of;
		expect(row.slice(2)).toEqual([coresAtPeak, gigabytesStored, gigabytesSent, megabitsAtPeak].map(rounded));
	}
});

it("reckons a month's price by the cores of the busiest hour, what is stored and what is sent", () => {
	const of = plan({ minutesAMonth: 3000, viewerHoursAMonth: 1000, prices: { core: 10, stored: 0.02, sent: 0.01 } });
	const { coresAtPeak, gigabytesStored, gigabytesSent, price } = costOf(of, figures);
	expect(price.cores).toBeCloseTo(coresAtPeak * 10);
	expect(price.all).toBeCloseTo(coresAtPeak * 10 + gigabytesStored * 0.02 + gigabytesSent * 0.01);
	expect(() => costOf(plan({ encoding: 9 }), figures)).toThrow(RangeError);
});

it("the guide to upgrades names the Node that the packages ask for", () => {
	const { engines } = JSON.parse(readFileSync(join(root, "packages/node/package.json"), "utf8"));
	expect(tableOf(guide("upgrade.md"), "| From | Where it is said")[0]?.slice(0, 2)).toEqual([
		"Node",
		engines.node.replace(">=", ""),
	]);
});

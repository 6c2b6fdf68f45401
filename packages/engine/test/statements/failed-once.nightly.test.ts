import { expect, it } from "vitest";
import { acts } from "./acts.ts";
import { failEachOnce } from "./failed-once.ts";
import { sitesOfStatements } from "./sites.ts";
import { type Unreached, unreached } from "./unreached.ts";

/** What is taken and given back, all of it by a few texts: each of several sendings fails. */
const held = ["uploads/leases.", "jobs/workers/", "background/duties.", "webhooks/leases.", "webhooks/outcomes."];
const most = (place: string) => (held.some((beginning) => place.startsWith(beginning)) ? 4 : 1);
/** In milliseconds. Some acts run two hundred times, and each run takes seconds on a machine that has much else to do. */
const longest = 3_600_000;
const reached = new Set<string>();
/** What sweeps delete in batches is the same in each act. */
const batches = new Set<string>();
const isWanted = (text: string, place: string) => {
	const isKnown = batches.has(text);
	if (place.startsWith("retention/")) batches.add(text);
	return !isKnown;
};

it.each(Object.keys(acts))(
	"%s: comes to the same, whichever statement fails once, the first time or later",
	async (name) => {
		for (const place of await failEachOnce(name, { isWanted, most })) reached.add(place);
	},
	longest,
);

it("tries each statement of the engine, but those that are listed with a reason", async () => {
	const missing = [...(await sitesOfStatements())].filter(([place]) => !reached.has(place));
	const isListed = ([place, text]: [string, string], { at, sends }: Unreached) =>
		place.startsWith(at) && (sends === undefined || text.includes(sends));
	expect(missing.filter((site) => !unreached.some((listed) => isListed(site, listed)))).toEqual([]);
	expect(unreached.filter((listed) => !missing.some((site) => isListed(site, listed)))).toEqual([]);
});

import { it } from "vitest";
import { acts } from "./acts.ts";
import { failEachOnce } from "./failed-once.ts";

/** What is taken and given back, all of it by a few texts: each of several sendings fails. */
const held = ["uploads/leases.", "jobs/workers/", "background/duties.", "webhooks/leases.", "webhooks/outcomes."];
const most = (place: string) => (held.some((beginning) => place.startsWith(beginning)) ? 4 : 1);
/** In milliseconds. Some acts run more than a hundred times, and each run takes seconds on a machine that has much else to do. */
const longest = 3_600_000;
/** What sweeps delete in batches is the same in each act. */
const batches = new Set<string>();
const isWanted = (text: string, place: string) => {
	const isKnown = batches.has(text);
	if (place.startsWith("retention/")) batches.add(text);
	return !isKnown;
};

it.each(Object.keys(acts))(
	"%s: comes to the same, whichever statement fails once, the first time or later",
	(name) => failEachOnce(name, { isWanted, most }),
	longest,
);

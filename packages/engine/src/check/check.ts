import type { Parts } from "../system/index.ts";
import { createAdoption } from "./adopt.ts";
import { createBytesInspection } from "./bytes.ts";
import { createCopiesInspection } from "./copies.ts";
import { createCountersInspection } from "./counters.ts";
import { createLosses } from "./losses.ts";
import { createOrphans } from "./orphans.ts";
import { createOutputsInspection } from "./outputs.ts";
import { createPlaces } from "./places.ts";
import { createProbesInspection } from "./probes.ts";
import { createStep, type Step } from "./step.ts";
import { createUploadsInspection } from "./uploads.ts";

/** Compares what rows say with what storage holds. */
export type Check = {
	/**
	 * Does one bounded step, of a few seconds at most. Returns what the step found, which of it was repaired as
	 * requested, and the cursor of the next step; `null` after the last. With `deep` it also reads every output and
	 * compares it with the sum that is kept of it; `deep` is then given to each step. The step leaves alone what was
	 * written within the last hour, what is being worked on, and what is noted to be deleted. A second check finds what
	 * the first did not repair. Two checks may run at once, and a step whose answer was lost may be repeated.
	 *
	 * @throws {ReelmillError} `invalid_cursor` when the cursor is not one of a check, or its place is gone.
	 */
	readonly step: Step;
};

type Options = Parameters<typeof createAdoption>[1] &
	Pick<Parameters<typeof createStep>[1], "stores" | "untouchedSeconds"> &
	Parameters<typeof createOrphans>[1];

/** Assembles the check. */
export function createCheck(parts: Parts, { stores, untouchedSeconds, reap, ...options }: Options): Check {
	const { database } = parts;
	const { store, afterChange } = options;
	const orphans = createOrphans(parts, { reap });
	const losses = createLosses(parts, { store, afterChange });
	const adoption = createAdoption(parts, options);
	const step = createStep(parts, {
		places: createPlaces(database),
		stores,
		inspections: {
			outputs: createOutputsInspection(parts, { losses, orphans, adoption }),
			uploads: createUploadsInspection(parts, { losses, orphans }),
			copies: createCopiesInspection(parts, { orphans }),
			probes: createProbesInspection(parts),
			bytes: createBytesInspection(parts),
		},
		counters: createCountersInspection(database),
		untouchedSeconds,
	});
	return { step };
}

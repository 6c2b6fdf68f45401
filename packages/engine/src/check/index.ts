import { createAdoption } from "./adopt.ts";
import { createCheck as assemble, type Check } from "./check.ts";
import { createCopiesLook } from "./copies.ts";
import { createCountersLook } from "./counters.ts";
import { createLosses } from "./losses.ts";
import { createOutputsLook } from "./outputs.ts";
import { createPlaces } from "./places.ts";
import { createProbesLook } from "./probes.ts";
import { createStrays } from "./strays.ts";
import { createUploadsLook } from "./uploads.ts";

export type { Check, CheckOptions } from "./check.ts";

type Options = Parameters<typeof createAdoption>[0] &
	Pick<Parameters<typeof assemble>[0], "stores" | "untouchedSeconds"> &
	Pick<Parameters<typeof createStrays>[0], "reap">;

/** The check over its parts. */
export function createCheck({ stores, untouchedSeconds, reap, ...options }: Options): Check {
	const { database, clock, store, afterChange } = options;
	const strays = createStrays({ database, clock, reap });
	const losses = createLosses({ database, store, afterChange });
	const adoption = createAdoption(options);
	return assemble({
		places: createPlaces(database),
		stores,
		looks: {
			outputs: createOutputsLook({ database, clock, losses, strays, adoption }),
			uploads: createUploadsLook({ database, losses, strays }),
			copies: createCopiesLook({ database, strays }),
			probes: createProbesLook({ clock }),
		},
		counters: createCountersLook(database),
		clock,
		untouchedSeconds,
	});
}

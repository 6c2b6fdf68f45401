import type { Parts } from "../system/index.ts";
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

type Options = Parameters<typeof createAdoption>[1] &
	Pick<Parameters<typeof assemble>[1], "stores" | "untouchedSeconds"> &
	Parameters<typeof createStrays>[1];

/** The check over its parts. */
export function createCheck(parts: Parts, { stores, untouchedSeconds, reap, ...options }: Options): Check {
	const { database } = parts;
	const { store, afterChange } = options;
	const strays = createStrays(parts, { reap });
	const losses = createLosses(parts, { store, afterChange });
	const adoption = createAdoption(parts, options);
	return assemble(parts, {
		places: createPlaces(database),
		stores,
		looks: {
			outputs: createOutputsLook(parts, { losses, strays, adoption }),
			uploads: createUploadsLook(parts, { losses, strays }),
			copies: createCopiesLook(parts, { strays }),
			probes: createProbesLook(parts),
		},
		counters: createCountersLook(database),
		untouchedSeconds,
	});
}

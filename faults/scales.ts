import type { Scale } from "./world/scale.ts";

/** The scale of `node scripts/run.mjs faults`: about one kill a second. */
export const fullScale: { readonly scale: Scale; readonly meanMilliseconds: number } = {
	scale: { uploaders: 6, workers: 4, transcoders: 2, windows: { lock: 3, pendingUpload: 40, sweep: 1 } },
	meanMilliseconds: 600,
};

/** The scale of the run in the tests: small, and soon at rest. */
export const shortScale: typeof fullScale = {
	scale: { uploaders: 3, workers: 3, transcoders: 2, windows: { lock: 3, pendingUpload: 20, sweep: 1 } },
	meanMilliseconds: 600,
};

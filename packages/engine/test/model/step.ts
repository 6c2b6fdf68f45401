import type { Model } from "./state.ts";

/**
 * One thing that happens at one moment. It changes the model, and answers whether what was observed of its action fits.
 */
export type Step = (model: Model, observed: string) => boolean;

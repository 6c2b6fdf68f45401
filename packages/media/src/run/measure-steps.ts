/** How long a step of the processing took, for the report. Steps may run side by side. */
export type Step = { readonly step: string; readonly seconds: number };

/** How long each step of a job took, in seconds. */
export type MeasuredSteps = {
	/** Those that have ended, in the order of their ends. */
	readonly steps: readonly Step[];
	/** Does the work, and notes how long it took. A step that fails is not noted: it rejects as its work does. */
	measure<T>(step: string, work: () => Promise<T>): Promise<T>;
};

/**
 * Creates a measurement of steps.
 * @example
 * ```ts
 * import { measureSteps } from "@reelmill/media";
 *
 * const { measure, steps } = measureSteps();
 * const answer = await measure("think", async () => 42);
 * console.log(answer, steps[0]?.step); // => 42 think
 * ```
 */
export function measureSteps(): MeasuredSteps {
	const steps: Step[] = [];
	return {
		steps,
		async measure(step, work) {
			const startedAt = performance.now();
			const result = await work();
			steps.push({ step, seconds: Math.round(performance.now() - startedAt) / 1000 });
			return result;
		},
	};
}

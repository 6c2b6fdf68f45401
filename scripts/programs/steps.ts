import { runToEnd } from "../setup/spawn.mjs";

/** One thing to prove: a program that ends with exit code 0, or a function that ends without throwing. */
export type Step = { readonly name: string } & (
	| { readonly program: string; readonly args: readonly string[]; readonly environment?: NodeJS.ProcessEnv }
	| { readonly run: () => Promise<void> }
);
/** What stands before a step's name, in the line above all that it prints. */
export const heading = "--- ";

export type Outcome = { readonly name: string; readonly passed: boolean; readonly seconds: number };

/**
 * Runs each step in order, the later ones also where an earlier one failed, so that one run shows all that is wrong.
 */
export async function runSteps(steps: readonly Step[]): Promise<Outcome[]> {
	const outcomes: Outcome[] = [];
	for (const step of steps) {
		console.log(`\n${heading}${step.name}`);
		const started = performance.now();
		const passed = await runStep(step);
		outcomes.push({ name: step.name, passed, seconds: (performance.now() - started) / 1000 });
	}
	return outcomes;
}

async function runStep(step: Step): Promise<boolean> {
	if ("program" in step) return (await runToEnd(step.program, [...step.args], step.environment)) === 0;
	try {
		await step.run();
		return true;
	} catch (error) {
		console.error(error instanceof Error ? error.message : error);
		return false;
	}
}

/** Runs the steps of a program, and lets it end with exit code 1 if one fails. */
export async function prove(steps: readonly Step[]): Promise<void> {
	const outcomes = await runSteps(steps);
	printSummary(outcomes);
	if (outcomes.some(({ passed }) => !passed)) process.exitCode = 1;
}

export function printSummary(outcomes: readonly Outcome[]): void {
	const width = Math.max(...outcomes.map(({ name }) => name.length));
	console.log("\nSteps");
	for (const { name, passed, seconds } of outcomes)
		console.log(`  ${passed ? "ok    " : "FAILED"}  ${name.padEnd(width)}  ${seconds.toFixed(1).padStart(6)} s`);
}

import type { Case } from "../generate/case.ts";
import type { Found } from "../judge/finding.ts";
import type { Counts } from "../watch/counts.ts";
import { createResolver } from "../world/resolve.ts";
import type { Ground, RunningCase } from "./ground.ts";
import { runHttpStep } from "./http-step.ts";
import { runRawStep } from "./raw-step.ts";

/**
 * Sends one case, step by step, and returns what is wrong with the answers. `onExchange` is called with each request
 * and its answer. Never rejects.
 */
export async function runCase(
	ground: Ground,
	number: number,
	one: Case,
	counts?: Counts,
	onExchange?: (line: string) => void,
): Promise<Found[]> {
	const { world } = ground;
	const resolver = createResolver(world.registry, world.tenants, one, `${number.toString(36)}-${one.address}`);
	const run: RunningCase = { ground, number, one, resolver, from: ground.addressOf(one.address), counts, onExchange };
	const found: Found[] = [];
	const running: Promise<unknown>[] = [];
	for (const [index, step] of one.steps.entries()) {
		const sent = (step.kind === "raw" ? runRawStep(run, step, index) : runHttpStep(run, step, index)).then((more) =>
			found.push(...more),
		);
		if (step.kind === "http" && step.together) running.push(sent);
		else await sent;
	}
	await Promise.all(running);
	return found;
}

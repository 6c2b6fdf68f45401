import fc from "fast-check";
import { expect } from "vitest";
import type { oneByOne, Subject } from "./commands.ts";
import type { openWorld } from "./real.ts";

export type LifeWorld = Awaited<ReturnType<typeof openWorld>>;

/** REELMILL_MODEL_RUNS asks for more runs, REELMILL_MODEL_SEED for others; a failing run tells its seed and path. */
export const runsOr = (usual: number): number => Number(process.env.REELMILL_MODEL_RUNS ?? usual);
export const seed = Number(process.env.REELMILL_MODEL_SEED ?? 20_261_122);

/** That a history of the commands ends as the model's, and that no count is wrong then. `reached` gathers the moves. */
export const life = (world: LifeWorld, commands: ReturnType<typeof oneByOne>, reached?: Set<string>) => {
	const subject = (): Subject => ({
		model: { now: world.opened.clock.now(), videos: [] },
		locks: new Map(),
		...(reached && { reached }),
	});
	return fc.asyncProperty(commands, async (all) => {
		await fc.asyncModelRun(async () => ({ model: subject(), real: await world.begin() }), all);
		expect(await world.wrongCounts()).toEqual([]);
	});
};

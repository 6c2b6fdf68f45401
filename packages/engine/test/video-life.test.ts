import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { crowded, oneByOne } from "./model/commands.ts";
import { defects } from "./model/defects.ts";
import { type LifeWorld, life, runsOr, seed } from "./model/life.ts";
import { openWorld } from "./model/real.ts";

/** Few histories; the nightly run has 30, which go through every move. */
const runs = runsOr(5);

describe("the life of videos, on two servers", () => {
	let world: LifeWorld;
	beforeEach(async () => {
		world = await openWorld();
	});
	afterEach(() => world.close());
	const loggedErrors = () => world.opened.logger.entries.filter(({ level }) => level === "error");

	it.each([
		["one after the other", oneByOne],
		["at once, in some order", crowded],
	])("is that of the model, whatever is done %s", async (_, commands) => {
		await fc.assert(life(world, commands(), undefined), { seed, numRuns: runs });
		expect(loggedErrors()).toEqual([]);
	});
});

it.each(defects.filter(({ rule }) => rule === "a reservation is given back"))(
	"the model notices an engine that breaks a rule: $rule",
	async ({ change, isPlanted }) => {
		const world = await openWorld(change);
		try {
			const details = await fc.check(life(world, oneByOne()), { seed, numRuns: 60, endOnFailure: true });
			expect([isPlanted(), details.failed]).toEqual([true, true]);
			expect(String(details.errorInstance)).toMatch(/No order of these actions|DatabaseError/);
		} finally {
			await world.close();
		}
	},
);

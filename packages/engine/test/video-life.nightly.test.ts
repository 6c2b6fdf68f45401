import { moves } from "@reelmill/engine";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { crowded, oneByOne } from "./model/commands.ts";
import { defects } from "./model/defects.ts";
import { type LifeWorld, life, runsOr, seed } from "./model/life.ts";
import { openWorld } from "./model/real.ts";

const runs = runsOr(30);
/** A busy machine may take its time. */
const patience = 120_000 + runs * 20_000;

describe("the life of videos, on two servers", () => {
	let world: LifeWorld;
	beforeEach(async () => {
		world = await openWorld();
	});
	afterEach(() => world.close());
	const reached = new Set<string>();
	const loggedErrors = () => world.opened.logger.entries.filter(({ level }) => level === "error");

	it(
		"is that of the model, whatever is done one after the other",
		async () => {
			await fc.assert(life(world, oneByOne(), reached), { seed, numRuns: runs });
			expect(loggedErrors()).toEqual([]);
		},
		patience,
	);

	it(
		"is that of the model in some order, whatever is done at once",
		async () => {
			await fc.assert(life(world, crowded(), reached), { seed, numRuns: runs });
			expect(loggedErrors()).toEqual([]);
		},
		patience,
	);

	it("went through every move of the table in these runs, but those of the check, of operators and of uploads of no video, which have tests of their own", () => {
		const ofOthers = ["lose", "adopt", "reprocess", "pending_upload fail"];
		const table = Object.entries(moves)
			.flatMap(([state, row]) => Object.keys(row).map((command) => `${state} ${command}`))
			.filter((move) => !ofOthers.some((other) => move.endsWith(other)));
		expect([...reached].sort()).toEqual(table.sort());
	});
});

describe("the model", () => {
	for (const { rule, needsCrowd, change, isPlanted } of defects) {
		it(`notices an engine that breaks a rule: ${rule}`, async () => {
			const world = await openWorld(change);
			try {
				// A busy machine lets fewer of a crowd meet in a run.
				const [commands, numRuns] = needsCrowd ? [crowded(), 400] : [oneByOne(), 60];
				const details = await fc.check(life(world, commands), { seed, numRuns, endOnFailure: true });
				expect(isPlanted()).toBe(true);
				expect(details.failed).toBe(true);
				expect(String(details.errorInstance)).toMatch(/No order of these actions|DatabaseError/);
			} finally {
				await world.close();
			}
		}, 1_800_000);
	}
});

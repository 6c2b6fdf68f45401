import { expect, it } from "vitest";
import { faultKinds, type Planned, planFaults } from "../plan/plan.ts";
import { createRandom } from "../plan/random.ts";

const take = (seed: number, count: number, options: Partial<Parameters<typeof planFaults>[1]> = {}): Planned[] => {
	const plan = planFaults(createRandom(seed), { meanMilliseconds: 500, ...options });
	return Array.from({ length: count }, () => plan.next().value);
};

it("plans the same for the same seed, and something else for another", () => {
	expect(take(7, 300)).toEqual(take(7, 300));
	expect(take(8, 300)).not.toEqual(take(7, 300));
});

it("begins with each kind once, and leaves out what can't be done", () => {
	const first = take(1, faultKinds.length).map(({ fault }) => fault.kind);
	expect(first.toSorted()).toEqual(faultKinds.toSorted());
	expect(take(1, 2000, { without: ["fill-disk"] }).map(({ fault }) => fault.kind)).not.toContain("fill-disk");
});

it("keeps its pace, and mostly kills", () => {
	const plan = take(3, 4000);
	const mean = plan.reduce((sum, { afterMilliseconds }) => sum + afterMilliseconds, 0) / plan.length;
	expect(mean).toBeGreaterThan(450);
	expect(mean).toBeLessThan(550);
	expect(plan.filter(({ fault }) => fault.kind.startsWith("kill-")).length).toBeGreaterThan(2000);
});

it("draws numbers that are spread evenly, and others for another name", () => {
	const random = createRandom(5);
	const drawn = Array.from({ length: 6000 }, () => random.integer(1, 6));
	for (const face of [1, 2, 3, 4, 5, 6]) expect(drawn.filter((value) => value === face).length).toBeGreaterThan(850);
	expect(createRandom(5).named("a").fraction()).toBe(createRandom(5).named("a").fraction());
	expect(createRandom(5).named("a").fraction()).not.toBe(createRandom(5).named("b").fraction());
});

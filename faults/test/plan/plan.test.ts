import { expect, it } from "vitest";
import { type FaultKind, faultKinds } from "../../plan/catalogue.ts";
import { type Planned, planFaults } from "../../plan/plan.ts";
import { createRandom } from "../../plan/random.ts";

const take = (seed: number, count: number, kinds: readonly [FaultKind, ...FaultKind[]] = faultKinds): Planned[] => {
	const plan = planFaults(createRandom(seed), { meanMilliseconds: 500, kinds });
	return Array.from({ length: count }, () => plan.next().value);
};

it("makes the same plan for the same seed, and another plan for another seed", () => {
	expect(take(7, 300)).toEqual(take(7, 300));
	expect(take(8, 300)).not.toEqual(take(7, 300));
});

it("begins with each kind once, and plans only allowed kinds", () => {
	const first = take(1, faultKinds.length).map(({ fault }) => fault.kind);
	expect(first.toSorted()).toEqual(faultKinds.toSorted());
	expect(new Set(take(1, 2000, ["lie", "cut-power"]).map(({ fault }) => fault.kind))).toEqual(
		new Set(["lie", "cut-power"]),
	);
});

it("plans each kind again and again, however small its weight", () => {
	const plan = take(2, faultKinds.length * 3 * 6).map(({ fault }) => fault.kind);
	for (const kind of faultKinds) expect(plan.filter((each) => each === kind).length).toBeGreaterThanOrEqual(5);
});

it("plans each kind alone too, after the first round", () => {
	const alone = take(4, faultKinds.length * 4).filter(({ isAlone }) => isAlone);
	expect(alone.map(({ fault }) => fault.kind).toSorted()).toEqual(faultKinds.toSorted());
	expect(take(4, faultKinds.length).some(({ isAlone }) => isAlone)).toBe(false);
});

it("keeps its pace, and plans kills more often than anything else", () => {
	const plan = take(3, 4000);
	const mean = plan.reduce((sum, { afterMilliseconds }) => sum + afterMilliseconds, 0) / plan.length;
	expect(mean).toBeGreaterThan(450);
	expect(mean).toBeLessThan(550);
	expect(plan.filter(({ fault }) => fault.kind.startsWith("kill-")).length).toBeGreaterThan(1600);
});

it("draws evenly spread numbers, and other numbers for another name", () => {
	const random = createRandom(5);
	const drawn = Array.from({ length: 6000 }, () => random.integer(1, 6));
	for (const face of [1, 2, 3, 4, 5, 6]) expect(drawn.filter((value) => value === face).length).toBeGreaterThan(850);
	expect(createRandom(5).named("a").fraction()).toBe(createRandom(5).named("a").fraction());
	expect(createRandom(5).named("a").fraction()).not.toBe(createRandom(5).named("b").fraction());
});

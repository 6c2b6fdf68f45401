import { createFakeClock } from "@reelmill/engine/testing";
import { expect, it } from "vitest";
import { createSlots } from "../../src/webhooks/slots.ts";

type Slots = ReturnType<typeof createSlots>;

/** Starts for each domain all that it may. */
const startAll = (slots: Slots, domains: readonly string[], named = true): number => {
	const left = slots.left();
	let started = 0;
	for (const id of domains) {
		for (let count = left[id] ?? slots.each; count > 0; count--, started++) {
			slots.start(id);
			if (named) slots.named();
		}
	}
	return started;
};
const endOne = (slots: Slots, id: string, milliseconds: number): boolean => {
	slots.start(id);
	slots.named();
	return slots.end(id, milliseconds);
};

it("leaves half of the attempts to endpoints that answer, however many are dead", async () => {
	const clock = createFakeClock();
	const slots = createSlots({ clock });
	const dead = Array.from({ length: 100 }, (_, index) => `dead-${index}`);
	for (const id of dead) endOne(slots, id, 10_000);
	expect(startAll(slots, dead)).toBe(128);
	expect(startAll(slots, dead)).toBe(0);
	expect(slots.room()).toBe(128);
	expect(startAll(slots, ["alive"])).toBe(slots.each);
});

it("gives every dead endpoint its turn, and trusts one that was left alone for a minute", async () => {
	const clock = createFakeClock();
	const slots = createSlots({ clock });
	const dead = Array.from({ length: 64 }, (_, index) => `dead-${index}`);
	for (const id of dead) endOne(slots, id, 10_000);
	const tried = new Set<string>();
	for (let round = 0; round < 2; round++) {
		for (const [id, count] of Object.entries(slots.left())) {
			for (let each = 0; each < count; each++) {
				slots.start(id);
				slots.named();
			}
			for (let each = 0; each < count; each++) slots.end(id, 10_000);
			if (count > 0) tried.add(id);
			if (tried.size === 32 * (round + 1)) break;
		}
	}
	expect(tried.size).toBe(64);
	await clock.advance(60_001);
	expect(slots.left()).toEqual({});
});

it("takes no slot for attempts whose endpoint's name isn't known yet, and bounds those on their own", () => {
	const slots = createSlots({ clock: createFakeClock() });
	const hanging = Array.from({ length: 400 }, (_, index) => `hanging-${index}`);
	expect(startAll(slots, hanging, false)).toBe(400);
	expect(slots.room()).toBe(112);
	expect(startAll(slots, hanging, false)).toBe(0);
	for (const id of hanging.slice(0, 100)) {
		slots.named();
		slots.end(id, 3000);
	}
	expect(slots.room()).toBe(212);
});

it("tries an endpoint with one attempt until it has answered quickly, and again once it was slow", () => {
	const slots = createSlots({ clock: createFakeClock() });
	expect(startAll(slots, ["new"])).toBe(1);
	expect(startAll(slots, ["new"])).toBe(0);
	expect(slots.end("new", 20)).toBe(true);
	expect(startAll(slots, ["new"])).toBe(32);
	for (let each = 0; each < 32; each++) slots.end("new", 20);
	endOne(slots, "new", 5000);
	expect(startAll(slots, ["new"])).toBe(4);
});

it("remembers so many quick endpoints, those of late", () => {
	const slots = createSlots({ clock: createFakeClock() });
	for (let each = 0; each < 1000; each++) endOne(slots, `quick-${each}`, 5);
	expect(Object.keys(slots.left())).toHaveLength(256);
	expect(slots.left()).toMatchObject({ "quick-999": 32 });
});

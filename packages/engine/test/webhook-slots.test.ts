import { createFakeClock } from "@reelmill/engine/testing";
import { expect, it } from "vitest";
import { createSlots } from "../src/webhooks/slots.ts";

/** Starts for each domain all that it may. */
const startAll = (slots: ReturnType<typeof createSlots>, domains: readonly string[]): number => {
	const left = slots.left();
	let started = 0;
	for (const id of domains) {
		for (let count = left[id] ?? slots.each; count > 0; count--, started++) slots.start(id);
	}
	return started;
};

it("leaves half of the attempts to endpoints that answer, however many are dead", async () => {
	const clock = createFakeClock();
	const slots = createSlots({ clock });
	const dead = Array.from({ length: 100 }, (_, index) => `dead-${index}`);
	for (const id of dead) {
		slots.start(id);
		slots.end(id, 10_000);
	}
	expect(startAll(slots, dead)).toBe(128);
	expect(startAll(slots, dead)).toBe(0);
	expect(slots.room()).toBe(128);
	expect(startAll(slots, ["alive"])).toBe(slots.each);
});

it("gives every dead endpoint its turn, and trusts one that was left alone for a minute", async () => {
	const clock = createFakeClock();
	const slots = createSlots({ clock });
	const dead = Array.from({ length: 64 }, (_, index) => `dead-${index}`);
	for (const id of dead) {
		slots.start(id);
		slots.end(id, 10_000);
	}
	const tried = new Set<string>();
	for (let round = 0; round < 2; round++) {
		for (const [id, count] of Object.entries(slots.left())) {
			for (let each = 0; each < count; each++) slots.start(id);
			for (let each = 0; each < count; each++) slots.end(id, 10_000);
			if (count > 0) tried.add(id);
			if (tried.size === 32 * (round + 1)) break;
		}
	}
	expect(tried.size).toBe(64);
	await clock.advance(60_001);
	expect(slots.left()).toEqual({});
});

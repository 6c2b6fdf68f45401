import { createFakeClock } from "@reelmill/engine/testing";
import { expect, it } from "vitest";
import { createByteRates } from "../../src/delivery/byte-rates.ts";

const rate = 1_000_000;

it("grants ten seconds' worth at once, then small pieces in turn, and refills with time", async () => {
	const clock = createFakeClock();
	const rates = createByteRates(rate, clock);
	expect(rates.take("a", 9_900_000)).toEqual({ bytes: 9_900_000, waitMilliseconds: 0 });
	expect(rates.take("a", 9_900_000)).toEqual({ bytes: 125_000, waitMilliseconds: 25 });
	expect(rates.take("a", 9_900_000)).toEqual({ bytes: 125_000, waitMilliseconds: 150 });
	expect(rates.take("b", 5)).toEqual({ bytes: 5, waitMilliseconds: 0 });
	await clock.advance(150 + 1000);
	expect(rates.take("a", 2_000_000)).toEqual({ bytes: 1_000_000, waitMilliseconds: 0 });
	await clock.advance(3_600_000);
	expect(rates.take("a", 99_000_000).bytes).toBe(10_000_000);
});

it("takes back what was not sent", () => {
	const rates = createByteRates(rate, createFakeClock());
	rates.take("a", 10_000_000);
	const { bytes } = rates.take("a", 500_000);
	rates.giveBack("a", bytes);
	expect(rates.take("a", 1000)).toEqual({ bytes: 1000, waitMilliseconds: 1 });
});

it("forgets the client first that has taken nothing for the longest time", () => {
	const rates = createByteRates(rate, createFakeClock(), 2);
	for (const client of ["a", "b", "a", "c"]) rates.take(client, 5_000_000);
	expect(rates.take("a", 10_000_000).bytes).toBe(125_000);
	expect(rates.take("b", 10_000_000).bytes).toBe(10_000_000);
	rates.giveBack("nobody", 5);
});

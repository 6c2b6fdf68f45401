import { describe, expect, it } from "vitest";
import { createSpeedometer } from "../src/speedometer.ts";

describe("the speed", () => {
	it("is measured over the last seconds, not from the beginning", () => {
		let time = 0;
		const speedometer = createSpeedometer(() => time);
		expect(speedometer.add(0)).toBeNull();
		time = 2000;
		expect(speedometer.add(2000)).toBe(1000);
		for (time = 4000; time <= 20_000; time += 2000) speedometer.add(2000 + (time - 2000) * 5);
		time = 22_000;
		expect(speedometer.add(2000 + 20_000 * 5)).toBe(5000);
	});

	it("starts anew when bytes were lost", () => {
		let time = 0;
		const speedometer = createSpeedometer(() => time);
		speedometer.add(0);
		time = 1000;
		speedometer.add(5000);
		time = 2000;
		expect(speedometer.add(1000)).toBeNull();
		time = 3000;
		expect(speedometer.add(3000)).toBe(2000);
	});
});

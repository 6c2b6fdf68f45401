import { describe, expect, it } from "vitest";
import { contentOf } from "../../src/content/content.ts";
import { measureTexture, type Texture } from "../../src/content/picture-texture.ts";

const at = (flat: number, hard: number, noise = 0): Texture => ({ flat, hard, noise });

describe("what a source shows", () => {
	// The measured clips: docs/measurements/encoding.md.
	it.each([
		["a wave", at(0.873, 0, 0.002), "filmed"],
		["a rendered film", at(0.91, 0.025), "filmed"],
		["a dog, by a phone", at(0.861, 0.001), "filmed"],
		["stars", at(0.934, 0.013, 0.065), "filmed"],
		["houses at night", at(0.276, 0.073, 0.588), "filmed"],
		["a street, by a fixed camera", at(0.433, 0.06, 0.198), "filmed"],
		["a terminal and a face", at(0.934, 0.364), "screen"],
		["a page that is scrolled", at(0.858, 0.625, 0.734), "screen"],
		["an editor", at(0.928, 0.591), "screen"],
		["a room under noise", at(0.22, 0, 3.982), "noise"],
	])("is told by its texture: %s", (_, texture, kind) => {
		expect(contentOf(Array(5).fill(texture)).kind).toBe(kind);
	});

	it("is what most places show", () => {
		const [film, letters] = [at(0.8, 0.02), at(0.9, 0.5)];
		expect(contentOf([letters, film, film, film, letters]).kind).toBe("filmed");
		expect(contentOf([film, letters, letters, letters, film]).kind).toBe("screen");
	});

	it("is taken as filmed if nothing could be looked at", () => {
		expect(contentOf([])).toEqual({
			kind: "filmed",
			because: "no picture was looked at",
		});
	});

	it("says what it was told by", () => {
		expect(contentOf(Array(5).fill(at(0.934, 0.364))).because).toBe(
			"0.93 of its pixels are flat, and 0.36 of its edges hard, at the middle one of 5 places",
		);
		expect(contentOf([at(0.2, 0, 4.2)]).because).toBe("pixels stray by 4.2 steps, at one place");
	});
});

describe("a texture", () => {
	const size = { width: 128, height: 96 };
	const draw = (value: (x: number, y: number) => number) =>
		Uint8Array.from({ length: size.width * size.height }, (_, n) =>
			Math.max(0, Math.min(255, Math.round(value(n % size.width, Math.floor(n / size.width))))),
		);
	/** Numbers from 0 to 1 that look random and are the same each time. */
	const scatter = (seed: number) => {
		let state = seed;
		return () => {
			state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
			return state / 2 ** 31;
		};
	};
	/** Sums of twelve are spread as noise of cameras is, with a deviation of 1. */
	const noise = (seed: number) => {
		const next = scatter(seed);
		return () => Array.from({ length: 12 }, next).reduce((sum, value) => sum + value, -6);
	};

	it("of letters is flat, and its edges are hard", () => {
		const letters = draw((x, y) => (x % 16 < 2 && y % 24 < 12 ? 20 : 235));
		expect(measureTexture([letters], size)).toMatchObject({ hard: 1, noise: 0 });
		expect(measureTexture([letters], size).flat).toBeGreaterThan(0.8);
	});

	it("of a soft edge has no hard ones", () => {
		const soft = draw((x) => 60 + 120 / (1 + Math.exp((64 - x) / 4)));
		expect(measureTexture([soft], size)).toMatchObject({ hard: 0 });
	});

	it.each([1, 3, 6])("tells noise of a deviation of %d, whatever is behind it", (deviation) => {
		const behind = (x: number, y: number) => 120 + 40 * Math.sin(x / 9) + 30 * Math.cos(y / 7);
		const noisy = (seed: number) => {
			const stray = noise(seed);
			return draw((x, y) => behind(x, y) + deviation * stray());
		};
		const found = measureTexture([noisy(1), noisy(2)], size).noise;
		expect(found / deviation).toBeGreaterThan(0.8);
		expect(found / deviation).toBeLessThan(1.15);
	});

	it("isn't noisy because it moves smoothly or jumps in brightness, nor clean because a picture is repeated", () => {
		const moved = (by: number, lighter = 0) => draw((x, y) => 120 + lighter + 60 * Math.sin((x + by) / 9 + y / 11));
		expect(measureTexture([moved(0), moved(1)], size).noise).toBeLessThan(0.5);
		expect(measureTexture([moved(0), moved(0, 30)], size).noise).toBeLessThan(0.5);
		const [one, two] = [noise(3), noise(4)];
		const [before, after] = [draw(() => 100 + 5 * one()), draw(() => 100 + 5 * two())];
		expect(measureTexture([before, before, after], size).noise).toBe(measureTexture([before, after], size).noise);
	});
});

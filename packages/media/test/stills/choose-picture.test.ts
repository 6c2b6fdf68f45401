import { describe, expect, it } from "vitest";
import { choosePicture, type Judged, scorePicture } from "../../src/stills/choose-picture.ts";
import { measurePicture } from "../../src/stills/picture.ts";

const of = (...[contrast, range, detail, colour, edges, grain]: [number, number, number, number, number, number]) =>
	({ contrast, range, detail, colour, edges, grain }) satisfies Judged;

/** Pictures as they were measured of real clips, and of clips that real ones were made into. */
const pictures = {
	black: of(0, 0, 0, 0, 0, 0),
	white: of(0, 0, 0, 0, 0, 0),
	city: of(55, 229, 4.67, 21.4, 72.7, 0.65),
	"city, half faded in": of(28, 120, 3.75, 11.9, 38.4, 0.62),
	"city, mixed with a meadow": of(40, 173, 4.32, 17.1, 37, 0.62),
	meadow: of(57, 232, 4.74, 21.7, 24.6, 0.73),
	sea: of(21, 104, 3.39, 0, 7.9, 0.6),
	"a blurred sea": of(60, 200, 3.89, 0, 1.2, 1.14),
	"a title on white": of(47, 255, 0.45, 0, 14.7, 0.48),
	earth: of(21, 112, 1.65, 3.1, 5.8, 0.59),
	"earth, fading in from white": of(18, 93, 1.81, 2.7, 3.1, 0.59),
	"a yellow title on blue": of(33, 175, 0.48, 58.5, 12.6, 0.48),
	snow: of(41, 175, 4.37, 0, 84, 1.59),
	"a face": of(26, 162, 3.12, 53.5, 5.7, 0.55),
	"the face in noise": of(48, 223, 4.61, 66.3, 80, 1.43),
	"a tree": of(53, 179, 4.26, 9, 31.7, 0.82),
	"the tree, far too bright": of(9, 40, 0.82, 9.2, 3.2, 0.92),
	"an empty page": of(29, 212, 0.39, 0, 12.3, 0.71),
	"a page with a picture": of(63, 231, 1.19, 10.4, 20.1, 0.66),
};
type Name = keyof typeof pictures;

describe("the score of a picture", () => {
	it.each<[worse: Name, better: Name]>([
		["black", "earth"],
		["white", "an empty page"],
		["city, half faded in", "city"],
		["city, mixed with a meadow", "city"],
		["city, mixed with a meadow", "meadow"],
		["a blurred sea", "sea"],
		["a title on white", "sea"],
		["earth, fading in from white", "earth"],
		["a yellow title on blue", "earth"],
		["snow", "earth"],
		["the face in noise", "a face"],
		["the tree, far too bright", "a tree"],
		["an empty page", "a page with a picture"],
	])("of %s is lower than that of %s", (worse, better) => {
		expect(scorePicture(pictures[worse])).toBeLessThan(scorePicture(pictures[better]));
		expect(choosePicture([pictures[worse], pictures[better]])).toBe(1);
		expect(choosePicture([pictures[better], pictures[worse]])).toBe(0);
	});

	it("is the same for everybody: a change of it is a change of og.jpg", () => {
		const scores = Object.values(pictures).map((picture) => Math.round(scorePicture(picture) * 1000));
		expect(scores).toEqual([0, 0, 404, 134, 274, 339, 41, 33, 7, 13, 7, 7, 3, 66, 4, 282, 1, 4, 40]);
	});

	it("chooses the first of those that are as good as the best, and 0 of none", () => {
		const nearly = { ...pictures.city, contrast: pictures.city.contrast - 1 };
		expect(choosePicture([pictures.sea, nearly, pictures.city])).toBe(1);
		expect(choosePicture([pictures.black, pictures.black])).toBe(0);
		expect(choosePicture([])).toBe(0);
	});
});

describe("what is measured of a picture", () => {
	const size = { width: 32, height: 32 };
	const measured = (pixel: (x: number, y: number) => number, colour = 128) =>
		measurePicture(
			Uint8Array.from({ length: 32 * 48 }, (_, n) => (n < 1024 ? pixel(n % 32, n >> 5) : colour)),
			size,
		);

	it("is nothing of one brightness, and full range of limited black to white", () => {
		expect(measured(() => 126)).toMatchObject({ contrast: 0, range: 0, detail: 0, colour: 0, edges: 0, grain: 0 });
		expect(measured((x) => (x < 16 ? 16 : 235))).toMatchObject({
			contrast: 127.5,
			range: 255,
			detail: 1,
			highlight: 255,
		});
		expect(measured(() => 126, 158).colour).toBeCloseTo(Math.hypot(30, 30));
	});

	it("tells noise from edges, and sharp edges from blurred ones", () => {
		const noise = measured((x, y) => 16 + ((x * 7919 + y * 104_729 + x * y * 31) % 219));
		const blocks = measured((x, y) => (((x >> 2) + (y >> 2)) % 2 === 0 ? 16 : 235));
		const waves = measured((x, y) => 126 + 100 * Math.sin(x / 5) * Math.sin(y / 5));
		expect(noise.grain).toBeGreaterThan(1.25);
		expect(blocks.grain).toBeLessThan(1);
		expect(blocks.edges).toBeGreaterThan(10 * waves.edges);
	});

	it("finds bars that end in a straight line, and none before an object in front of black", () => {
		const isInside = (n: number) => n >= 8 && n < 24;
		expect(measured((x) => (isInside(x) ? 126 : 16)).bars).toEqual({ left: 0.25, right: 0.25, top: 0, bottom: 0 });
		expect(measured((_, y) => (isInside(y) ? 126 : 16)).bars).toEqual({ left: 0, right: 0, top: 0.25, bottom: 0.25 });
		const ball = measured((x, y) => (Math.hypot(x - 15.5, y - 15.5) < 10 ? 126 : 16));
		expect(ball.bars).toEqual({ left: 0, right: 0, top: 0, bottom: 0 });
		expect(measured(() => 16).bars).toEqual({ left: 0, right: 0, top: 0, bottom: 0 });
	});
});

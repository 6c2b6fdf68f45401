import { describe, expect, it } from "vitest";
import { constantFrameRate, latestShare, perSecond } from "../../src/plan/frame-rate.ts";
import { measureMotionRate } from "../../src/source/motion-rate.ts";

/** A stretch of a source: frames a second, and how many seconds it lasts. */
type Stretch = readonly [rate: number, seconds: number];

const timeline = (stretches: readonly Stretch[], clock = 0): number[] => {
	const times: number[] = [];
	let start = 0;
	for (const [rate, seconds] of stretches) {
		for (let n = 0; n < Math.round(seconds * rate); n += 1) times.push(start + n / rate);
		start += Math.round(seconds * rate) / rate;
	}
	return clock === 0 ? times : times.map((time) => Math.round(time * clock) / clock);
};

/** Which picture each frame of the output shows: the last one that is due, as ffmpeg's fps filter rounds. */
function shown(times: readonly number[], rate: number): number[] {
	const frames: number[] = [];
	const early = 0.5 - latestShare(measureMotionRate(times) ?? Number.NaN);
	times.forEach((time, n) => {
		const at = Math.round(time * rate + early);
		while (frames.length < at) frames.push(frames.at(-1) ?? 0);
		frames[at] = n;
	});
	return frames;
}

const planned = (times: readonly number[]) => constantFrameRate(measureMotionRate(times) ?? Number.NaN);
/** By how many pictures the output goes on, and for how many frames it holds each. */
function steps(frames: readonly number[]): { pictures: Set<number>; held: Set<number> } {
	const pictures = new Set<number>();
	const held = new Set<number>();
	let since = 0;
	frames.forEach((picture, n) => {
		const before = frames[n - 1];
		if (before === undefined || picture === before) return;
		pictures.add(picture - before);
		held.add(n - since);
		since = n;
	});
	return { pictures, held };
}

const constant = [
	...[1, 2, 3, 4, 5, 6, 7, 7.5, 8, 9, 10, 11, 12, 12.5, 13, 14.985, 15, 16, 17.3, 18, 20, 22, 23.976, 24, 25],
	...[26.777, 27.5, 28.9, 29.97, 30, 31, 33, 36, 40, 45, 48, 50, 54.3, 59.94, 60],
	...[62, 66, 72, 75, 90, 100, 119.88, 120, 144, 165, 240],
];

describe("a constant rate", () => {
	it.each(
		constant.flatMap((rate) => [
			[rate, 0],
			[rate, 90_000],
			[rate, 1000],
		]),
	)("of %d, timed by a clock of %d, is shown evenly: nothing below 60 is left out", (rate, clock) => {
		const times = timeline([[rate, 60]], clock);
		const output = perSecond(planned(times));
		const frames = shown(times, output);
		const { pictures, held } = steps(frames.slice(0, Math.round(60 * output)));
		expect(output).toBeGreaterThanOrEqual(9.99);
		expect(output).toBeLessThanOrEqual(60.5);
		expect([...pictures]).toEqual([Math.ceil(rate / 60.5)]);
		expect(held.size).toBe(1);
	});

	it.each([
		[26.777, "26777/1000"],
		[33, "33/1"],
		[36, "36/1"],
		[45, "45/1"],
		[72, "36/1"],
		[75, "75/2"],
		[12.5, "25/2"],
		[14.985, "15000/1001"],
		[29.97, "30000/1001"],
		[119.88, "60000/1001"],
		[7, "14/1"],
		[0.4, "10/1"],
	])("of %d becomes %s", (rate, expected) => {
		const { numerator, denominator } = constantFrameRate(rate);
		expect(`${numerator}/${denominator}`).toBe(expected);
	});

	it("is found in two seconds whose clock counts milliseconds", () => {
		for (const rate of [24, 25, 30, 50, 60])
			expect(planned(timeline([[rate, 2]], 1000))).toEqual({ numerator: rate, denominator: 1 });
	});

	it("stays if a hole moves the pictures that follow by part of a frame", () => {
		expect(planned([...timeline([[25, 20]]), ...timeline([[25, 20]]).map((time) => time + 21.013)])).toEqual({
			numerator: 25,
			denominator: 1,
		});
	});

	it("doubles if a hole moves the pictures that follow by half of a frame, and their clock is not exact", () => {
		const moved = Array.from({ length: 75 }, (_, n) => 8.46 + n / 25 + (n % 2 === 0 ? -0.0003 : 0.0003));
		const { numerator, denominator } = planned([...Array.from({ length: 75 }, (_, n) => n / 25), ...moved]);
		expect(`${numerator}/${denominator}`).toBe("50/1");
	});

	it("of a film that is spread over fields is the film's", () => {
		const times = Array.from({ length: 600 }, (_, n) => (Math.ceil(2.5 * n) * 1001) / 60_000);
		expect(planned(times)).toEqual({ numerator: 24_000, denominator: 1001 });
	});
});

const mixtures: readonly (readonly [string, readonly Stretch[], number])[] = [
	[
		"a screen that scrolls",
		[
			[1, 8],
			[60, 4],
			[1, 8],
		],
		60,
	],
	[
		"a screen that scrolls once in ten minutes",
		[
			[0.2, 300],
			[60, 5],
			[0.2, 300],
		],
		60,
	],
	[
		"a screen that scrolls at times",
		[
			[2, 5],
			[60, 1],
			[2, 5],
			[60, 1],
			[2, 5],
		],
		60,
	],
	[
		"a cursor",
		[
			[10, 10],
			[30, 10],
		],
		30,
	],
	[
		"a cursor at five a second",
		[
			[5, 10],
			[25, 5],
			[5, 10],
		],
		25,
	],
	[
		"a phone in low light",
		[
			[30, 10],
			[24, 10],
			[20, 5],
			[15, 5],
			[30, 10],
		],
		30,
	],
	[
		"a game that slows down",
		[
			[60, 10],
			[45, 5],
			[37, 5],
			[60, 10],
		],
		60,
	],
	[
		"film and video",
		[
			[24, 20],
			[30, 20],
		],
		30,
	],
	[
		"PAL and NTSC",
		[
			[25, 20],
			[29.97, 20],
		],
		29.97,
	],
	[
		"film and a fast title",
		[
			[24, 50],
			[50, 5],
		],
		50,
	],
	[
		"animation on twos",
		[
			[12, 10],
			[24, 10],
			[8, 10],
		],
		24,
	],
	[
		"slow motion",
		[
			[30, 5],
			[120, 2],
			[30, 5],
		],
		60,
	],
	[
		"slower motion",
		[
			[30, 5],
			[240, 2],
			[30, 5],
		],
		60,
	],
	[
		"a monitor of 144 that rests",
		[
			[1, 10],
			[144, 5],
		],
		48,
	],
	[
		"a monitor of 75 that rests",
		[
			[1, 10],
			[75, 5],
		],
		37.5,
	],
	[
		"a monitor of 75 beside a film",
		[
			[24, 10],
			[75, 5],
		],
		37.5,
	],
	[
		"an odd rate that pauses",
		[
			[26.777, 10],
			[1, 5],
			[26.777, 10],
		],
		26.777,
	],
	[
		"33 that pauses",
		[
			[33, 10],
			[2, 5],
			[33, 10],
		],
		33,
	],
	[
		"a call that falters",
		[
			[15, 10],
			[7, 5],
			[30, 10],
			[12, 5],
		],
		30,
	],
	[
		"slides",
		[
			[0.5, 60],
			[1, 10],
		],
		10,
	],
];

describe("a rate that changes", () => {
	it.each(mixtures.flatMap((one) => [[...one, 0] as const, [...one, 1000] as const]))(
		"%s: %j becomes %d, timed by a clock of %d",
		(_, stretches, rate, clock) => {
			const times = timeline(stretches, clock);
			const output = perSecond(planned(times));
			expect(Math.abs(output / rate - 1)).toBeLessThan(0.001);
			const frames = shown(times, output);
			const pictures = new Set(frames);

			// All stretches up to 60 frames a second are shown. Of faster ones every second or further picture is.
			let first = 0;
			const slow = stretches.flatMap(([speed, seconds]) => {
				const from = first;
				first += Math.round(speed * seconds);
				return speed > 60.5 ? [] : Array.from({ length: first - from }, (__, n) => from + n);
			});
			expect(slow.filter((n) => pictures.has(n)).length).toBeGreaterThanOrEqual(0.98 * slow.length);
			// No picture is early or late by more than half a frame of the output, or by three quarters if every second one
			// is left out.
			frames.forEach((picture, n) => {
				if (picture === frames[n - 1]) return;
				expect(Math.abs((times[picture] as number) - n / output)).toBeLessThan(0.76 / output + 0.001);
			});
		},
	);

	it("with the unsteady clock of a camera, by up to a tenth of a frame, has the camera's rate", () => {
		const times = timeline([[30, 60]]).map((time, n) => time + (((n * 7919) % 101) / 101 - 0.5) / 300);
		expect(planned(times)).toEqual({ numerator: 30, denominator: 1 });
	});

	it("from picture to picture has a rate that shows 98 of 100", () => {
		let time = 0;
		const times = Array.from({ length: 1000 }, (_, n) => {
			time += 0.018 + (((n * 7919) % 101) / 101) * 0.03;
			return time;
		}).map((one, __, all) => one - (all[0] as number));
		const output = perSecond(planned(times));
		expect(new Set(shown(times, output)).size).toBeGreaterThanOrEqual(980);
	});

	it("is not raised by a few pictures that a clock sets too close together", () => {
		const times = timeline([[25, 60]]);
		for (const n of [100, 600, 1100]) times[n] = (times[n - 1] as number) + 0.0001;
		expect(planned(times)).toEqual({ numerator: 25, denominator: 1 });
	});
});

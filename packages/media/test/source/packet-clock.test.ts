import { expect, it } from "vitest";
import type { Programs } from "../../src/run/programs.ts";
import { followClock } from "../../src/source/packet-clock.ts";
import { scanPackets } from "../../src/source/scan-packets.ts";

const [picture, sound] = [0, 1];

/** Follows packets of 0.5 s, each given by its stream and its time, and returns the times without the jumps. */
function straight(
	packets: readonly (readonly [stream: number, seconds: number])[],
	heard?: number,
	jumpsAhead = true,
): number[] {
	const clock = followClock(jumpsAhead);
	const parts = packets.map(([stream, dts]) => clock.follow(stream, { pts: dts, dts, duration: 0.5 }));
	const { shifts, jumps } = clock.finish(heard);
	const counts = new Map<number, number>();
	return packets.map(([stream, dts], n) => {
		const packet = counts.get(stream) ?? 0;
		counts.set(stream, packet + 1);
		const jump = jumps.findLast((one) => one.stream === stream && one.packet <= packet);
		const part = parts[n];
		expect(jump?.shiftSeconds ?? 0, "the jumps say what the parts say").toBe(part && shifts.get(part));
		return dts + (jump?.shiftSeconds ?? 0);
	});
}

it("parts with one clock stay as they are, whatever is missing in them", () => {
	const lostSound = [
		...[0, 0.5].flatMap((time) => [[picture, time] as const, [sound, time] as const]),
		...Array.from({ length: 40 }, (_, n) => [picture, 1 + n / 2] as const),
		[sound, 20.5] as const,
	];
	expect(straight(lostSound)).toEqual(lostSound.map(([, seconds]) => seconds));
});

it("recordings follow one another, and picture and sound come to each at the same moment, though not in the same order", () => {
	const recordings = [
		[picture, 0],
		[sound, 0],
		[picture, 0.5],
		[picture, 0],
		[sound, 0.5],
		[sound, 0],
		[picture, 0.5],
		[sound, 0.5],
		[sound, 0],
		[picture, 0],
	] as const;
	expect(straight(recordings)).toEqual([0, 0, 0.5, 1, 0.5, 1, 1.5, 1.5, 2, 2]);
});

it("the stream that is shorter in a recording waits for the other one", () => {
	const recordings = [
		[picture, 7],
		[sound, 7],
		[picture, 7.5],
		[sound, 7.5],
		[sound, 8],
		[picture, 7],
		[sound, 7],
	] as const;
	expect(straight(recordings)).toEqual([7, 7, 7.5, 7.5, 8, 8.5, 8.5]);
});

it("sound goes on without a gap if it begins and ends nearly with its recordings", () => {
	const recordings = [
		[sound, 7],
		[picture, 7.05],
		[sound, 6],
		[picture, 6.02],
	] as const;
	expect(straight(recordings, sound)).toEqual([7, 7.05, 7.5, 7.52]);
});

it("a clock that jumps ahead goes on, and one that slips for a packet does too", () => {
	expect(
		straight([
			[picture, 0],
			[sound, 0],
			[picture, 3600],
			[sound, 3600],
		]),
	).toEqual([0, 0, 0.5, 0.5]);
	expect(
		straight([
			[picture, 0],
			[picture, 0.5],
			[sound, 0],
			[picture, 5000],
			[sound, 0.5],
			[picture, 1.5],
			[sound, 1],
		]),
	).toEqual([0, 0.5, 0, 1, 0.5, 1.5, 1]);
});

it("a clock that jumps with each packet is followed no further than a thousand times", () => {
	const clock = followClock();
	const parts = Array.from({ length: 20_000 }, (_, n) =>
		clock.follow(picture, { pts: -20 * n, dts: -20 * n, duration: 0.04 }),
	);
	expect(new Set(parts).size).toBe(1000);
});

it("a stream with a clock of its own begins where the others are", () => {
	expect(
		straight([
			[picture, 0],
			[picture, 0.5],
			[sound, 900],
			[picture, 1],
			[sound, 900.5],
		]),
	).toEqual([0, 0.5, 0.5, 1, 1]);
});

it("pictures without a sound may stand for long", () => {
	const slides = [0, 15, 30, 45].map((time) => [picture, time] as const);
	expect(straight(slides)).toEqual([0, 15, 30, 45]);
	expect(straight([...slides, [picture, 900]]), "longer than any before").toEqual([0, 15, 30, 45, 45.5]);
});

it("a clock that may only go back stays as it is where it is ahead, and where a stream begins late", () => {
	const late = [[picture, 0] as const, [picture, 0.5] as const, [sound, 60] as const, [picture, 200] as const];
	expect(straight(late, undefined, false)).toEqual([0, 0.5, 60, 200]);
	const again = [[picture, 0] as const, [sound, 0] as const];
	expect(straight([...late, ...again], undefined, false)).toEqual([0, 0.5, 60, 200, 200.5, 200.5]);
});

/** Packets of picture and sound side by side, from a time on. */
const sideBySide = (from: number, pairs: number) =>
	Array.from({ length: pairs }, (_, n) => [[picture, from + n / 2] as const, [sound, from + n / 2] as const]).flat();

it("a stray time is no next recording where a clock may only go back", () => {
	const whole = sideBySide(0, 120);
	const stray = (at: number, seconds: number) => whole.map((one, n) => (n === at ? ([one[0], seconds] as const) : one));
	const times = whole.map(([, seconds]) => seconds);
	for (const at of [100, 101]) {
		expect(straight(stray(at, 0), sound, false), "a packet at zero").toEqual(times);
		expect(straight(stray(at, 23.5), sound, false), "a packet a second too early").toEqual(times);
	}
	const alone = whole.filter(([stream]) => stream === picture);
	const strayAlone = alone.map(([stream, seconds], n) => [stream, n === 50 ? 0 : seconds] as const);
	expect(straight(strayAlone, undefined, false), "without a sound").toEqual(alone.map(([, seconds]) => seconds));

	const joined = [...stray(100, 0), ...sideBySide(0, 4)];
	expect(straight(joined, sound, false), "a real recording follows").toEqual([
		...times,
		...[60, 60, 60.5, 60.5, 61, 61, 61.5, 61.5],
	]);
});

it("a sound that alone goes back for good leaves all times as they are", () => {
	const late = sideBySide(0, 120).map(([stream, seconds]) =>
		stream === sound && seconds >= 30 ? ([stream, seconds - 1] as const) : ([stream, seconds] as const),
	);
	const clock = followClock(false);
	for (const [stream, dts] of late) clock.follow(stream, { pts: dts, dts, duration: 0.5 });
	expect(clock.finish(sound).jumps).toEqual([]);
	expect(straight(late, sound, false)).toEqual(late.map(([, seconds]) => seconds));
});

it("a sound that stopped early comes to the next recording, although its own times don't go back", () => {
	const first = sideBySide(0, 20).filter(([stream, seconds]) => stream === picture || seconds < 2);
	const second = sideBySide(0, 20).filter(([stream, seconds]) => stream === picture || seconds >= 5);
	expect(straight([...first, ...second], sound, false)).toEqual([
		...first.map(([, seconds]) => seconds),
		...second.map(([, seconds]) => seconds + 10),
	]);
});

it("a recording without a sound, between two that have one, is a recording", () => {
	const mute = sideBySide(0, 10).filter(([stream]) => stream === picture);
	const all = [...sideBySide(0, 10), ...mute, ...sideBySide(0, 10)];
	expect(straight(all, undefined, false).at(-1)).toBe(14.5);
});

it("text goes along with the recording in which it stands", () => {
	const clock = followClock(false);
	const follow = (packets: ReturnType<typeof sideBySide>) => {
		for (const [stream, dts] of packets) clock.follow(stream, { pts: dts, dts, duration: 0.5 });
	};
	const text = 2;
	clock.accompany(text, 0);
	follow(sideBySide(0, 5));
	clock.accompany(text, 2);
	follow([[picture, 0]]);
	clock.accompany(text, 2.5);
	follow([[picture, 3], ...sideBySide(3.5, 13)]);
	clock.accompany(text, 0);
	follow(sideBySide(0, 5));
	clock.accompany(text, 2);
	const { jumps } = clock.finish();
	expect(jumps.filter(({ stream }) => stream === text)).toEqual([{ stream: text, packet: 3, shiftSeconds: 10 }]);
});

it("pictures whose decoding times are guessed are shown in another order, and are no jump", () => {
	const clock = followClock(false);
	const times = [
		[0, Number.NaN],
		[4, Number.NaN],
		...[
			[2, 0],
			[1, 0.5],
			[3, 1],
			[8, 2],
		],
		...[
			[0, 0],
			[1, 1],
			[0.5, 0.5],
		],
	] as const;
	const parts = times.map(([pts, dts]) => clock.follow(picture, { pts, dts, duration: 1 }));
	expect(parts.map((part) => parts.indexOf(part))).toEqual([0, 0, 0, 0, 0, 0, 6, 6, 6]);
	expect(clock.finish().jumps).toEqual([{ stream: picture, packet: 6, shiftSeconds: 9 }]);
});

it("two recordings of more than an hour are counted as one, at their own rate", async () => {
	const hour = Array.from({ length: 150_000 }, (_, n) => `0,${n / 40},${n / 40},0.025,100,0,__`).join("\n");
	const printing: Programs = {
		async run(_program, _args, { onOutput } = {}) {
			onOutput?.(Buffer.from(`${hour}\n${hour}\n`));
			return { stdout: Buffer.alloc(0), stderr: "" };
		},
	};
	const { streams, jumps } = await scanPackets(printing, [], {}, { streams: [picture] });
	expect(jumps).toEqual([{ stream: picture, packet: 150_000, shiftSeconds: 3750 }]);
	expect(streams.get(picture)).toMatchObject({ count: 300_000, endSeconds: 7500, unevenGaps: 0 });
	expect(streams.get(picture)?.rate).toBeCloseTo(40, 6);
});

it("of recordings that can't be put together, the first one counts alone, however long the others are", async () => {
	const lines = [
		...[0, 1, 2].map((n) => `0,${n},${n},1,100,0,K_`),
		...Array.from({ length: 60 }, (_, n) => `0,${n},${n},1,100,0,K_`),
	];
	const sound = lines.slice(3).map((line) => line.replace("0,", "1,"));
	const printing: Programs = {
		async run(_program, _args, { onOutput } = {}) {
			onOutput?.(Buffer.from(`${[...lines, ...sound].join("\n")}\n`));
			return { stdout: Buffer.alloc(0), stderr: "" };
		},
	};
	const { streams, jumps } = await scanPackets(
		printing,
		[],
		{},
		{ streams: [picture, 1], ahead: false, isFirstAlone: true },
	);
	expect(jumps).toEqual([]);
	expect([...streams.keys()], "a sound of a later recording is none of the first").toEqual([picture]);
	expect(streams.get(picture)).toMatchObject({ count: 3, startSeconds: 0, endSeconds: 3 });
});

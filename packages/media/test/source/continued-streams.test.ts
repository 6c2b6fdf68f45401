import { expect, it } from "vitest";
import { findContinuations, type PlacedStream } from "../../src/source/continued-streams.ts";

const stream = (
	type: PlacedStream["type"],
	id: number,
	first: number,
	last: number,
	codec = type === "video" ? "h264" : "mp2",
): PlacedStream => ({ type, codec, id, first, last });

it("finds nothing where all streams go on side by side", () => {
	expect(findContinuations([stream("video", 1, 0, 90), stream("audio", 2, 1, 95)])).toEqual([]);
	const programmes = [stream("video", 1, 0, 90), stream("audio", 2, 1, 95), stream("video", 3, 2, 99)];
	expect(findContinuations(programmes)).toEqual([]);
	expect(findContinuations([stream("video", 1, 0, 0), stream("video", 2, 1, 99)]), "a still picture").toEqual([]);
	expect(findContinuations([stream("audio", 1, 0, 40), stream("audio", 2, 50, 90)]), "without a picture").toEqual([]);
});

it("finds what goes on under other numbers, whatever the order of a later recording's streams", () => {
	const first = [stream("video", 1, 0, 30), stream("audio", 2, 1, 31), stream("audio", 3, 2, 32)];
	const second = [stream("audio", 11, 40, 60), stream("video", 12, 41, 61), stream("audio", 13, 42, 62)];
	const third = [stream("video", 21, 70, 90), stream("audio", 22, 71, 91)];
	expect(findContinuations([...first, ...second, ...third])).toEqual([
		...[
			{ from: 12, to: 1 },
			{ from: 11, to: 2 },
			{ from: 13, to: 3 },
		],
		...[
			{ from: 21, to: 1 },
			{ from: 22, to: 2 },
		],
	]);
});

it("leaves a sound that goes through as it is, and what has another codec", () => {
	const through = [stream("video", 1, 0, 30), stream("audio", 2, 0, 90), stream("video", 3, 40, 90)];
	expect(findContinuations(through)).toEqual([{ from: 3, to: 1 }]);
	expect(findContinuations([stream("video", 1, 0, 30), stream("video", 3, 40, 90, "hevc")])).toEqual([]);
	const spoken = [stream("video", 1, 0, 30), stream("audio", 2, 0, 30), stream("video", 3, 40, 90)];
	expect(findContinuations([...spoken, stream("audio", 4, 40, 90, "aac")])).toEqual([{ from: 3, to: 1 }]);
});

it("pairs the sounds that end with those that begin, whatever goes through beside them", () => {
	const through = [stream("video", 256, 0, 30), stream("audio", 257, 1, 30), stream("audio", 258, 1, 90)];
	const second = [stream("video", 512, 40, 90), stream("audio", 513, 41, 90)];
	const paired = [
		{ from: 512, to: 256 },
		{ from: 513, to: 257 },
	];
	expect(findContinuations([...through, ...second])).toEqual(paired);
	expect(findContinuations([through[0], through[2], through[1], ...second] as PlacedStream[])).toEqual(paired);
	const third = [stream("video", 768, 100, 190), stream("audio", 769, 100, 190), stream("audio", 770, 100, 190)];
	expect(findContinuations([...through, ...second, ...third]).slice(2)).toEqual([
		{ from: 768, to: 256 },
		{ from: 769, to: 257 },
		{ from: 770, to: 258 },
	]);
});

it("leaves the sounds of another programme alone, whether it stays or ends as well", () => {
	const of = (programme: string, streams: PlacedStream[]) => streams.map((one) => ({ ...one, programme }));
	for (const last of [30, 90]) {
		const other = of("two", [stream("audio", 11, 0, last), stream("video", 12, 0, last)]);
		const first = of("one", [stream("video", 1, 0, 30), stream("audio", 2, 1, 31)]);
		const second = of("one", [stream("video", 3, 40, 90), stream("audio", 4, 41, 91)]);
		const paired = [
			{ from: 3, to: 1 },
			{ from: 4, to: 2 },
		];
		expect(findContinuations([...first, ...other, ...second])).toEqual(paired);
		expect(findContinuations([...other, ...first, ...second], 1)).toEqual(paired);
	}
});

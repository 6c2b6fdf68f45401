import { describe, expect, it } from "vitest";
import type { PictureShape } from "../../src/index.ts";
import { lastingPicture, lastingSound } from "../../src/source/choose-lasting.ts";
import { chooseVideo } from "../../src/source/choose-video.ts";
import type { PacketScan } from "../../src/source/scan-packets.ts";
import type { StreamVideo } from "../../src/source/streams.ts";

const square = { numerator: 1, denominator: 1 };
const shape = (fromSeconds: number, width: number, height: number, sampleAspectRatio = square): PictureShape => ({
	...{ fromSeconds, width, height, sampleAspectRatio },
});
const video = (of: Partial<StreamVideo> = {}): StreamVideo => ({
	...{ index: 0, codec: "vp8", width: 160, height: 90, rotation: 0, sampleAspectRatio: square },
	...{ interlaced: false, pixelFormat: "yuv420p" },
	colour: { matrix: "unknown", transfer: "unknown", primaries: "unknown", range: "unknown" },
	...of,
});
const chosen = (...shapes: PictureShape[]) => {
	const { width, height } = lastingPicture(video(), shapes, 10);
	return `${width}x${height}`;
};

describe("the size of a picture that changes it", () => {
	it("is the largest that a tenth of the time has", () => {
		expect(chosen(shape(0, 160, 90), shape(0.4, 640, 360), shape(1.4, 1280, 720))).toBe("1280x720");
		expect(chosen(shape(0, 640, 480), shape(9.1, 1280, 720))).toBe("640x480");
		expect(chosen(shape(0, 1280, 720), shape(0.6, 640, 480), shape(9.6, 1280, 720))).toBe("1280x720");
	});

	it("is measured as displayed", () => {
		const wide = { numerator: 64, denominator: 45 };
		expect(chosen(shape(0, 720, 576), shape(5, 704, 576, wide))).toBe("704x576");
	});

	it("is the one that lasts longest if none lasts for a tenth", () => {
		const many = Array.from({ length: 20 }, (_, n) => shape(n * 0.49, 100 + 10 * n, 100));
		expect(chosen(...many)).toBe("290x100");
	});

	it("stays what the header says if nothing changes", () => {
		expect(lastingPicture(video(), [shape(0, 160, 90)], 10)).toEqual(video());
	});

	it("has its own doubt about the shape of its pixels", () => {
		const guessed = { ...shape(5, 720, 576), pixelShape: "guessed" as const };
		expect(lastingPicture(video(), [shape(0, 160, 90), guessed], 10)).toMatchObject({ pixelShape: "guessed" });
		const first = video({ pixelShape: "guessed" });
		expect(lastingPicture(first, [guessed, shape(5, 1280, 720)], 10)).not.toHaveProperty("pixelShape");
	});
});

it("the channels of a sound that changes them are the most that a tenth of the time has", () => {
	const sound = {
		...{ index: 1, codec: "ac3", channels: 2, sampleRate: 48_000, language: null, title: null },
	};
	const runs = [2, 6].map((channels, n) => ({ fromSeconds: 4 * n, channels }));
	expect(lastingSound(sound, runs, 8)).toEqual({ ...sound, channels: 6, channelRuns: runs });
	expect(lastingSound(sound, runs, 4.2)).toMatchObject({ channels: 2, channelRuns: runs });
});

describe("the track of pictures that is shown", () => {
	const scan = (count: number) => ({ count }) as PacketScan;
	const shown = (...tracks: readonly (readonly [count: number, of?: Partial<StreamVideo>])[]) =>
		chooseVideo(
			tracks.map(([, of], index) => video({ index, ...of })),
			new Map(tracks.map(([count], index) => [index, scan(count)])),
		)?.index;

	it("is the first one that moves", () => {
		expect(shown([1], [75])).toBe(1);
		expect(shown([1], [25])).toBe(1);
		expect(shown([3], [4000])).toBe(1);
		expect(shown([150], [750])).toBe(0);
		expect(shown([1], [1])).toBe(0);
		expect(shown([0], [25])).toBe(1);
	});

	it("is one that can be decoded", () => {
		expect(shown([75, { pixelFormat: "unknown" }], [75])).toBe(1);
		expect(shown([75, { width: 0 }])).toBeUndefined();
	});
});

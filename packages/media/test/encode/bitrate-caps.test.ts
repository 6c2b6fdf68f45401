import { describe, expect, it } from "vitest";
import { isAboveCap, withinCaps } from "../../src/encode/bitrate-caps.ts";
import type { Track } from "../../src/mp4/track.ts";
import type { PlannedRendition } from "../../src/plan/encode-plan.ts";

describe("a rendition above its cap", () => {
	/** A track of segments of two seconds at these bits a second. */
	const at = (name: string, ...rates: number[]): Track => ({
		...{ name, codecs: "avc1.64001F", width: 1280, height: 720, channels: 0, sampleRate: 0, bytes: 0, seconds: 0 },
		...{ initialisation: { offset: 0, length: 0 }, index: { offset: 0, length: 0 } },
		segments: rates.map((rate, n) => ({ offset: 0, length: rate / 4, startSeconds: n * 2, seconds: 2 })),
	});
	const rendition = (name: string, codec: "h264" | "av1", delivered = true) => ({
		...{ width: 1280, height: 720, preset: "superfast", crf: 24 },
		name,
		codec,
		delivered,
		maxBitrate: 1_000_000,
	});
	const names = (made: readonly { rendition: PlannedRendition }[]) => made.map((one) => one.rendition.name);

	it("is one that fills the decoder's buffer and goes on", () => {
		expect(isAboveCap(at("steady", 1e6, 1e6, 1e6, 1e6), 1e6)).toBe(false);
		expect(isAboveCap(at("a burst that the buffer takes", 5e5, 1.9e6, 5e5), 1e6)).toBe(false);
		expect(isAboveCap(at("one great burst", 5e5, 5e5, 2.4e6), 1e6)).toBe(true);
		expect(isAboveCap(at("a little too much for long", ...Array(30).fill(1.2e6)), 1e6)).toBe(true);
	});

	it("is dropped while another is left to deliver, and one of H.264 for web.mp4", () => {
		const over = at("over", 3e6, 3e6);
		const [low, high] = [
			{ rendition: rendition("h264_720", "h264"), track: at("low", 1e6) },
			{ rendition: rendition("h264_1080", "h264"), track: over },
		];
		const av1 = { rendition: rendition("av1_720", "av1"), track: over };
		const split = (made: (typeof av1)[], needsH264 = true) => {
			const { kept, dropped } = withinCaps(made, needsH264);
			return [names(kept), names(dropped)];
		};
		expect(split([low, high, av1])).toEqual([["h264_720"], ["av1_720", "h264_1080"]]);
		expect(split([high, av1])).toEqual([["h264_1080"], ["av1_720"]]);
		expect(split([av1], false)).toEqual([["av1_720"], []]);
	});
});

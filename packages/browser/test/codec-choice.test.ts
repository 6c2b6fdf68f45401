import { expect, it } from "vitest";
import { chooseCodec, type DecodingProbe } from "../src/codec-choice.ts";

const rendition = (codec: "h264" | "av1", height: number) => ({
	name: `${codec}_${height}`,
	codec,
	width: 1280,
	height,
	bitrate: 1_000_000,
});
const both = [rendition("h264", 720), rendition("av1", 720), rendition("av1", 1080)];
const device = (powerEfficient: boolean, asked: unknown[] = []) =>
	({
		decodingInfo: async (configuration: MediaDecodingConfiguration) => {
			asked.push(configuration.video?.height);
			return { supported: true, smooth: true, powerEfficient };
		},
	}) as unknown as DecodingProbe;

it("takes AV1 only where the device decodes the largest rendition well", async () => {
	const asked: unknown[] = [];
	expect(await chooseCodec("auto", both, device(true, asked))).toBe("av1");
	expect(asked).toEqual([1080]);
	expect(await chooseCodec("auto", both, device(false))).toBe("h264");
	expect(await chooseCodec("auto", both, undefined)).toBe("h264");
	expect(await chooseCodec("auto", both, { decodingInfo: () => Promise.reject(new TypeError("unknown")) })).toBe(
		"h264",
	);
});

it("does as told, and takes what there is", async () => {
	expect(await chooseCodec("av1", both, device(false))).toBe("av1");
	expect(await chooseCodec("h264", both, device(true))).toBe("h264");
	expect(await chooseCodec("av1", [rendition("h264", 720)], device(true))).toBe("h264");
	expect(await chooseCodec("auto", [rendition("av1", 720)], device(false))).toBe("av1");
	expect(await chooseCodec("auto", [], device(true))).toBeUndefined();
});

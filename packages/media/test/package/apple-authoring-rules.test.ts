import { readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import * as hls from "hls-parser";
import { beforeAll, describe, expect, it } from "vitest";
import { WebVTTParser } from "webvtt-parser";
import { made } from "../support/made.ts";
import { ratesOf } from "../support/playlists.ts";
import { keyFrameTimes, streamsOf } from "../support/sources.ts";

/*
 * The rules of Apple's "HTTP Live Streaming (HLS) authoring specification for Apple devices" that can be checked from
 * the files of a video, by their numbers. The edition is the one whose revision history has visionOS and a first row of
 * 2023-05-24. Rules of what isn't made here (HEVC, HDR, live video, ads, encryption, stereo video) have no test.
 * docs/decisions/hls-and-dash.md names the rules that aren't followed.
 */

const sizes = [720, 1080];
const frameSeconds = 1 / 25;
/** A frame of AAC at 48 kHz. */
const soundFrameSeconds = 1024 / 48_000;

type Listed = { readonly uri: string; readonly text: string; readonly playlist: hls.types.MediaPlaylist };

let directory: string;
let master: string;
let variants: hls.types.Variant[];
let pictures: hls.types.Variant[];
let stills: hls.types.Variant[];
let listed: Listed[];
const of = (uri: string): Listed => {
	const found = listed.find((one) => one.uri === uri);
	if (found === undefined) throw new Error(`There is no ${uri}`);
	return found;
};
const lasts = ({ playlist }: Listed): number => playlist.segments.reduce((sum, { duration }) => sum + duration, 0);
const mediaLines = (): string[] => master.split("\n").filter((line) => line.startsWith("#EXT-X-MEDIA:"));
/** The tracks that segments lie in, as playlists name them. */
const fileOf = ({ playlist }: Listed): string => posix.join("hls", playlist.segments[0]?.uri ?? "");
const pathOf = (one: Listed): string => join(directory, fileOf(one));
const ofPictures = (): Listed[] => pictures.map(({ uri }) => of(uri));
const ofTracks = (): Listed[] => [...ofPictures(), of("audio.m3u8")];
const bytesOf = async (one: Listed): Promise<Buffer[]> => {
	const bytes = await readFile(pathOf(one));
	return one.playlist.segments.map(({ byterange: { offset, length } }) => bytes.subarray(offset, offset + length));
};
const starts = ({ playlist }: Listed): number[] => {
	let at = 0;
	return playlist.segments.map(({ duration }) => {
		at += duration;
		return at - duration;
	});
};
const isWithinTenth = (declared: number, measured: number) => {
	expect(declared / measured).toBeGreaterThan(0.9);
	expect(declared / measured).toBeLessThan(1.1);
};

beforeAll(async () => {
	const ladder = await made("the whole ladder");
	({ directory } = ladder);
	master = await readFile(join(directory, "hls/master.m3u8"), "utf8");
	({ variants } = hls.parse(master) as hls.types.MasterPlaylist);
	pictures = variants.filter((one) => one.resolution && !one.isIFrameOnly);
	stills = variants.filter((one) => one.isIFrameOnly);
	const uris = ladder.files.filter((file) => /^hls\/.*\.m3u8$/.test(file) && file !== "hls/master.m3u8");
	listed = await Promise.all(
		uris.map(async (file) => {
			const text = await readFile(join(directory, file), "utf8");
			return { uri: posix.basename(file), text, playlist: hls.parse(text) as hls.types.MediaPlaylist };
		}),
	);
});
const rules: Record<string, readonly (readonly [string, () => void | Promise<void>])[]> = {
	video: [
		[
			"1.1, 1.12: video is H.264 or AV1, and some is H.264",
			() => {
				expect(new Set(pictures.map(({ codecs }) => codecs?.slice(0, 4)))).toEqual(new Set(["avc1", "av01"]));
			},
		],
		[
			"1.2, 2.1, 8.20: pictures and sound are fragmented MP4, with EXT-X-MAP",
			async () => {
				for (const one of ofTracks()) {
					for (const bytes of await bytesOf(one)) expect(bytes.toString("latin1", 4, 8)).toBe("moof");
					for (const { map } of one.playlist.segments) expect(map?.uri).toBe(one.playlist.segments[0]?.uri);
				}
			},
		],
		[
			"1.3, 1.4, 1.11: H.264 is High, at the level that its size needs: 3.1 for 720, 4.0 for 1080",
			() => {
				const h264 = pictures.filter(({ codecs }) => codecs?.startsWith("avc1"));
				expect(h264.map(({ codecs }) => codecs?.slice(0, 11))).toEqual(["avc1.64001F", "avc1.640028"]);
			},
		],
		[
			"1.10: parameter sets are stored in the sample descriptions",
			async () => {
				for (const one of ofPictures())
					expect(["avc1", "av01"]).toContain((await streamsOf(pathOf(one)))[0]?.codec_tag_string);
			},
		],
		[
			"1.13, 7.4: a key frame begins each segment, two seconds apart",
			async () => {
				for (const one of ofPictures()) {
					const times = await keyFrameTimes(pathOf(one));
					expect(times).toEqual([0, 2]);
					expect(starts(one)).toEqual(times.map((time) => expect.closeTo(time, 3)));
				}
			},
		],
		[
			"1.14, 1.18, 1.19, 9.15: pictures are progressive, and FRAME-RATE is a natural rate of at most 60",
			async () => {
				for (const { uri, frameRate } of pictures) {
					const [stream] = await streamsOf(pathOf(of(uri)));
					expect(["progressive", "unknown", undefined]).toContain(stream?.field_order);
					expect(stream?.avg_frame_rate).toBe("10/1");
					expect(frameRate).toBe(10);
				}
			},
		],
		[
			"1.21, 1.24, 6.16, 9.16: one colour space, Rec. 709, and all is SDR",
			async () => {
				for (const one of ofPictures()) {
					const [stream] = await streamsOf(pathOf(one));
					expect(stream).toMatchObject({ color_space: "bt709", color_primaries: "bt709", color_transfer: "bt709" });
				}
				for (const { videoRange } of [...pictures, ...stills]) expect(videoRange).toBe("SDR");
			},
		],
		[
			"1.23, 9.23: each codec has all sizes, and the same frame rate",
			() => {
				for (const codec of ["avc1", "av01"]) {
					const ofCodec = pictures.filter(({ codecs }) => codecs?.startsWith(codec));
					expect(ofCodec.map(({ resolution }) => resolution?.height)).toEqual(sizes);
					expect(new Set(ofCodec.map(({ frameRate }) => frameRate)).size).toBe(1);
				}
			},
		],
		[
			"1.26, 1.27, 9.13, 9.14: BANDWIDTH and AVERAGE-BANDWIDTH are within a tenth of what is measured",
			() => {
				const sound = ratesOf(of("audio.m3u8").playlist);
				for (const { uri, bandwidth, averageBandwidth = 0 } of pictures) {
					const { peak, average } = ratesOf(of(uri).playlist);
					isWithinTenth(bandwidth, peak + sound.peak);
					isWithinTenth(averageBandwidth, average + sound.average);
				}
			},
		],
		[
			"1.33: all variants have the same aspect ratio",
			() => {
				for (const { resolution } of [...pictures, ...stills])
					expect((resolution?.width ?? 0) / (resolution?.height ?? 1)).toBeCloseTo(16 / 9, 2);
			},
		],
		[
			"1.37: AV1 is at most level 6.2",
			() => {
				const levels = pictures.flatMap(({ codecs }) => /^av01\.0\.(\d\d)M/.exec(codecs ?? "")?.[1] ?? []);
				expect(levels).toHaveLength(2);
				for (const level of levels) expect(Number(level)).toBeLessThanOrEqual(18);
			},
		],
	],
	sound: [
		[
			"2.3, 2.17, 9.5: the sound is a track of its own, of one stream of stereo AAC",
			async () => {
				const streams = await streamsOf(pathOf(of("audio.m3u8")));
				expect(streams).toHaveLength(1);
				expect(streams[0]).toMatchObject({ codec_name: "aac", profile: "LC", channels: 2 });
				for (const one of ofPictures()) expect(await streamsOf(pathOf(one))).toHaveLength(1);
			},
		],
		[
			"2.9: stereo AAC has 32 to 160 kbit/s",
			() => {
				const { average } = ratesOf(of("audio.m3u8").playlist);
				expect(average).toBeGreaterThan(32_000);
				expect(average).toBeLessThan(160_000);
			},
		],
	],
	captions: [
		[
			"4.1, 4.2, 5.2: captions are a WebVTT file that a parser takes without a complaint",
			async () => {
				const text = await readFile(join(directory, fileOf(of("captions.m3u8"))), "utf8");
				const { cues, errors } = new WebVTTParser().parse(text, "captions");
				expect([cues.length, errors]).toEqual([1, []]);
			},
		],
		[
			"4.6, 4.7, 8.10: each rendition has its language, and players choose captions by it",
			() => {
				expect(mediaLines()).toHaveLength(2);
				for (const line of mediaLines()) {
					expect(line).toContain(',LANGUAGE="en",');
					expect(line).toContain(",AUTOSELECT=YES,");
				}
			},
		],
		[
			"5.5: the captions' playlist is as long as the video",
			() => expect(lasts(of("captions.m3u8"))).toBeCloseTo(lasts(of("h264_720.m3u8")), 2),
		],
	],
	"trick play": [
		[
			"6.1, 6.6, 6.8: there are I-frame playlists of several bit rates, and each says what it is",
			() => {
				expect(new Set(stills.map(({ bandwidth }) => bandwidth)).size).toBe(4);
				for (const { uri } of stills) expect(of(uri).text).toContain("\n#EXT-X-I-FRAMES-ONLY\n");
			},
		],
		[
			"6.4, 6.13, 6.14: there is one for each codec and size",
			() => {
				const kinds = (some: readonly hls.types.Variant[]) =>
					some.map(({ codecs, resolution }) => `${codecs?.slice(0, 4)} ${resolution?.height}`);
				expect(kinds(stills)).toEqual(kinds(pictures));
			},
		],
		[
			"6.9: their peaks are those of RFC 8216",
			() => {
				for (const { uri, bandwidth } of stills) expect(bandwidth).toBe(ratesOf(of(uri).playlist).peak);
			},
		],
		[
			"6.10: their segments have the moof header",
			async () => {
				for (const { uri } of stills)
					for (const bytes of await bytesOf(of(uri))) {
						expect(bytes.toString("latin1", 4, 8)).toBe("moof");
						expect(bytes.length).toBeGreaterThan(bytes.readUInt32BE(0) + 8);
					}
			},
		],
	],
	segments: [
		[
			"7.1, 7.3: each fragment begins where the one before it ends",
			async () => {
				for (const one of ofTracks()) {
					const head = await readFile(pathOf(one));
					const timescale = head.readUInt32BE(head.indexOf("mdhd", 0, "latin1") + 16);
					const times = (await bytesOf(one)).map((bytes) => {
						const at = bytes.indexOf("tfdt", 0, "latin1") + 4;
						const ticks = bytes[at] === 0 ? bytes.readUInt32BE(at + 4) : Number(bytes.readBigUInt64BE(at + 4));
						return ticks / timescale;
					});
					expect(times).toEqual(starts(one).map((start) => expect.closeTo(start, 4)));
				}
			},
		],
		[
			"7.7: no segment is longer than its target duration and half a second",
			() => {
				for (const { playlist } of listed)
					for (const { duration } of playlist.segments)
						expect(duration).toBeLessThanOrEqual(playlist.targetDuration + 0.5);
			},
		],
	],
	"media playlists": [
		[
			"8.1: EXTINF is exact to a frame",
			async () => {
				for (const one of ofTracks()) {
					const [stream] = await streamsOf(pathOf(one));
					expect(Math.abs(lasts(one) - Number(stream?.duration))).toBeLessThan(frameSeconds);
				}
			},
		],
		[
			"8.2: pictures and sound have one target duration",
			() => expect(new Set(ofTracks().map(({ playlist }) => playlist.targetDuration)).size).toBe(1),
		],
		[
			"8.3, 8.7: all playlists cover the same time, to a frame of the sound",
			() => {
				for (const one of listed) expect(Math.abs(lasts(one) - 2.6)).toBeLessThan(soundFrameSeconds);
			},
		],
		[
			"8.6: all playlists say VOD, and end",
			() => {
				for (const { playlist } of listed) expect(playlist).toMatchObject({ playlistType: "VOD", endlist: true });
			},
		],
		["8.9: the sound is declared by EXT-X-MEDIA", () => expect(mediaLines()[0]).toContain("TYPE=AUDIO,")],
		[
			"8.13, 8.14, 8.15: nothing is discontinuous",
			() => {
				for (const { text } of listed) expect(text).not.toContain("DISCONTINUITY");
			},
		],
		[
			"8.22: segments begin at the same times in all variants, and to a frame in the sound",
			() => {
				const [first, ...others] = ofPictures().map(starts);
				for (const other of others) expect(other).toEqual(first);
				for (const [n, start] of starts(of("audio.m3u8")).entries())
					expect(Math.abs(start - (first?.[n] ?? Number.NaN))).toBeLessThan(soundFrameSeconds);
			},
		],
	],
	"the multivariant playlist": [
		[
			"9.1, 9.2, 9.3, 9.4: every variant has CODECS, and RESOLUTION if it has a picture",
			() => {
				for (const { codecs } of variants) expect(codecs).toMatch(/^\S+$/);
				const without = variants.filter(({ resolution }) => !resolution);
				expect(without.map(({ codecs }) => codecs)).toEqual(["mp4a.40.2"]);
			},
		],
		[
			"9.9, 9.10: there are several bit rates, and two variants of the largest size",
			() => {
				expect(new Set(pictures.map(({ bandwidth }) => bandwidth)).size).toBe(4);
				expect(pictures.filter(({ resolution }) => resolution?.height === 1080)).toHaveLength(2);
			},
		],
		[
			"9.11, 9.12: segments are said to be independent, in every playlist of pictures as well",
			() => {
				for (const text of [master, ...ofPictures().map((one) => one.text)])
					expect(text).toContain("\n#EXT-X-INDEPENDENT-SEGMENTS\n");
			},
		],
		[
			"9.14: every variant has AVERAGE-BANDWIDTH",
			() => {
				for (const { averageBandwidth } of variants) expect(averageBandwidth).toBeGreaterThan(0);
			},
		],
		["9.19: no variant has a SCORE, which all would need", () => expect(master).not.toContain("SCORE")],
		[
			"9.21: a variant needs at most 192 kbit/s, and it is the last one",
			() => {
				const thin = variants.filter((one) => !one.isIFrameOnly && one.bandwidth <= 192_000);
				expect(thin.map(({ uri }) => uri)).toEqual(["audio.m3u8"]);
				expect(variants.filter((one) => !one.isIFrameOnly).at(-1)?.uri).toBe("audio.m3u8");
			},
		],
	],
	addresses: [
		[
			"11.4: no address tells more than codec, size and kind",
			() => {
				const addresses = [master, ...listed.map(({ text }) => text)].flatMap((text) =>
					text.split("\n").filter((line) => line !== "" && !line.startsWith("#")),
				);
				for (const address of addresses)
					expect(address).toMatch(
						/^(?:\.\.\/media\/)?(?:audio|(?:h264|av1)_\d+)\.(?:m3u8|mp4|m4a)$|^\.\.\/transcript\.vtt$/,
					);
			},
		],
	],
};

describe.each(Object.entries(rules))("of %s, Apple's rules", (_, checks) => {
	it.each(checks)("%s", async (_, check) => {
		await check();
	});
});

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createFile, type ISOFile, MP4BoxBuffer } from "mp4box";
import { parse } from "mpd-parser";
import { beforeAll, describe, expect, it } from "vitest";
import type { Track } from "../../src/mp4/track.ts";
import { heardTrack } from "../../src/package/caption-track.ts";
import { dashManifest } from "../../src/package/dash.ts";
import { masterPlaylist, mediaPlaylist, targetSeconds } from "../../src/package/hls.ts";
import { made } from "../support/made.ts";
import { program } from "../support/sources.ts";

let directory: string;
beforeAll(async () => {
	({ directory } = await made("a small clip"));
});

/** The file as mp4box reads it. */
async function boxesOf(file: string): Promise<{ boxes: ISOFile; bytes: Buffer }> {
	const bytes = await readFile(join(directory, file));
	const boxes = createFile();
	boxes.onError = (_, message) => {
		throw new Error(message);
	};
	boxes.appendBuffer(MP4BoxBuffer.fromArrayBuffer(new Uint8Array(bytes).buffer, 0));
	boxes.flush();
	return { boxes, bytes };
}

it("gives DASH players a manifest that mpd-parser reads, with the ranges of header and index", async () => {
	const manifest = parse(await readFile(join(directory, "dash/manifest.mpd"), "utf8"), {
		manifestUri: "http://localhost/dash/manifest.mpd",
	});
	expect(manifest.duration).toBeCloseTo(3, 1);
	const audio = Object.values(manifest.mediaGroups.AUDIO.audio).flatMap(({ playlists }) => playlists);
	expect(manifest.playlists.map(({ attributes }) => attributes.NAME)).toEqual(["h264_90", "av1_90"]);
	for (const { attributes } of manifest.playlists) {
		expect(attributes.RESOLUTION).toEqual({ width: 160, height: 90 });
		expect(attributes["FRAME-RATE"]).toBeCloseTo(29.97, 2);
	}
	expect([...manifest.playlists, ...audio].map(({ attributes }) => attributes.CODECS)).toEqual([
		"avc1.64001E",
		"av01.0.00M.08",
		"mp4a.40.2",
	]);
	for (const { sidx, endList } of [...manifest.playlists, ...audio]) {
		expect(endList).toBe(true);
		const { bytes } = await boxesOf(new URL(sidx.resolvedUri).pathname);
		expect(bytes.toString("latin1", sidx.byterange.offset + 4, sidx.byterange.offset + 8)).toBe("sidx");
		expect(bytes.readUInt32BE(sidx.byterange.offset)).toBe(sidx.byterange.length);
		expect(sidx.map.byterange).toEqual({ offset: 0, length: sidx.byterange.offset });
	}
});

it.each([
	{ file: "media/h264_90.mp4", codec: "avc1.64001e", samples: 90 },
	{ file: "media/av1_90.mp4", codec: "av01.0.00M.08", samples: 90 },
	{ file: "media/audio.m4a", codec: "mp4a.40.2", samples: 141 },
])(
	"makes $file a fragmented file of one track that mp4box reads, whose index leads to every fragment",
	async ({ file, codec, samples }) => {
		const { boxes, bytes } = await boxesOf(file);
		const { tracks, isFragmented, brands } = boxes.getInfo();
		expect(isFragmented).toBe(true);
		expect(brands).toContain("cmfc");
		expect(tracks).toHaveLength(1);
		expect(tracks[0]?.codec.toLowerCase()).toBe(codec.toLowerCase());
		expect(tracks[0]?.nb_samples).toBeGreaterThanOrEqual(samples - 2);
		expect(tracks[0]?.nb_samples).toBeLessThanOrEqual(samples + 1);
		const [index] = boxes.getBoxes("sidx", false) as unknown as {
			start: number;
			size: number;
			references: { referenced_size: number; starts_with_SAP: number }[];
		}[];
		if (index === undefined) throw new Error("There is no sidx");
		let at = index.start + index.size;
		for (const reference of index.references) {
			expect(bytes.toString("latin1", at + 4, at + 8)).toBe("moof");
			expect(reference.starts_with_SAP).toBe(1);
			at += reference.referenced_size;
		}
		expect(bytes.toString("latin1", at + 4, at + 8)).toBe("mfra");
		expect(boxes.getBoxes("moof", false)).toHaveLength(index.references.length);
	},
);

it.each(["media/h264_90.mp4", "media/av1_90.mp4"])(
	"shows the first picture of %s with the first sound, and less than 45 ms later in players that count as ffmpeg does",
	async (file) => {
		const { boxes } = await boxesOf(file);
		expect(Math.min(...boxes.getTrackSamplesInfo(1).map(({ cts }) => cts))).toBe(0);
		const shown = await program(
			"ffprobe",
			"-show_entries",
			"packet=pts_time",
			"-read_intervals",
			"%+#1",
			"-of",
			"csv=p=0",
			join(directory, file),
		);
		expect(Number.parseFloat(shown)).toBeLessThan(0.045);
	},
);

describe("a segment at the end", () => {
	const lasting = (...lengths: number[]): Track => ({
		...{ name: "audio", codecs: "mp4a.40.2", width: 0, height: 0, channels: 2, sampleRate: 48_000, bytes: 9_000 },
		...{ initialisation: { offset: 0, length: 900 }, index: { offset: 900, length: 100 }, seconds: 0 },
		segments: lengths.map((seconds, n) => ({ offset: 1_000 * (n + 1), length: 1_000, startSeconds: 0, seconds })),
	});
	const listed = (track: Track, options?: { keyFrames: boolean }) =>
		mediaPlaylist(track, "a.m4a", 2, options).match(/(?<=EXTINF:|BYTERANGE:)[\d.@]+/g);

	it.each([
		[
			"of a few milliseconds is listed with the one before",
			[2, 2, 0.005],
			["2.000000", "1000@1000", "2.005000", "2000@2000"],
		],
		["of a tenth of a second is listed by itself", [2, 0.1], ["2.000000", "1000@1000", "0.100000", "1000@2000"]],
		["is listed by itself if both would be too long", [2.45, 0.09], ["2.450000", "1000@1000", "0.090000", "1000@2000"]],
		["is listed by itself if there is no other", [0.005], ["0.005000", "1000@1000"]],
	])("%s", (_, lengths, lines) => {
		expect(listed(lasting(...lengths))).toEqual(lines);
	});

	it("stands by itself among the key frames, however short it is", () => {
		expect(listed(lasting(2, 0.005), { keyFrames: true })).toHaveLength(4);
	});
});

describe("of tracks that end on either side of half a second", () => {
	const ending = (name: string, codecs: string, seconds: number): Track => ({
		...{ name, codecs, width: 320, height: 180, channels: 2, sampleRate: 48_000, bytes: 2_000, seconds },
		...{ initialisation: { offset: 0, length: 900 }, index: { offset: 900, length: 100 } },
		segments: [{ offset: 1_000, length: 1_000, startSeconds: 0, seconds }],
	});
	const [picture, track] = [ending("h264_180", "avc1.64000C", 1.5), ending("audio", "mp4a.40.2", 1.49)];
	const sound = [{ track, index: 1, channels: 2 as const, language: null, title: null }];

	it("every playlist has the same target duration, as RFC 8216 wants of those that are played together", () => {
		expect(targetSeconds([picture])).not.toBe(targetSeconds([track]));
		expect(mediaPlaylist(track, "a.m4a", targetSeconds([picture, track]))).toContain("#EXT-X-TARGETDURATION:2\n");
	});

	it("bit rates are those of the segments, without what stands around them in the file", () => {
		const bits = Math.ceil(8_000 / 1.5) + Math.ceil(8_000 / 1.49);
		expect(masterPlaylist([picture], sound, 10)).toContain(`BANDWIDTH=${bits},AVERAGE-BANDWIDTH=${bits},`);
	});

	it("the manifest says how many channels the sound has, and how long a player buffers: a whole segment", () => {
		const manifest = dashManifest([picture], sound, { numerator: 10, denominator: 1 }, ({ name }) => name);
		expect(manifest).toContain(
			'<AudioChannelConfiguration schemeIdUri="urn:mpeg:dash:23003:3:audio_channel_configuration:2011" value="2"/>',
		);
		expect(manifest).toContain('minBufferTime="PT1.5S"');
	});

	it("the manifest lets players change between the codecs, if there are two", () => {
		const rate = { numerator: 10, denominator: 1 };
		const av1 = ending("av1_180", "av01.0.00M.08", 1.5);
		const both = dashManifest([picture, av1], sound, rate, ({ name }) => name);
		const sets = [...both.matchAll(/<AdaptationSet id="(\d)".*\n.*adaptation-set-switching:2016" value="(\d)"/g)];
		expect(sets.map(([, set, other]) => [set, other])).toEqual([
			["1", "2"],
			["2", "1"],
		]);
		expect(dashManifest([picture], sound, rate, ({ name }) => name)).not.toContain("switching");
	});

	it("the manifest says how long the storyboard's sheet would last if it were full", () => {
		const manifest = dashManifest([picture], sound, { numerator: 30_000, denominator: 1001 }, ({ name }) => name, {
			storyboard: {
				...{ tile: { width: 160, height: 90 }, columns: 10, rows: 3, framesPerTile: 120 },
				...{ uri: "../storyboard/$Number%05d$.jpg", bytes: 1_201_200 },
			},
		});
		expect(manifest).toContain('timescale="30000" duration="3603600" startNumber="1"');
		expect(manifest).toContain('bandwidth="80000" width="1600" height="270"');
		expect(manifest).toContain('thumbnail_tile" value="10x3"');
	});

	it("the manifest leads to the captions, with the bit rate of their file and the language of both", () => {
		const captions = (language: string | null) =>
			parse(
				dashManifest([picture], sound, { numerator: 10, denominator: 1 }, ({ name }) => name, {
					captions: [{ ...heardTrack(language), uri: "../transcript.vtt", bytes: 300 }],
				}),
				{ manifestUri: "http://localhost/dash/manifest.mpd" },
			).mediaGroups;
		const { AUDIO, SUBTITLES } = captions("de");
		expect(SUBTITLES.subs?.de).toMatchObject({
			language: "de",
			playlists: [{ attributes: { BANDWIDTH: 1600 }, resolvedUri: "http://localhost/transcript.vtt" }],
		});
		expect(Object.values(AUDIO.audio)).toEqual([expect.objectContaining({ language: "de" })]);
		expect(Object.values(captions(null).SUBTITLES.subs ?? {})).toHaveLength(1);
	});
});

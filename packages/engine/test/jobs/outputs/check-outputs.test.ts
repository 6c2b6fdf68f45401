import { isReelmillError } from "@reelmill/contracts";
import { describe, expect, it } from "vitest";
import { checkMedia } from "../../../src/jobs/outputs/check-media.ts";
import { checkOutputs, type MadeOutputs } from "../../../src/jobs/outputs/check-outputs.ts";

type Texts = Record<string, string>;

const media = {
	duration_seconds: 4,
	width: 1920,
	height: 1080,
	transcript_status: "available" as const,
	language: "en",
};
const renditions = [
	{ name: "h264_720", codec: "h264" as const, width: 1280, height: 720, bitrate: 2_000_000 },
	{ name: "av1_720", codec: "av1" as const, width: 1280, height: 720, bitrate: 1_000_000 },
];
const plan = {
	renditions: ["h264_720" as const, "av1_720" as const],
	outputs: { hls: true, dash: true, mp4_fallback: true, og_thumbnail: true },
	transcript: true,
	moderation_frames: false,
	watermark: false,
	outro_id: null,
};

/** A track's playlist: two segments of 2 s in a file of 1000 bytes. */
const track = (uri: string) =>
	[
		...[
			"#EXTM3U",
			"#EXT-X-VERSION:7",
			"#EXT-X-TARGETDURATION:2",
			"#EXT-X-MEDIA-SEQUENCE:0",
			"#EXT-X-PLAYLIST-TYPE:VOD",
			"#EXT-X-INDEPENDENT-SEGMENTS",
		],
		...[
			`#EXT-X-MAP:URI="${uri}",BYTERANGE="100@0"`,
			"#EXTINF:2.000000,",
			"#EXT-X-BYTERANGE:400@100",
			uri,
			"#EXTINF:2.000000,",
			"#EXT-X-BYTERANGE:500@500",
			uri,
		],
		"#EXT-X-ENDLIST\n",
	].join("\n");
const represented = (uri: string, attributes: string) =>
	`<Representation ${attributes}><BaseURL>${uri}</BaseURL><SegmentBase indexRange="100-143"><Initialization range="0-99"/></SegmentBase></Representation>`;

/** As `@reelmill/media` writes them; what isn't a text has 1000 bytes. */
const honest: Texts = {
	"hls/master.m3u8": [
		...["#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-INDEPENDENT-SEGMENTS"],
		'#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="Audio, of all",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2",URI="audio.m3u8"',
		'#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="captions",NAME="English",URI="captions.m3u8"',
		...[
			'#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="avc1.64001f,mp4a.40.2",RESOLUTION=1280x720,FRAME-RATE=30.000',
			"h264_720.m3u8",
		],
		...['#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="av01.0.05M.08,mp4a.40.2",RESOLUTION=1280x720', "av1_720.m3u8"],
		...['#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="mp4a.40.2",AUDIO="audio"', "audio.m3u8"],
		'#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,CODECS="avc1.64001f",RESOLUTION=1280x720,URI="h264_720_iframes.m3u8"\n',
	].join("\n"),
	"hls/h264_720.m3u8": track("../media/h264_720.mp4"),
	"hls/av1_720.m3u8": track("../media/av1_720.mp4"),
	"hls/h264_720_iframes.m3u8": track("../media/h264_720.mp4").replace("#EXT-X-MAP", "#EXT-X-I-FRAMES-ONLY\n#EXT-X-MAP"),
	"hls/audio.m3u8": track("../media/audio.m4a"),
	"hls/captions.m3u8":
		"#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:4\n#EXTINF:4.000000,\n../transcript.vtt\n#EXT-X-ENDLIST\n",
	"dash/manifest.mpd": [
		'<?xml version="1.0" encoding="UTF-8"?>',
		'<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT4.000S" minBufferTime="PT2S">',
		'  <Period>\n    <AdaptationSet contentType="video" mimeType="video/mp4">',
		'<SupplementalProperty schemeIdUri="urn:mpeg:dash:adaptation-set-switching:2016" value="2"/>',
		represented("../media/h264_720.mp4", 'id="h264_720" codecs="avc1.64001f" width="1280" height="720"'),
		represented("../media/av1_720.mp4", 'id="av1_720" codecs="av01.0.05M.08" width="1280" height="720"'),
		'    </AdaptationSet>\n    <AdaptationSet contentType="audio">\n      <Label>Original</Label>',
		represented("../media/audio.m4a", 'id="audio" codecs="mp4a.40.2"'),
		'    </AdaptationSet>\n    <AdaptationSet contentType="text" mimeType="text/vtt" lang="en">',
		'<Role schemeIdUri="urn:mpeg:dash:role:2011" value="caption"/>',
		'<Representation id="captions" bandwidth="1"><BaseURL>../transcript.vtt</BaseURL></Representation>',
		'    </AdaptationSet>\n    <AdaptationSet contentType="image" mimeType="image/jpeg">',
		'<SegmentTemplate media="../storyboard/$Number%05d$.jpg" timescale="1" duration="8" startNumber="1"/>',
		'<Representation id="storyboard" bandwidth="1" width="1600" height="90">',
		'<EssentialProperty schemeIdUri="http://dashif.org/guidelines/thumbnail_tile" value="2x1"/></Representation>',
		"    </AdaptationSet>\n  </Period>\n</MPD>\n",
	].join("\n"),
	"storyboard.vtt": "WEBVTT\n\n00:00:00.000 --> 00:00:04.000\nstoryboard/00001.jpg#xywh=0,0,160,90\n",
	"transcript.vtt": "WEBVTT\n",
};
const others = [
	"media/h264_720.mp4",
	"media/av1_720.mp4",
	"media/audio.m4a",
	"web.mp4",
	"og.jpg",
	"storyboard/00001.jpg",
];

function made(
	texts: Texts,
	sizes: Record<string, number | undefined> = {},
	more: Partial<MadeOutputs> = {},
): MadeOutputs {
	const all = {
		...Object.fromEntries(others.map((path) => [path, 1000])),
		...Object.fromEntries(Object.entries(texts).map(([path, text]) => [path, text.length])),
		...sizes,
	};
	const files = Object.fromEntries(
		Object.entries(all).filter((entry): entry is [string, number] => entry[1] !== undefined),
	);
	return { plan, files, media, renditions, read: async (path) => texts[path] ?? null, ...more };
}
const saidOf = async (outputs: MadeOutputs): Promise<[string, string[]]> => {
	const error = await checkOutputs(outputs).then(
		() => null,
		(thrown: unknown) => thrown,
	);
	if (!isReelmillError(error, "outputs_incomplete"))
		throw new Error("was taken, or refused otherwise", { cause: error });
	return [error.message, error.extras.missing];
};
/** The honest outputs with this told otherwise in one of them. */
const told = (path: string, from: string | RegExp, to: string): Texts => {
	const text = (honest[path] ?? "").replace(from, to);
	if (text === honest[path]) throw new Error(`${path} doesn't say ${from}`);
	return { ...honest, [path]: text };
};

/** The playlist of an opening: its segment of 2 s, and then the second one of the whole. */
const opening = (name: string, whole: string) =>
	track(`../media/${name}`)
		.replace("TYPE:VOD", "TYPE:EVENT\n#EXT-X-START:TIME-OFFSET=0")
		.replace(/#EXTINF:2.000000,\n#EXT-X-BYTERANGE:500@500\n.*/, whole);
const rest = (uri: string) =>
	`#EXT-X-MAP:URI="${uri}",BYTERANGE="100@0"\n#EXTINF:2.000000,\n#EXT-X-BYTERANGE:500@500\n${uri}`;
const withOpening: Texts = {
	...honest,
	"media/opening_h264_720.mp4": "x".repeat(500),
	"media/opening_audio.m4a": "x".repeat(500),
	"hls/opening_h264_720.m3u8": opening("opening_h264_720.mp4", rest("../media/h264_720.mp4")),
	"hls/opening_audio.m3u8": opening("opening_audio.m4a", "# nothing"),
};

describe("outputs are taken", () => {
	it("as our own worker makes them", () => checkOutputs(made(honest)));
	it("with an opening that nothing leads to, and a sound that ends with it", () => checkOutputs(made(withOpening)));
	it("without key frames and sound alone, as a worker of an older release makes them", async () => {
		const { "hls/h264_720_iframes.m3u8": _, ...older } = honest;
		const master = (honest["hls/master.m3u8"] ?? "")
			.replace(/#EXT-X-I-FRAME.*\n/, "")
			.replace(/#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="mp4a.*\n.*\n/, "");
		expect(master.split("\n")).toHaveLength((honest["hls/master.m3u8"] ?? "").split("\n").length - 3);
		await checkOutputs(made({ ...older, "hls/master.m3u8": master }));
	});
	it("with one rendition whose playlist is the first", () =>
		checkOutputs(
			made({ ...honest, "hls/master.m3u8": track("../web.mp4") }, {}, { renditions: renditions.slice(0, 1) }),
		));
	it("unread where the storage gives no bytes", () => checkOutputs(made(honest, {}, { read: async () => null })));
	it("upright, and of a source that is smaller than any rung", async () => {
		const small = {
			...honest,
			"hls/master.m3u8": (honest["hls/master.m3u8"] ?? "").replaceAll("1280x720", "270x480"),
			"dash/manifest.mpd": (honest["dash/manifest.mpd"] ?? "")
				.replaceAll('"1280"', '"270"')
				.replaceAll('"720"', '"480"'),
		};
		await checkOutputs(made(small, {}, { renditions: [] }));
	});
});

describe("of outputs is refused", () => {
	const [master, playlist, captions, manifest] = [
		"hls/master.m3u8",
		"hls/h264_720.m3u8",
		"hls/captions.m3u8",
		"dash/manifest.mpd",
	];
	const file = "media/h264_720.mp4";
	const keyFrames = "hls/h264_720_iframes.m3u8";
	it.each([
		["an empty file", made(honest, { "web.mp4": 0 }), "web.mp4", "is empty"],
		[
			"a transcript that isn't there",
			made({ ...honest, [captions]: track("../web.mp4") }, { "transcript.vtt": undefined }),
			"transcript.vtt",
			"and isn't",
		],
		["a playlist that isn't there", made(honest, { [playlist]: undefined }), playlist, "which isn't there"],
		[
			"a playlist of sound that isn't there",
			made(honest, { "hls/audio.m3u8": undefined }),
			"hls/audio.m3u8",
			"which isn't there",
		],
		[
			"a playlist of key frames that isn't there",
			made(honest, { [keyFrames]: undefined }),
			keyFrames,
			"hls/master.m3u8 leads to hls/h264_720_iframes.m3u8, which isn't there",
		],
		[
			"a key frame that lies behind the track",
			made(told(keyFrames, "400@100", "400@900")),
			file,
			"900 to 1300 of media/h264_720.mp4, which has 1000",
		],
		...['"av01.0.05M.08,mp4a.40.2"', '"mp4a.40.2,avc1.64001f"', '""'].map(
			(codecs): [string, MadeOutputs, string, string] => [
				`a variant of ${codecs} that doesn't tell its size`,
				made(told(master, 'CODECS="mp4a.40.2",AUDIO', `CODECS=${codecs},AUDIO`)),
				master,
				"where a number belongs",
			],
		),
		[
			"captions of the manifest that aren't there",
			made(told(manifest, "../transcript.vtt", "../other.vtt")),
			"other.vtt",
			"dash/manifest.mpd leads to other.vtt, which isn't there",
		],
		[
			"captions of the manifest without a file",
			made(told(manifest, "<BaseURL>../transcript.vtt</BaseURL>", "")),
			manifest,
			"captions without a file",
		],
		[
			"a storyboard of the manifest that isn't there",
			made(told(manifest, "../storyboard/", "../other/")),
			"other/00001.jpg",
			"dash/manifest.mpd leads to other/00001.jpg, which isn't there",
		],
		...(["$Number%05d$", 'startNumber="1"'] as const).map((needed): [string, MadeOutputs, string, string] => [
			`a storyboard of the manifest without ${needed}`,
			made(told(manifest, needed, "")),
			manifest,
			"pictures without a number",
		]),
		[
			"an opening's track that isn't there",
			made(withOpening, { "media/opening_audio.m4a": undefined }),
			"media/opening_audio.m4a",
			"hls/opening_audio.m3u8 leads to media/opening_audio.m4a, which isn't there",
		],
		[
			"an opening whose rest isn't there",
			made(withOpening, { [file]: 999 }),
			file,
			"500 to 1000 of media/h264_720.mp4, which has 999",
		],
		[
			"an opening that has no end",
			made({ ...withOpening, "hls/opening_audio.m3u8": track("../web.mp4").replace("#EXT-X-ENDLIST\n", "") }),
			"hls/opening_audio.m3u8",
			"has no end",
		],
		["a track that isn't there", made(honest, { [file]: undefined }), file, "which isn't there"],
		[
			"a track that is shorter than its last segment says",
			made(honest, { [file]: 999 }),
			file,
			"500 to 1000 of media/h264_720.mp4, which has 999",
		],
		["an initialisation that lies behind the track", made(told(playlist, "100@0", "100@1000")), file, "1000 to 1100"],
		["a segment of no bytes", made(told(playlist, "400@100", "0@100")), file, "100 to 100"],
		["a range without an offset", made(told(playlist, "400@100", "400")), playlist, "where a number belongs"],
		["a range of three numbers", made(told(playlist, "400@100", "400@100@1")), playlist, "byte range"],
		[
			"a range beyond all numbers",
			made(told(playlist, "400@100", "9007199254740993@1")),
			playlist,
			"where a number belongs",
		],
		[
			"segments that last for a billion seconds",
			made(told(playlist, "2.000000,", "1000000000,")),
			playlist,
			"where seconds belong",
		],
		[
			"segments that last longer than the video",
			made(told(playlist, /2\.000000,/, "9.000000,").valueOf() as Texts),
			playlist,
			"longer than its target duration",
		],
		[
			"a playlist that lasts longer than the video",
			made({
				...honest,
				[playlist]: track("../media/h264_720.mp4")
					.replaceAll("2.000000", "2.400000")
					.replace("#EXT-X-ENDLIST", "#EXTINF:2,\n#EXT-X-BYTERANGE:1@1\n../media/h264_720.mp4\n#EXT-X-ENDLIST"),
			}),
			playlist,
			"lasts 6.8 s, the video 4 s",
		],
		["captions that last another time", made(told(captions, "4.000000", "1.000000")), captions, "lasts 1 s"],
		["a playlist that is none", made({ ...honest, [playlist]: "x" }), playlist, "is no playlist"],
		["a playlist without an end", made(told(playlist, "#EXT-X-ENDLIST\n", "")), playlist, "has no end"],
		[
			"a playlist that goes on behind its end",
			made(told(playlist, "#EXT-X-ENDLIST", "#EXT-X-ENDLIST\n#EXT-X-ENDLIST")),
			playlist,
			"goes on behind",
		],
		[
			"a playlist without segments",
			made({ ...honest, [playlist]: "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-ENDLIST\n" }),
			playlist,
			"no segment",
		],
		[
			"a playlist without a target duration",
			made(told(playlist, "#EXT-X-TARGETDURATION:2\n", "")),
			playlist,
			"no target duration",
		],
		["an address without a duration", made(told(playlist, "#EXTINF:2.000000,\n", "")), playlist, "without EXTINF"],
		[
			"a tag that leads elsewhere",
			made(told(playlist, "#EXTINF", '#EXT-X-KEY:METHOD=AES-128,URI="https://evil.example/"\n#EXTINF')),
			playlist,
			"EXT-X-KEY",
		],
		["attributes that don't end", made(told(playlist, '",BYTERANGE="100@0"', "")), playlist, "attributes"],
		[
			"an address of another host",
			made(told(playlist, "../media/h264_720.mp4\n", "https://evil.example/a.mp4\n")),
			"hls/https://evil.example/a.mp4",
			"isn't there",
		],
		[
			"a way out of the outputs",
			made(told(playlist, "../media/h264_720.mp4\n", "../../../other/web.mp4\n")),
			"../../other/web.mp4",
			"isn't there",
		],
		[
			"a playlist of a megabyte",
			made({ ...honest, [playlist]: `${track("../media/h264_720.mp4")}${"#".repeat(1_000_000)}` }),
			playlist,
			"more than any that is needed",
		],
		["a master that leads nowhere", made({ ...honest, [master]: "#EXTM3U\n" }), master, "no rendition"],
		["a rendition without its address", made(told(master, "h264_720.m3u8\n", "")), master, "without an address"],
		[
			"an address without its rendition",
			made(told(master, "#EXT-X-STREAM-INF", "a.m3u8\n#EXT-X-STREAM-INF")),
			master,
			"without EXT-X-STREAM-INF",
		],
		[
			"a rendition without a size",
			made(told(master, "RESOLUTION=1280x720", "RESOLUTION=0x")),
			master,
			"where a number belongs",
		],
		[
			"a master with a tag that leads elsewhere",
			made(told(master, "#EXT-X-VERSION", '#EXT-X-SESSION-KEY:METHOD=AES-128,URI="b"\n#EXT-X-VERSION')),
			master,
			"EXT-X-SESSION-KEY",
		],
		[
			"a rendition that is larger than any asked for",
			made(told(master, "1280x720", "3840x2160")),
			master,
			"which nobody asked for",
		],
		[
			"a rendition of another codec than asked for",
			made(told(master, "avc1.64001f", "hvc1.1.6.L93.B0")),
			master,
			"which nobody asked for",
		],
		[
			"a declared rendition that the master doesn't lead to",
			made(
				honest,
				{},
				{
					renditions: [
						...renditions,
						{ ...(renditions[0] as (typeof renditions)[0]), name: "h264_360", width: 640, height: 360 },
					],
				},
			),
			master,
			"h264_360",
		],
		[
			"more than one rendition where the only playlist is the first",
			made({ ...honest, [master]: track("../web.mp4") }),
			master,
			"one rendition of 2",
		],
		["a manifest that is none", made({ ...honest, [manifest]: "<html></html>" }), manifest, "html"],
		[
			"a manifest with an entity",
			made(told(manifest, "<Period>", '<!DOCTYPE a [<!ENTITY a "a">]><Period>')),
			manifest,
			"entity",
		],
		["a manifest of two documents", made({ ...honest, [manifest]: "<MPD></MPD><MPD></MPD>" }), manifest, "one element"],
		["a manifest that ends within a tag", made(told(manifest, "</MPD>\n", "</MPD")), manifest, "within a tag"],
		[
			"a manifest that closes what isn't open",
			made(told(manifest, "</Period>", "</Period></Period>")),
			manifest,
			"isn't open",
		],
		["a manifest that is too deep", made({ ...honest, [manifest]: "<MPD>".repeat(50) }), manifest, "too deep"],
		[
			"a manifest without a rendition",
			made({ ...honest, [manifest]: '<MPD mediaPresentationDuration="PT4S"><Period></Period></MPD>' }),
			manifest,
			"no rendition",
		],
		[
			"a manifest's track without ranges",
			made(told(manifest, /<SegmentBase.*?<\/SegmentBase>/, "")),
			manifest,
			"its ranges",
		],
		[
			"a manifest's track that isn't there",
			made(told(manifest, "../media/audio.m4a", "../media/none.m4a")),
			"media/none.m4a",
			"isn't there",
		],
		["a manifest's index beyond its track", made(told(manifest, "100-143", "100-1000")), file, "100 to 1001"],
		["a manifest's range backwards", made(told(manifest, "0-99", "99-0")), manifest, "byte range"],
		[
			"a manifest's rendition that nobody asked for",
			made(told(manifest, 'width="1280"', 'width="9999"')),
			manifest,
			"which nobody asked for",
		],
		[
			"a manifest that lasts a billion seconds",
			made(told(manifest, "PT4.000S", "PT1000000000S")),
			manifest,
			"where seconds belong",
		],
		[
			"a manifest that lasts longer than the video",
			made(told(manifest, "PT4.000S", "PT40.000S")),
			manifest,
			"lasts 40 s",
		],
		["a manifest that lasts months", made(told(manifest, "PT4.000S", "P1M")), manifest, "where seconds belong"],
		[
			"a storyboard whose sheet isn't there",
			made(honest, { "storyboard/00001.jpg": undefined }),
			"storyboard/00001.jpg",
			"isn't there",
		],
	] as [string, MadeOutputs, string, string][])("%s", async (_, outputs, missing, why) => {
		const [message, paths] = await saidOf(outputs);
		expect(paths).toEqual([missing]);
		expect(message).toContain(why);
	});
});

describe("of what a worker says it measured is refused", () => {
	const record = { plan, max_duration_seconds: 180, session_id: null };
	const check = (more: Partial<typeof media> = {}, made: unknown[] = renditions) =>
		checkMedia(record, { media: { ...media, ...more }, outputs: { files: [], renditions: made as typeof renditions } });
	const rendition = renditions[0] as (typeof renditions)[0];
	it("nothing that is within the job's limits", () => {
		check({ duration_seconds: 181 });
		check({ width: 7680, height: 4320 });
		check({}, [{ ...rendition, width: 720, height: 1280 }]);
		check({}, [{ ...rendition, name: "h264_360", width: 640, height: 360 }]);
	});
	it.each([
		["a duration of a billion seconds", () => check({ duration_seconds: 1e9 })],
		["one of more than a second over the job's", () => check({ duration_seconds: 181.1 })],
		["none at all", () => check({ duration_seconds: 0 })],
		["one that is no number", () => check({ duration_seconds: Number.NaN })],
		["a picture that nothing could decode", () => check({ width: 1_000_000, height: 1_000_000 })],
		["a rendition twice", () => check({}, [rendition, rendition])],
		["one of a codec that its name doesn't say", () => check({}, [{ ...rendition, name: "av1_720" }])],
		["one that is larger than what was asked for", () => check({}, [{ ...rendition, width: 1920, height: 1080 }])],
		["one that is wider", () => check({}, [{ ...rendition, width: 1282 }])],
		["one without a picture", () => check({}, [{ ...rendition, height: 0 }])],
		["a bitrate below nothing", () => check({}, [{ ...rendition, bitrate: -1 }])],
		["a bitrate of a petabit", () => check({}, [{ ...rendition, bitrate: 1e15 }])],
	])("%s", (_, work) => {
		expect(work).toThrow(expect.objectContaining({ code: "validation_error" }));
	});
});

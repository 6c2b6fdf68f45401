import { expect, it } from "vitest";
import { readChapters } from "../src/chapters.ts";
import { readMasterPlaylist, readMediaPlaylist } from "../src/master-playlist.ts";
import { readStoryboard } from "../src/storyboard.ts";

const master = `#EXTM3U
#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="captions",NAME="Deutsch, laut",LANGUAGE="de",URI="captions.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=5000000,AVERAGE-BANDWIDTH=4000000,CODECS="avc1.640028,mp4a.40.2",RESOLUTION=1920x1080
h264_1080.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=2000000,AVERAGE-BANDWIDTH=1000000,CODECS="avc1.64001F,mp4a.40.2",RESOLUTION=1280x720
h264_720.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=1000000,CODECS="av01.0.05M.08,mp4a.40.2",RESOLUTION=1280x720
av1_720.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=130000,CODECS="mp4a.40.2",AUDIO="audio"
audio.m3u8
#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=90000,CODECS="avc1.64001F",RESOLUTION=1280x720,URI="h264_720_iframes.m3u8"
`;
const url = "https://video.example.com/videos/1/hls/master.m3u8";

it("reads the levels of one codec from small to large, and the captions that are a choice", () => {
	const { levels, captions } = readMasterPlaylist(master, url, "h264");
	expect(levels.map(({ height, bitrate }) => [height, bitrate])).toEqual([
		[720, 2_000_000],
		[1080, 5_000_000],
	]);
	expect(levels[0]).toMatchObject({
		videoCodec: "avc1.64001F",
		url: "https://video.example.com/videos/1/hls/h264_720.m3u8",
	});
	expect(captions).toEqual([{ language: "de", label: "Deutsch, laut", url: new URL("captions.m3u8", url).href }]);
	const unknown = master.replace('LANGUAGE="de"', 'LANGUAGE="und"');
	expect(readMasterPlaylist(unknown, url, "h264").captions[0]?.language).toBe("");
	const forced = master.replace('LANGUAGE="de"', 'FORCED=YES,LANGUAGE="de"');
	expect(readMasterPlaylist(forced, url, "h264").captions).toEqual([]);
	expect(readMasterPlaylist(master, url, undefined).levels).toHaveLength(3);
	const twice = master.replace(
		"BANDWIDTH=130000",
		'BANDWIDTH=5256000,CODECS="avc1.640028,mp4a.40.2",RESOLUTION=1920x1080,AUDIO="audio_5_1"\nh264_1080.m3u8\n#EXT-X-STREAM-INF:BANDWIDTH=130000',
	);
	expect(readMasterPlaylist(twice, url, "h264").levels, "each is there once, with stereo").toEqual(levels);
});

it("reads the file of a media playlist and the seconds of the part that it got", () => {
	const text =
		'#EXTM3U\n#EXT-X-MAP:URI="../media/h264_720.mp4",BYTERANGE="800@0"\n#EXTINF:2.000000,\n#EXT-X-BYTERANGE:9@900\n../media/h264_720.mp4\n#EXTINF:1.5,\n#EXT-X-BYT';
	expect(readMediaPlaylist(text, url)).toEqual({
		file: "https://video.example.com/videos/1/media/h264_720.mp4",
		seconds: 3.5,
	});
	expect(readMediaPlaylist("no playlist", url)).toEqual({ file: "", seconds: 0 });
});

it("reads the pictures of a storyboard, and leaves out a cue that names none", () => {
	const text =
		"WEBVTT\r\n\r\n00:00:00.000 --> 00:00:02.500\r\nstoryboard/00001.jpg#xywh=0,90,160,90\r\n\r\n01:00:00.000 --> 01:00:02.000\r\njust text\r\n";
	expect(readStoryboard(text)).toEqual([
		{ from: 0, to: 2.5, image: "storyboard/00001.jpg", x: 0, y: 90, width: 160, height: 90 },
	]);
});

it("reads chapters: when each begins, and its title as it was", () => {
	const text =
		"WEBVTT\n\n00:00:00.000 --> 00:01:01.500\nQ &amp; A &lt;1&gt; &amp;lt;\n\n00:01:01.500 --> 01:00:00.000\n2\n";
	expect(readChapters(text)).toEqual([
		{ title: "Q & A <1> &lt;", start: 0 },
		{ title: "2", start: 61.5 },
	]);
});

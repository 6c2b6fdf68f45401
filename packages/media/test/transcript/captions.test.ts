import { captionsPlaylist } from "@reelmill/contracts/captions";
import { expect, it } from "vitest";
import { WebVTTParser } from "webvtt-parser";
import { heardTrack } from "../../src/package/caption-track.ts";
import { masterPlaylist } from "../../src/package/hls.ts";
import { showableCues, webVtt } from "../../src/transcript/captions.ts";

const written = async (cues: Parameters<typeof webVtt>[0]) => (await Array.fromAsync(webVtt(cues))).join("");
const cue = (startSeconds: number, endSeconds: number, text: string) => ({ startSeconds, endSeconds, text });

it("writes what an independent parser reads back, whatever the text holds", async () => {
	const texts = [
		"a --> b",
		"<b>bold</b> & <i>more",
		"one\n\ntwo\r\nthree\0",
		"NOTE this",
		"WEBVTT",
		"Grüße, 你好 👋",
		"&amp; as said",
	];
	const shown = await showableCues(
		texts.map((text, n) => cue(n, n + 1, text)),
		7300,
	);
	const { cues, errors } = new WebVTTParser().parse(await written(shown), "captions");
	expect(errors).toEqual([]);
	const read = cues.map(({ text }) => text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&"));
	expect(read).toEqual([
		"a --> b",
		"<b>bold</b> & <i>more",
		"one two three",
		"NOTE this",
		"WEBVTT",
		"Grüße, 你好 👋",
		"&amp; as said",
	]);
});

it("writes times of more than an hour", async () => {
	const { cues, errors } = new WebVTTParser().parse(await written([cue(3725.0404, 3726.9996, "late")]), "captions");
	expect(errors).toEqual([]);
	expect(cues[0]).toMatchObject({ startTime: 3725.04, endTime: 3727 });
});

it("puts cues in order, keeps them within the video, and drops those without text or length", async () => {
	const cues = [
		cue(4, 9, "end"),
		cue(-1, 2, "  start "),
		cue(1, 1, "no time"),
		cue(2, 3, " \n"),
		cue(6, 7, "too late"),
	];
	expect(await showableCues(cues, 5)).toEqual([cue(0, 2, "start"), cue(4, 5, "end")]);
});

it("takes sounds in brackets for no speech, and shows them beside speech", async () => {
	const sounds = [cue(0, 1, "[BLANK_AUDIO]"), cue(1, 2, "(soft music)"), cue(2, 3, "♪ *applause* ♪"), cue(3, 4, "...")];
	expect(await showableCues(sounds, 10)).toEqual([]);
	expect(await showableCues([...sounds, cue(4, 5, "Hello")], 10)).toHaveLength(5);
});

it("says of captions whose language isn't known that it isn't", () => {
	const master = masterPlaylist([], [], 25, { captions: [heardTrack(null)] });
	expect(master).toContain('NAME="Captions",LANGUAGE="und"');
});

it("names captions and sound in their own language", () => {
	const track = {
		...{ name: "audio", codecs: "mp4a.40.2", width: 0, height: 0, channels: 2, sampleRate: 48_000, bytes: 20 },
		...{ seconds: 1, initialisation: { offset: 0, length: 5 }, index: { offset: 5, length: 5 } },
		segments: [{ offset: 10, length: 10, startSeconds: 0, seconds: 1 }],
	};
	const sounds = [{ track, index: 1, channels: 2 as const, language: null, title: null }];
	const media = (language: string | null) =>
		masterPlaylist([], sounds, 25, { captions: [heardTrack(language)] })
			.split("\n")
			.filter((line) => line.startsWith("#EXT-X-MEDIA"));
	expect(media("de")).toEqual([
		expect.stringContaining('TYPE=AUDIO,GROUP-ID="audio",NAME="Deutsch",LANGUAGE="de"'),
		expect.stringContaining('TYPE=SUBTITLES,GROUP-ID="captions",NAME="Deutsch",LANGUAGE="de"'),
	]);
	expect(media(null)).toEqual([
		expect.stringContaining('NAME="Audio",LANGUAGE="und"'),
		expect.stringContaining('NAME="Captions",LANGUAGE="und"'),
	]);
	expect(masterPlaylist([], sounds, 25)).toContain('NAME="Audio",LANGUAGE="und",DEFAULT=YES,AUTOSELECT=YES');
});

it("gives a caption playlist's target as the standard has it: the rounded length", () => {
	expect(captionsPlaylist(0.3, "a.vtt")).toContain("#EXT-X-TARGETDURATION:1\n");
	expect(captionsPlaylist(7.6, "a.vtt")).toContain("#EXT-X-TARGETDURATION:8\n");
});

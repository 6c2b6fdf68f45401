import { expect, it } from "vitest";
import type { Track } from "../../src/mp4/track.ts";
import { type CaptionTrack, heardTrack } from "../../src/package/caption-track.ts";
import { dashManifest } from "../../src/package/dash.ts";
import { masterPlaylist } from "../../src/package/hls.ts";
import { type HeardTrack, nameSounds } from "../../src/package/name-sounds.ts";

const trackOf = (name: string, codecs: string, bytes: number): Track => ({
	...{ name, codecs, width: 320, height: 180, channels: 2, sampleRate: 48_000, bytes, seconds: 2 },
	...{ initialisation: { offset: 0, length: 900 }, index: { offset: 900, length: 100 } },
	segments: [{ offset: 1000, length: bytes, startSeconds: 0, seconds: 2 }],
});
const sound = (name: string, index: number, of: Partial<HeardTrack> = {}): HeardTrack => ({
	...{ track: trackOf(name, "mp4a.40.2", of.channels === 6 ? 4000 : 1000), index, channels: 2 },
	...{ language: null, title: null },
	...of,
});
const picture = trackOf("h264_180", "avc1.64000C", 10_000);
const many = [
	sound("audio", 1, { language: "en", title: "Original" }),
	sound("audio_2", 2, { language: "de", channels: 1 }),
	sound("audio_5_1", 1, { language: "en", title: "Original", channels: 6 }),
];
const linesOf = (text: string, start: string) => text.split("\n").filter((line) => line.startsWith(start));

it("names each track of the source once, by its title or in its language", () => {
	const named = nameSounds(
		[
			...[sound("audio", 1), sound("audio_2", 2), sound("audio_3", 3, { language: "de" })],
			...[sound("audio_4", 4, { language: "de" }), sound("audio_5_1", 1, { channels: 6 })],
		],
		"de",
	);
	expect(named.map(({ name, isDefault, isAutomatic }) => [name, isDefault, isAutomatic])).toEqual([
		["Deutsch", true, true],
		["Audio", false, false],
		["Deutsch 2", false, false],
		["Deutsch 3", false, false],
		["Deutsch", true, true],
	]);
});

const kinds = [
	sound("audio", 2, { language: "de" }),
	sound("audio_2", 1, { language: "de", kind: "description" }),
	sound("audio_3", 3, { language: "de", kind: "description", title: "Hörfilm" }),
	sound("audio_4", 4, { kind: "commentary", language: "en" }),
	sound("audio_5", 5, { kind: "clear_speech", language: "de" }),
	sound("audio_6", 6, { kind: "effects", language: "de" }),
];

it("a master playlist says what a sound is for, and lets devices choose what their users need", () => {
	const lines = linesOf(masterPlaylist([picture], kinds, 10), "#EXT-X-MEDIA");
	const of = (pattern: RegExp) => lines.map((line) => pattern.exec(line)?.[1]);
	expect(of(/NAME="([^"]+)"/)).toEqual([
		...["Deutsch", "Deutsch (audio description)", "Hörfilm", "English (commentary)"],
		...["Deutsch (clear speech)", "Deutsch (without speech)"],
	]);
	expect(of(/DEFAULT=(\w+)/)).toEqual(["YES", "NO", "NO", "NO", "NO", "NO"]);
	expect(of(/AUTOSELECT=(\w+)/)).toEqual(["YES", "YES", "NO", "NO", "YES", "NO"]);
	expect(of(/CHARACTERISTICS="([^"]+)"/)).toEqual([
		undefined,
		"public.accessibility.describes-video",
		"public.accessibility.describes-video",
		"public.auxiliary-content",
		"public.accessibility.enhances-speech-intelligibility",
		undefined,
	]);
});

it("a manifest says what a sound is for", () => {
	const manifest = dashManifest([picture], kinds, { numerator: 10, denominator: 1 }, ({ name }) => name);
	const sets = manifest.split("<AdaptationSet ").filter((set) => set.startsWith('contentType="audio"'));
	const of = (pattern: RegExp) => sets.map((set) => [...set.matchAll(pattern)].map(([, value]) => value).join());
	expect(of(/role:2011" value="([\w-]+)"/g)).toEqual([
		...["main", "description", "description", "commentary", "enhanced-audio-intelligibility", "alternate"],
	]);
	expect(of(/AudioPurposeCS:2007" value="(\d)"/g)).toEqual(["", "1", "1", "", "2", ""]);
	expect(of(/selectionPriority="(\d)"/g)).toEqual(["2", "1", "1", "1", "1", "1"]);
	// The schema has this order.
	expect(manifest).toMatch(/<Label>.*\n *<Accessibility .*\n *<Role /);
});

it("a master playlist has a group of stereo for every device, and one of 5.1 with all tracks", () => {
	const master = masterPlaylist([picture], many, 10);
	expect(linesOf(master, "#EXT-X-MEDIA")).toEqual([
		'#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="Original",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2",URI="audio.m3u8"',
		'#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="Deutsch",LANGUAGE="de",DEFAULT=NO,AUTOSELECT=YES,CHANNELS="1",URI="audio_2.m3u8"',
		'#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio_5_1",NAME="Original",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="6",URI="audio_5_1.m3u8"',
		'#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio_5_1",NAME="Deutsch",LANGUAGE="de",DEFAULT=NO,AUTOSELECT=YES,CHANNELS="1",URI="audio_2.m3u8"',
	]);
	const variants = [...master.matchAll(/#EXT-X-STREAM-INF:BANDWIDTH=(\d+).*AUDIO="([^"]+)".*\n(.*)/g)];
	expect(variants.map(([, bits, group, uri]) => [bits, group, uri])).toEqual([
		["44000", "audio", "h264_180.m3u8"],
		["56000", "audio_5_1", "h264_180.m3u8"],
		["4000", "audio", "audio.m3u8"],
	]);
});

it("a manifest has an adaptation set for each sound, and players begin with the stereo of the first", () => {
	const manifest = dashManifest([picture], many, { numerator: 10, denominator: 1 }, ({ name }) => name);
	const sets = manifest.split("<AdaptationSet ").filter((set) => set.startsWith('contentType="audio"'));
	const of = (pattern: RegExp) => sets.map((set) => pattern.exec(set)?.[1]);
	expect(of(/<Label>(.*)<\/Label>/)).toEqual(["Original", "Deutsch", "Original"]);
	expect(of(/lang="(.*?)"/)).toEqual(["en", "de", "en"]);
	expect(of(/selectionPriority="(\d)"/)).toEqual(["2", "1", "1"]);
	expect(of(/role:2011" value="(\w+)"/)).toEqual(["main", "alternate", "main"]);
	expect(of(/configuration:2011" value="(\d)"/)).toEqual(["2", "1", "6"]);
});

it("a manifest of one sound names only its title", () => {
	const [plain] = many;
	const manifest = (one: HeardTrack) =>
		dashManifest([picture], [one], { numerator: 10, denominator: 1 }, ({ name }) => name);
	expect(manifest(plain as HeardTrack)).toContain("<Label>Original</Label>");
	expect(manifest(sound("audio", 1))).not.toMatch(/Label|selectionPriority|Role/);
});

it("tells captions apart by their names, and says which a player may choose by itself", () => {
	const own = { ...heardTrack("de"), isHeard: false };
	const further = (path: string, of: Partial<CaptionTrack> = {}) => ({ ...own, path, isSpoken: false, ...of });
	const captions = [
		own,
		further("captions/2.vtt", { language: "en", title: "Full" }),
		further("captions/3.vtt", { language: "en" }),
		further("captions/4.vtt", { language: "en", isForced: true }),
		further("captions/5.vtt", { isSpoken: true, tellsSounds: true }),
	];
	const master = masterPlaylist([picture], [sound("audio", 1)], 10, { captions });
	const words = "public.accessibility.transcribes-spoken-dialog";
	expect(linesOf(master, "#EXT-X-MEDIA:TYPE=SUBTITLES").map((line) => line.split('GROUP-ID="captions",')[1])).toEqual([
		`NAME="Deutsch",LANGUAGE="de",DEFAULT=NO,AUTOSELECT=YES,FORCED=NO,CHARACTERISTICS="${words}",URI="captions.m3u8"`,
		'NAME="Full",LANGUAGE="en",DEFAULT=NO,AUTOSELECT=YES,FORCED=NO,URI="captions_2.m3u8"',
		'NAME="English",LANGUAGE="en",DEFAULT=NO,AUTOSELECT=NO,FORCED=NO,URI="captions_3.m3u8"',
		'NAME="English 2",LANGUAGE="en",DEFAULT=NO,AUTOSELECT=YES,FORCED=YES,URI="captions_4.m3u8"',
		`NAME="Deutsch 2",LANGUAGE="de",DEFAULT=NO,AUTOSELECT=YES,FORCED=NO,CHARACTERISTICS="${words},public.accessibility.describes-music-and-sound",URI="captions_5.m3u8"`,
	]);
	expect(linesOf(master, "#EXT-X-MEDIA:TYPE=AUDIO")[0], "a source's words don't tell the sound's language").toContain(
		'LANGUAGE="und"',
	);
	for (const line of linesOf(master, "#EXT-X-STREAM-INF")) expect(line).toContain("CLOSED-CAPTIONS=NONE");
	const files = captions.map((track) => ({ ...track, uri: `../${track.path}`, bytes: 10 }));
	const manifest = dashManifest([picture], [], { numerator: 10, denominator: 1 }, () => "", { captions: files });
	const sets = [...manifest.matchAll(/text\/vtt" lang="(\w+)">\s+<Label>(.*)<\/Label>\s+<Role .*value="([\w-]+)"\/>/g)];
	expect(sets.map(([, ...set]) => set)).toEqual([
		["de", "Deutsch", "caption"],
		["en", "Full", "subtitle"],
		["en", "English", "subtitle"],
		["en", "English 2", "forced-subtitle"],
		["de", "Deutsch 2", "caption"],
	]);
});

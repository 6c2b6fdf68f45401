import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import type { Decision, SourceAudio } from "../../src/index.ts";
import { planSounds } from "../../src/plan/plan-sounds.ts";
import { limiter } from "../../src/plan/sound-filters.ts";
import { cleanTitle, languageTag } from "../../src/source/tags.ts";

const track = (index: number, of: Partial<SourceAudio> = {}): SourceAudio => ({
	...{ index, codec: "aac", channels: 2, sampleRate: 48_000, language: null, title: null },
	...{ startSeconds: 0, endSeconds: 10 },
	...of,
});
function plan(all: readonly SourceAudio[], isStreamed = true) {
	const [audio = null, ...furtherAudio] = all;
	const decisions: string[] = [];
	const decide = ({ about, decision }: Decision) => void decisions.push(`${about}: ${decision}`);
	const options = { durationSeconds: 10, earlier: 0, isStreamed };
	return { ...planSounds({ audio, furtherAudio }, options, decide), decisions };
}
const made = (tracks: readonly SourceAudio[], isStreamed = true) =>
	plan(tracks, isStreamed).sounds.map(({ name, channels, bitrate }) => `${name} ${channels} ${bitrate}`);

describe("the sounds of a source", () => {
	it("have bits by their channels", () => {
		expect(made([track(1, { channels: 1 })])).toEqual(["audio 1 96000"]);
		expect(made([track(1)])).toEqual(["audio 2 128000"]);
		expect(made([track(1, { channels: 5 })])).toEqual(["audio 2 128000"]);
		expect(made([track(1, { channels: 6 })])).toEqual(["audio 2 128000", "audio_5_1 6 384000"]);
		expect(made([track(1, { channels: 8 })])).toEqual(["audio 2 128000", "audio_5_1 6 384000"]);
		expect(made([track(1, { channels: 12, unmixable: "unknown" })])).toEqual(["audio 2 128000"]);
	});

	it("are four at most, and the report names all tracks of the source", () => {
		const titles = ["a", "b", "c", "d", "e"];
		const { sounds, tracks, decisions } = plan(titles.map((title, n) => track(n + 1, { title, channels: 6 })));
		expect(sounds.map(({ name }) => name)).toEqual([
			...["audio", "audio_2", "audio_3", "audio_4"],
			...["audio_5_1", "audio_2_5_1", "audio_3_5_1", "audio_4_5_1"],
		]);
		expect(tracks.map(({ title, outputs }) => [title, outputs])).toEqual([
			["a", ["audio", "audio_5_1"]],
			["b", ["audio_2", "audio_2_5_1"]],
			["c", ["audio_3", "audio_3_5_1"]],
			["d", ["audio_4", "audio_4_5_1"]],
			["e", []],
		]);
		expect(decisions).toContain("sound: left out: stream 5 (e)");
	});

	it("keep what they are for, and the report says why another track than the first plays", () => {
		const described = track(1, { kind: "description" });
		const { sounds, tracks, decisions } = plan([track(2), described]);
		expect(sounds.map(({ name, index, kind }) => [name, index, kind])).toEqual([
			["audio", 2, undefined],
			["audio_2", 1, "description"],
		]);
		expect(tracks.map(({ kind }) => kind)).toEqual([undefined, "description"]);
		expect(decisions).toContain("sound: stream 2 plays by default");
	});

	it("have the channels that were chosen of those that a track has in turn", () => {
		const channelRuns = [2, 6].map((channels, n) => ({ fromSeconds: n, channels }));
		const { sounds, decisions } = plan([track(1, { channels: 6, channelRuns })]);
		expect(sounds.map(({ channels }) => channels)).toEqual([2, 6]);
		expect(decisions).toContain("channels: as of 6 throughout");
	});

	it("are the one that plays by default if nothing is streamed: web.mp4 has no other", () => {
		expect(made([track(1, { channels: 6 }), track(2)], false)).toEqual(["audio 2 128000"]);
		expect(plan([track(1), track(2)], false).tracks.map(({ outputs }) => outputs)).toEqual([["audio"], []]);
	});

	it("have the language that the file says, but a lone track needn't be English", () => {
		const languages = (...tags: (string | null)[]) =>
			plan(tags.map((language, n) => track(n + 1, { language }))).sounds.map(({ language }) => language);
		expect(languages("de")).toEqual(["de"]);
		expect(languages("en")).toEqual([null]);
		expect(languages("en", "fr")).toEqual(["en", "fr"]);
	});
});

it.each([
	["eng", "en"],
	["ger", "de"],
	["deu", "de"],
	["pt-br", "pt-BR"],
	["gsw", "gsw"],
	["und", null],
	["mul", null],
	["", null],
	["Deutsch", null],
	['"', null],
	[undefined, null],
])("the language %j is the tag %j", (said, tag) => {
	expect(languageTag(said)).toBe(tag);
});

it.each([
	["Director's cut", "Director's cut"],
	['a\n#EXT-X-MEDIA:"x"', "a #EXT-X-MEDIA: x"],
	["<b>&amp;</b>", "b amp; /b"],
	["\u202Eabc\0", "abc"],
	["🎧".repeat(100), "🎧".repeat(60)],
	[" \t ", null],
	[undefined, null],
])("the title %j is kept as %j", (said, title) => {
	expect(cleanTitle(said)).toBe(title);
});

describe("the limiter", () => {
	/** Returns the true peak in dB over full scale, and the loudness. */
	async function measure(volume: number, filters: readonly string[]): Promise<{ peak: number; loudness: number }> {
		// A quarter of the rate, between its samples the wave is 3 dB higher than at them.
		const tone = `aevalsrc='sin(2*PI*12000*t+PI/4)*(0.5+0.5*sin(2*PI*3*t))':s=48000:d=2,volume=${volume}dB`;
		const chain = [tone, "aformat=sample_fmts=fltp", ...filters, "ebur128=peak=true:framelog=verbose"].join(",");
		const args = ["-hide_banner", "-nostats", "-f", "lavfi", "-i", chain, "-f", "null", "-"];
		const { stderr } = await promisify(execFile)("ffmpeg", args);
		const number = (pattern: RegExp) => Number(pattern.exec(stderr.slice(stderr.lastIndexOf("Summary:")))?.[1]);
		return { peak: number(/Peak: +(-?[\d.]+) dBFS/), loudness: number(/I: +(-?[\d.]+) LUFS/) };
	}

	it("holds true peaks at -1 dBTP, also those between two samples", async () => {
		expect((await measure(3, [])).peak).toBeGreaterThan(2.5);
		const { peak } = await measure(3, limiter);
		expect(peak).toBeLessThanOrEqual(-0.9);
		expect(peak).toBeGreaterThan(-1.3);
	});

	it("changes nothing below", async () => {
		expect(await measure(-2, limiter)).toEqual(await measure(-2, []));
	});
});

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { captionsName, captionsPlaylist } from "@reelmill/contracts/captions";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readListing } from "../../src/cut/read-listing.ts";
import type { Track } from "../../src/mp4/track.ts";
import type { CaptionTrack } from "../../src/package/caption-track.ts";
import { dashManifest } from "../../src/package/dash.ts";
import { masterPlaylist } from "../../src/package/hls.ts";
import { type Folder, openFolder } from "../support/sources.ts";

let folder: Folder;
beforeAll(async () => {
	folder = await openFolder();
});
afterAll(() => folder.close());
const read = (file: string) => readFile(join(folder.folder, file), "utf8");

const range = { offset: 0, length: 1 };
const track = (name: string, channels: number): Track => ({
	...{ name, channels, codecs: channels > 0 ? "mp4a.40.2" : "avc1.64001F", width: 0, height: 0, sampleRate: 48_000 },
	...{ bytes: 1, seconds: 2, initialisation: range, index: range },
	segments: [{ ...range, startSeconds: 0, seconds: 2 }],
});
const sounds = [
	{ name: "audio", index: 0, channels: 2 as const, language: "de", title: null },
	{ name: "audio_2", index: 1, channels: 1 as const, language: null, title: "Director", kind: "commentary" as const },
	{ name: "audio_5_1", index: 0, channels: 6 as const, language: "de", title: null },
];
const captions: CaptionTrack[] = [
	{
		...{ path: "transcript.vtt", language: "de", title: null },
		...{ isHeard: false, isSpoken: true, tellsSounds: false, isForced: false },
	},
	{
		...{ path: "captions/en.vtt", language: "en", title: "Signs" },
		...{ isHeard: false, isSpoken: false, tellsSounds: false, isForced: true },
	},
];
const heard = sounds.map(({ name, ...sound }) => ({ ...sound, track: track(name, sound.channels) }));

it("reads sounds and captions as the playlists or the manifest name them, so that they are named alike again", async () => {
	const files = new Map([
		["hls/master.m3u8", masterPlaylist([track("h264_720", 0)], heard, 30, { captions })],
		...captions.map((one) => [`hls/${captionsName(one)}`, captionsPlaylist(2, `../${one.path}`)] as const),
		[
			"dash/manifest.mpd",
			dashManifest(
				[track("h264_720", 0)],
				heard,
				{ numerator: 30, denominator: 1 },
				({ name }) => `../media/${name}.m4a`,
				{
					captions: captions.map((one) => ({ ...one, uri: `../${one.path}`, bytes: 1 })),
				},
			),
		],
	]);
	for (const [file, text] of files) {
		await mkdir(join(folder.folder, file, ".."), { recursive: true });
		await writeFile(join(folder.folder, file), text);
	}
	const media = [...sounds.map(({ name }) => `media/${name}.m4a`), ...captions.map(({ path }) => path)];
	expect(await readListing(read, [...files.keys(), ...media])).toEqual({ sounds, captions });
	expect(await readListing(read, ["dash/manifest.mpd", ...media])).toEqual({ sounds, captions });
	// No address leads out of the outputs.
	expect(await readListing(read, [...files.keys()])).toEqual({ sounds: [], captions: [] });
});

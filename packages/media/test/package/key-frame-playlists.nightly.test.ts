import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Parser } from "m3u8-parser";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { onlyKeyFrames } from "../../src/mp4/key-frames.ts";
import { readTrack } from "../../src/mp4/track.ts";
import { expectKeyFramePlaylists } from "../support/key-frame-playlists.ts";
import { made } from "../support/made.ts";
import { type Folder, openFolder } from "../support/sources.ts";

let folder: Folder;
beforeAll(async () => {
	folder = await openFolder();
});
afterAll(() => folder.close());

describe("of each variant there is a playlist of its key frames", () => {
	it("whose every range decodes to the very picture: 30000/1001 frames a second", async () => {
		await expectKeyFramePlaylists(await made("a small clip"), 2, folder.path("alone.mp4"));
	});

	it("which a second parser finds in the master playlist, and doesn't take for variants", async () => {
		const { directory } = await made("a small clip");
		const parser = new Parser();
		parser.push(await readFile(join(directory, "hls/master.m3u8"), "utf8"));
		parser.end();
		const { playlists, iFramePlaylists } = parser.manifest;
		expect(playlists?.map(({ uri }) => uri)).toEqual(["h264_90.m3u8", "av1_90.m3u8", "audio.m3u8"]);
		expect(iFramePlaylists?.map(({ uri }) => uri)).toEqual(["h264_90_iframes.m3u8", "av1_90_iframes.m3u8"]);
	});
});

it("refuses a track whose fragments don't say where their pictures are", async () => {
	const { directory } = await made("a small clip");
	const track = await readTrack(join(directory, "media/h264_90.mp4"), "h264_90");
	const path = folder.path("track.mp4");
	const [first] = track.segments;
	const bytes = await readFile(join(directory, "media/h264_90.mp4"));
	const moof = first?.offset ?? 0;
	const damaged = async (change: (bytes: Buffer) => void) => {
		const copy = Buffer.from(bytes);
		change(copy);
		await writeFile(path, copy);
		return onlyKeyFrames(track, path);
	};
	await expect(damaged((copy) => copy.write("free", moof + 4, "latin1"))).rejects.toThrow(
		`h264_90 has no fragment at ${moof}.`,
	);
	for (const box of ["traf", "tfhd", "trun"]) {
		const lost = damaged((copy) => copy.write("free", copy.indexOf(box, moof, "latin1"), "latin1"));
		await expect(lost, box).rejects.toThrow("doesn't say where its first picture is");
	}
	// The offset and the sizes are in the flags' lowest bytes.
	const unflagged = damaged((copy) => copy.writeUInt32BE(0, copy.indexOf("trun", moof, "latin1") + 4));
	await expect(unflagged).rejects.toThrow("doesn't say where its first picture is");
});

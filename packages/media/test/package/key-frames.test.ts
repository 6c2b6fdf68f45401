import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as hls from "hls-parser";
import { Parser } from "m3u8-parser";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { processVideo } from "../../src/index.ts";
import { onlyKeyFrames } from "../../src/mp4/key-frames.ts";
import { readTrack } from "../../src/mp4/track.ts";
import { codecsOf, ratesOf } from "../support/playlists.ts";
import { type Folder, job, openFolder, program, tools } from "../support/sources.ts";

let folder: Folder;
beforeAll(async () => {
	folder = await openFolder();
});
afterAll(() => folder.close());

/** The hashes of the pictures that a file shows, or of its key frames alone. */
async function hashesOf(path: string, ...filters: string[]): Promise<string[]> {
	const said = await program("ffmpeg", "-i", path, "-map", "0:v", ...filters, "-f", "framemd5", "-");
	return said.split("\n").flatMap((line) => (line.startsWith("0,") ? [line.split(",").at(-1)?.trim() ?? ""] : []));
}

describe("of each variant there is a playlist of its key frames", () => {
	it.each([
		["30000/1001 frames a second", { rate: "30000/1001", seconds: 5 }, 3],
		["one picture", { args: ["-frames:v", "1"], sound: false }, 1],
		["a clip that is shorter than a segment, without sound", { seconds: 0.7, sound: false }, 1],
	])("whose every range decodes to the very picture: %s", async (name, kind, pictures) => {
		const directory = folder.outputs();
		const made = await processVideo({
			source: await folder.source(`${name.replaceAll(/\W/g, "-")}.mp4`, kind),
			directory,
			tools,
			job: job(["h264_720", "av1_720"]),
		});
		const text = (file: string) => readFile(join(directory, "hls", file), "utf8");
		const { variants } = hls.parse(await text("master.m3u8")) as hls.types.MasterPlaylist;
		const usual = variants.filter((one) => one.resolution && !one.isIFrameOnly);
		const still = variants.filter((one) => one.isIFrameOnly);
		expect(still.map(({ uri }) => uri)).toEqual(usual.map(({ uri }) => uri.replace(".m3u8", "_iframes.m3u8")));
		for (const { uri, ...variant } of still) {
			expect(made.files).toContain(`hls/${uri}`);
			const path = join(directory, "media", uri.replace("_iframes.m3u8", ".mp4"));
			const playlist = hls.parse(await text(uri)) as hls.types.MediaPlaylist;
			const full = hls.parse(await text(uri.replace("_iframes", ""))) as hls.types.MediaPlaylist;
			expect(playlist.isIFrame).toBe(true);
			expect(playlist.segments.map(({ duration }) => duration)).toEqual(full.segments.map(({ duration }) => duration));
			expect(playlist.segments).toHaveLength(pictures);

			const bytes = await readFile(path);
			const part = ({ offset, length }: { offset: number; length: number }) => bytes.subarray(offset, offset + length);
			const shown: string[] = [];
			for (const [n, { byterange, map }] of playlist.segments.entries()) {
				if (!map?.byterange) throw new Error("There is no header");
				expect(byterange.offset).toBe(full.segments[n]?.byterange.offset);
				expect(byterange.length).toBeLessThanOrEqual(full.segments[n]?.byterange.length ?? 0);
				const alone = folder.path("alone.mp4");
				await writeFile(alone, Buffer.concat([part(map.byterange), part(byterange)]));
				shown.push(...(await hashesOf(alone, "-frames:v", "1")));
			}
			expect(shown).toEqual(await hashesOf(path, "-vf", "select=key", "-fps_mode", "passthrough"));

			expect(variant.codecs).toBe(await codecsOf(path));
			expect(variant.resolution).toEqual(
				usual.find((one) => one.codecs?.startsWith(variant.codecs ?? "-"))?.resolution,
			);
			expect(variant.bandwidth).toBe(ratesOf(playlist).peak);
			expect(variant.averageBandwidth).toBe(ratesOf(playlist).average);
		}
	});

	it("which a second parser finds in the master playlist, and doesn't take for variants", async () => {
		const directory = folder.outputs();
		const source = await folder.source("parsed.mp4");
		await processVideo({ source, directory, tools, job: job(["h264_720"]) });
		const parser = new Parser();
		parser.push(await readFile(join(directory, "hls/master.m3u8"), "utf8"));
		parser.end();
		expect(parser.manifest.playlists?.map(({ uri }) => uri)).toEqual(["h264_180.m3u8", "audio.m3u8"]);
		expect(parser.manifest.iFramePlaylists?.map(({ uri }) => uri)).toEqual(["h264_180_iframes.m3u8"]);
	});
});

it("refuses a track whose fragments don't say where their pictures are", async () => {
	const directory = folder.outputs();
	const source = await folder.source("refused.mp4", { sound: false });
	await processVideo({ source, directory, tools, job: job() });
	const path = join(directory, "media/h264_180.mp4");
	const track = await readTrack(path, "h264_180");
	const [first] = track.segments;
	const bytes = await readFile(path);
	const moof = first?.offset ?? 0;
	const damaged = async (change: (bytes: Buffer) => void) => {
		const copy = Buffer.from(bytes);
		change(copy);
		await writeFile(path, copy);
		return onlyKeyFrames(track, path);
	};
	await expect(damaged((copy) => copy.write("free", moof + 4, "latin1"))).rejects.toThrow(
		`h264_180 has no fragment at ${moof}.`,
	);
	for (const box of ["traf", "tfhd", "trun"]) {
		const lost = damaged((copy) => copy.write("free", copy.indexOf(box, moof, "latin1"), "latin1"));
		await expect(lost, box).rejects.toThrow("doesn't say where its first picture is");
	}
	// The offset and the sizes are in the flags' lowest bytes.
	const unflagged = damaged((copy) => copy.writeUInt32BE(0, copy.indexOf("trun", moof, "latin1") + 4));
	await expect(unflagged).rejects.toThrow("doesn't say where its first picture is");
});

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as hls from "hls-parser";
import { expect } from "vitest";
import { codecsOf, ratesOf } from "./playlists.ts";
import { program } from "./sources.ts";

/** The hashes of the pictures that a file shows, or of its key frames alone. */
async function hashesOf(path: string, ...filters: string[]): Promise<string[]> {
	const said = await program("ffmpeg", "-i", path, "-map", "0:v", ...filters, "-f", "framemd5", "-");
	return said.split("\n").flatMap((line) => (line.startsWith("0,") ? [line.split(",").at(-1)?.trim() ?? ""] : []));
}

/**
 * Expects a playlist of key frames beside that of each variant, whose every range decodes to the very picture. `alone`
 * is a path to which it may write an MP4.
 */
export async function expectKeyFramePlaylists(
	{ directory, files }: { readonly directory: string; readonly files: readonly string[] },
	pictures: number,
	alone: string,
): Promise<void> {
	const text = (file: string) => readFile(join(directory, "hls", file), "utf8");
	const { variants } = hls.parse(await text("master.m3u8")) as hls.types.MasterPlaylist;
	const usual = variants.filter((one) => one.resolution && !one.isIFrameOnly);
	const still = variants.filter((one) => one.isIFrameOnly);
	expect(still.map(({ uri }) => uri)).toEqual(usual.map(({ uri }) => uri.replace(".m3u8", "_iframes.m3u8")));
	for (const { uri, ...variant } of still) {
		expect(files).toContain(`hls/${uri}`);
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
			await writeFile(alone, Buffer.concat([part(map.byterange), part(byterange)]));
			shown.push(...(await hashesOf(alone, "-frames:v", "1")));
		}
		expect(shown).toEqual(await hashesOf(path, "-vf", "select=key", "-fps_mode", "passthrough"));

		expect(variant.codecs).toBe(await codecsOf(path));
		expect(variant.resolution).toEqual(usual.find((one) => one.codecs?.startsWith(variant.codecs ?? "-"))?.resolution);
		expect(variant.bandwidth).toBe(ratesOf(playlist).peak);
		expect(variant.averageBandwidth).toBe(ratesOf(playlist).average);
	}
}

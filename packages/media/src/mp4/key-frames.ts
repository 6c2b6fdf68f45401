import { type FileHandle, open } from "node:fs/promises";
import { findBox } from "./boxes.ts";
import { readFragmentHeader } from "./fragments.ts";
import type { Segment, Track } from "./track.ts";

/**
 * Returns a finished track of pictures as its key frames alone: each segment ends behind its first picture. A segment
 * still begins with the fragment's header, which a player needs to decode the picture, and lasts until the next one.
 * @throws {Error} when the file has other fragments than ffmpeg writes
 */
export async function onlyKeyFrames(track: Track, path: string): Promise<Track> {
	const file = await open(path);
	try {
		const segments: Segment[] = [];
		for (const segment of track.segments)
			segments.push({ ...segment, length: await keyFrameEnd(file, segment, track.name) });
		return { ...track, segments };
	} finally {
		await file.close();
	}
}

/** Returns how many bytes of a segment lead to the end of its first picture. */
async function keyFrameEnd(file: FileHandle, { offset, length }: Segment, name: string): Promise<number> {
	const fragment = await readFragmentHeader(file, offset);
	if (fragment === null || fragment.length > length) throw new Error(`${name} has no fragment at ${offset}.`);
	const traf = [{ type: "traf" }];
	const [defaults, run] = ["tfhd", "trun"].map((type) => findBox(fragment, [...traf, { type }]));
	const first = defaults && run ? firstSample(defaults, run) : null;
	if (first === null || first.offset + first.size > length)
		throw new Error(`The fragment of ${name} at ${offset} doesn't say where its first picture is.`);
	return first.offset + first.size;
}

/**
 * Returns the place of the first sample, counted from the fragment's first byte; `null` if the boxes don't say it. Each
 * field is there only if its flag is set (ISO/IEC 14496-12, sections 8.8.7 and 8.8.8).
 */
function firstSample(defaults: Buffer, run: Buffer): { readonly offset: number; readonly size: number } | null {
	const [flags, runFlags] = [defaults.readUInt32BE(0) & 0xffffff, run.readUInt32BE(0) & 0xffffff];
	const skip = (given: number, fields: Readonly<Record<number, number>>) =>
		Object.entries(fields).reduce((sum, [flag, bytes]) => sum + ((given & Number(flag)) === 0 ? 0 : bytes), 0);
	const isCountedFromFragment = (flags & 0x020000) !== 0;
	if (!isCountedFromFragment || (runFlags & 0x01) === 0) return null;
	const sizeAt = 12 + skip(runFlags, { 4: 4, 256: 4 });
	const defaultAt = 8 + skip(flags, { 1: 8, 2: 4, 8: 4 });
	const hasSize = (runFlags & 0x200) !== 0;
	if (!hasSize && (flags & 0x10) === 0) return null;
	return { offset: run.readInt32BE(8), size: hasSize ? run.readUInt32BE(sizeAt) : defaults.readUInt32BE(defaultAt) };
}

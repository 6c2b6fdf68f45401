import { open } from "node:fs/promises";
import { findBox, hiddenTicksOf, parseSegmentIndex, topLevelBoxes } from "./boxes.ts";
import { aacChannels, aacCodec, av1Codec, h264Codec } from "./codecs.ts";

export type ByteRange = { readonly offset: number; readonly length: number };
/** A segment of a track, at the time that its own header says. */
export type Segment = ByteRange & { readonly startSeconds: number; readonly seconds: number };

/** A finished CMAF file as its boxes describe it. */
export type Track = {
	readonly name: string;
	/** For CODECS, such as `avc1.64001F`. */
	readonly codecs: string;
	/** Pixels; 0 for a track of sound. */
	readonly width: number;
	readonly height: number;
	/** 0 for a track of pictures. */
	readonly channels: number;
	readonly sampleRate: number;
	readonly bytes: number;
	readonly seconds: number;
	readonly initialisation: ByteRange;
	readonly index: ByteRange;
	readonly segments: readonly Segment[];
};

/** Returns how many seconds the longest segment of these tracks lasts. */
export const longestSegment = (tracks: readonly Track[]): number =>
	Math.max(...tracks.map(({ segments }) => segments.reduce((longest, { seconds }) => Math.max(longest, seconds), 0)));

const descriptions = [
	{ type: "avc1", skip: 78, configuration: "avcC", codecs: h264Codec },
	{ type: "av01", skip: 78, configuration: "av1C", codecs: av1Codec },
	{ type: "mp4a", skip: 28, configuration: "esds", codecs: aacCodec },
] as const;

function describe(moov: Buffer): Pick<Track, "codecs" | "width" | "height" | "channels" | "sampleRate"> {
	const table = [{ type: "trak" }, { type: "mdia" }, { type: "minf" }, { type: "stbl" }, { type: "stsd", skip: 8 }];
	for (const { type, skip, configuration, codecs } of descriptions) {
		const entry = findBox(moov, [...table, { type, skip }]);
		const box = entry === null ? null : findBox(moov, [...table, { type, skip }, { type: configuration }]);
		if (entry === null || box === null) continue;
		const sound = type === "mp4a";
		return {
			codecs: codecs(box),
			width: sound ? 0 : entry.readUInt16BE(24),
			height: sound ? 0 : entry.readUInt16BE(26),
			channels: sound ? aacChannels(box) : 0,
			sampleRate: sound ? entry.readUInt16BE(24) : 0,
		};
	}
	throw new Error("The track's codec is not one that is made here.");
}

/**
 * Reads the boxes of a finished track.
 * @throws {Error} when the file is not one CMAF track with its index in front
 */
export async function readTrack(path: string, name: string): Promise<Track> {
	const file = await open(path);
	try {
		const { size } = await file.stat();
		const boxes = await topLevelBoxes(file, size, "sidx");
		const read = async (type: string) => {
			const box = boxes.find((candidate) => candidate.type === type);
			if (box === undefined) throw new Error(`${name} has no ${type} box.`);
			const bytes = Buffer.alloc(box.length - 8);
			await file.read(bytes, 0, bytes.length, box.offset + 8);
			return { box, bytes };
		};
		const moov = await read("moov");
		const sidx = await read("sidx");
		const { timescale, earliest, firstOffset, entries } = parseSegmentIndex(sidx.bytes);
		const shown = entries.reduce((sum, { duration }) => sum + duration, 0);
		// The index counts what is shown. Players that place segments by their headers know nothing of an edit list: what it
		// hides is in the first segment, so that the others begin when their headers say.
		const hidden = hiddenTicksOf(moov.bytes);
		const segments: Segment[] = [];
		let offset = sidx.box.offset + sidx.box.length + firstOffset;
		let [ticks, end] = [0, hidden];
		for (const { length, duration } of entries) {
			const start = Math.min(ticks, shown);
			end += duration;
			const seconds = (Math.min(end, shown) - start) / timescale;
			segments.push({ offset, length, startSeconds: (earliest + start) / timescale, seconds });
			offset += length;
			ticks = end;
		}
		if (offset > size) throw new Error(`${name} ends after ${size} of ${offset} bytes.`);
		return {
			name,
			...describe(moov.bytes),
			bytes: size,
			seconds: shown / timescale,
			initialisation: { offset: 0, length: moov.box.offset + moov.box.length },
			index: { offset: sidx.box.offset, length: sidx.box.length },
			segments,
		};
	} finally {
		await file.close();
	}
}

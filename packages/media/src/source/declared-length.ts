import { open } from "node:fs/promises";
import { MediaError } from "../errors.ts";
import { findBox } from "../mp4/boxes.ts";
import type { Container, SourceLength } from "../types.ts";
import { asfSeconds } from "./asf-length.ts";
import type { PacketScan } from "./scan-packets.ts";
import type { Streams } from "./streams.ts";

/**
 * A file that lacks more seconds and a larger share than this was cut off. A recording may lose less than this with its
 * last frames.
 */
const mostLostSeconds = 0.5;
const mostLostShare = 0.01;

/** How much a header may be off, since it counts in rounded milliseconds. */
export const roundingSeconds = 0.02;

export type Declared = {
	readonly path: string;
	readonly container: Container;
	readonly streams: Streams;
	/** By the stream's index. */
	readonly packets: ReadonlyMap<number, PacketScan>;
};

/**
 * Compares the length that a file declares with the length that it holds. If a file declares several lengths, as an MP4
 * does for its tracks, the result is the one of which most is missing. A broadcast (MPEG-TS, MPEG-PS), a live
 * recording, Ogg, raw DV or a GIF declares none. A track that is shorter than its file is no loss: it declares its own
 * length, or none. A recording in fragments declares the length of each fragment alone: if it breaks off, what it lacks
 * is a part of its last one, and it passes.
 * @throws {MediaError} `invalid_media` when more than half a second and more than a hundredth of the declared length is
 * missing
 */
export async function compareLength({ path, container, streams, packets }: Declared): Promise<SourceLength> {
	const wholeEnd = Math.max(...[...packets.values()].map(({ endSeconds }) => endSeconds));
	const whole = (seconds: number | null): SourceLength[] =>
		seconds === null ? [] : [{ declaredSeconds: seconds, foundSeconds: wholeEnd }];
	const fragments = container === "mov" ? await readFragments(path) : null;
	const lengths = async (): Promise<SourceLength[]> => {
		if (container === "mov") return [...trackLengths(streams, packets), ...whole(fragments?.seconds ?? null)];
		if (container === "avi") return trackLengths({ ...streams, sounds: [] }, packets);
		if (container === "matroska") return whole(streams.declaredSeconds);
		if (container === "mxf") return trackLengths(streams, packets);
		if (container === "asf") return whole(await asfSeconds(path));
		return container === "flv" ? whole(await flvSeconds(path)) : [];
	};
	const [worst] = (await lengths()).sort((one, other) => lostSeconds(other) - lostSeconds(one));
	if (worst === undefined) return { declaredSeconds: null, foundSeconds: wholeEnd - startOf(packets) };
	const isCutOff =
		lostSeconds(worst) > mostLostSeconds && lostSeconds(worst) > (worst.declaredSeconds ?? 0) * mostLostShare;
	if (isCutOff && !fragments?.isRecording) {
		throw new MediaError("invalid_media", `The file is cut off: ${lengthSentence(worst)}.`);
	}
	return worst;
}

/** Returns how many seconds are missing of the declared length: 0 or less if none are, or if none is declared. */
export const lostSeconds = ({ declaredSeconds, foundSeconds }: SourceLength): number =>
	(declaredSeconds ?? 0) - foundSeconds;

/** Returns both lengths for people: `the file says 52.2 s, but ends after 23.8 s`. */
export function lengthSentence({ declaredSeconds, foundSeconds }: SourceLength): string {
	const isClose = Math.abs((declaredSeconds ?? 0) - foundSeconds) < 0.1;
	const [declared, found] = [declaredSeconds ?? 0, foundSeconds].map((seconds) => seconds.toFixed(isClose ? 2 : 1));
	return `the file says ${declared} s, but ends after ${found} s`;
}

const startOf = (packets: Declared["packets"]): number =>
	Math.min(...[...packets.values()].map(({ startSeconds }) => startSeconds));

/**
 * Compares picture and sound, each by its own tables. The length of a track that begins late may count the time before
 * it: ffprobe counts it if the track is trimmed as well.
 */
function trackLengths({ video, sounds, declaredTrackSeconds }: Streams, packets: Declared["packets"]): SourceLength[] {
	return [video, sounds[0] ?? null].flatMap((stream) => {
		const declaredSeconds = stream === null ? undefined : declaredTrackSeconds.get(stream.index);
		if (stream === null || declaredSeconds === undefined) return [];
		const found = packets.get(stream.index);
		if (found === undefined) return [{ declaredSeconds, foundSeconds: 0 }];
		const shown = found.endSeconds - found.startSeconds;
		const withWait = found.endSeconds - startOf(packets);
		return [{ declaredSeconds, foundSeconds: Math.max(shown, Math.min(declaredSeconds, withWait)) }];
	});
}

/** The most bytes of the header of a fragmented file. */
const mostHeaderBytes = 1024 ** 2;

/**
 * Reads the length of all fragments together from the header of a fragmented MP4, `null` if the header has none;
 * ffprobe only counts the fragments that are there. A recording has neither that length nor an index of all fragments.
 * Returns `null` if the file isn't fragmented.
 */
async function readFragments(
	path: string,
): Promise<{ readonly seconds: number | null; readonly isRecording: boolean } | null> {
	const moov = await readTopLevelBox(path, "moov");
	const header = moov && findBox(moov, [{ type: "mvhd" }]);
	const extends_ = moov && findBox(moov, [{ type: "mvex" }]);
	if (!header || !extends_ || header.length < 32) return null;
	const isWide = header[0] === 1;
	const timescale = header.readUInt32BE(isWide ? 20 : 12);
	const whole = findBox(extends_, [{ type: "mehd" }]);
	const ticks = [
		number(header, isWide ? 24 : 16, isWide),
		whole === null || whole.length < 8 ? 0 : number(whole, 4, whole[0] === 1),
	];
	const most = Math.max(...ticks.filter((count) => count < 0xffff_ffff));
	const seconds = timescale > 0 && most > 0 ? most / timescale : null;
	return { seconds, isRecording: seconds === null && (await readTopLevelBox(path, "sidx")) === null };
}

const number = (bytes: Buffer, at: number, isWide: boolean): number => {
	if (bytes.length < at + (isWide ? 8 : 4)) return 0;
	return isWide ? Number(bytes.readBigUInt64BE(at)) : bytes.readUInt32BE(at);
};

/**
 * Reads the beginning of the body of the first box of a type in a file that may be cut off anywhere; `null` if there is
 * none.
 */
async function readTopLevelBox(path: string, type: string): Promise<Buffer | null> {
	const file = await open(path);
	try {
		const header = Buffer.alloc(16);
		for (let offset = 0, boxes = 0; boxes < 64; boxes += 1) {
			const { bytesRead } = await file.read(header, 0, 16, offset);
			if (bytesRead < 8) return null;
			const short = header.readUInt32BE(0);
			const [head, length] = short === 1 ? [16, Number(header.readBigUInt64BE(8))] : [8, short];
			if (length < head) return null;
			if (header.toString("latin1", 4, 8) !== type) {
				offset += length;
				continue;
			}
			const body = Buffer.alloc(Math.min(length - head, mostHeaderBytes));
			return body.subarray(0, (await file.read(body, 0, body.length, offset + head)).bytesRead);
		}
		return null;
	} finally {
		await file.close();
	}
}

/**
 * Reads the length in the script data at the beginning of an FLV; `null` if there is none. ffprobe would then return
 * the time of the last tag.
 */
async function flvSeconds(path: string): Promise<number | null> {
	const file = await open(path);
	try {
		const bytes = Buffer.alloc(16_384);
		const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
		// The name with its length in front, and the type of a number behind it.
		const name = "\0\x08duration\0";
		const at = bytes.indexOf("onMetaData", 0, "latin1") < 0 ? -1 : bytes.indexOf(name, 0, "latin1");
		if (at < 0 || at + name.length + 8 > bytesRead) return null;
		const seconds = bytes.readDoubleBE(at + name.length);
		return Number.isFinite(seconds) && seconds > 0 ? seconds : null;
	} finally {
		await file.close();
	}
}

import { createReadStream } from "node:fs";
import type { RunOptions } from "../run/programs.ts";
import { guardedInput, guardedMovie } from "../source/guarded-input.ts";
import type { Container } from "../types.ts";
import { type CaptionsDecoder, createCaptionsDecoder } from "./cea-608.ts";
import { createScreenReader } from "./screens.ts";
import { cuesAsEdited } from "./text-tracks.ts";
import type { Cue } from "./transcriber.ts";

/** ATSC A/53, part 4: how captions begin in user data, of H.264, HEVC, AV1 and MPEG-2 alike. */
const broadcast = Buffer.from("GA94\u0003");
/** How they begin in MPEG-2 of DVDs, and of cable (SCTE 20). */
const ofMpeg2 = [
	[0x43, 0x43, 0x01, 0xf8],
	[0x03, 0x01],
	[0x03, 0x81],
].map((bytes) => Buffer.from([0x00, 0x00, 0x01, 0xb2, ...bytes]));
const beginnings: Readonly<Record<string, readonly Buffer[]>> = {
	h264: [broadcast],
	hevc: [broadcast],
	av1: [broadcast],
	mpeg2video: [broadcast, ...ofMpeg2],
};
const longestBeginning = 8;
const pieceBytes = 1024 ** 2;

/**
 * Says whether a file's picture may carry closed captions: whether their beginning is anywhere in it. Nothing is
 * decoded, since headers don't tell, and captions may begin late. A file that has the bytes by chance has them once in
 * a terabyte.
 * @throws the signal's reason when aborted, and an error when the file can't be read
 */
export async function mayCarryCaptions(path: string, codec: string, signal?: AbortSignal): Promise<boolean> {
	const sought = Object.hasOwn(beginnings, codec) ? beginnings[codec] : undefined;
	if (sought === undefined) return false;
	let end = Buffer.alloc(0);
	const file = createReadStream(path, { highWaterMark: pieceBytes, signal });
	for await (const piece of file as AsyncIterable<Buffer>) {
		const seam = Buffer.concat([end, piece.subarray(0, longestBeginning)]);
		if (sought.some((bytes) => piece.includes(bytes) || seam.includes(bytes))) return true;
		end = Buffer.from(piece.subarray(-longestBeginning));
	}
	return false;
}

/** Where closed captions are: in the packets of a picture's stream, or in a track of their own. */
export type CaptionsPlace = {
	readonly path: string;
	readonly container: Container;
	readonly index: number;
	readonly isInPicture: boolean;
};

/**
 * Returns the arguments that print closed captions as they are sent, in the form of Scenarist: the pairs of bytes of
 * the first field, each with its time by the file's own clock.
 */
function captionsArguments({ path, container, index, isInPicture }: CaptionsPlace): string[] {
	const input = isInPicture
		? // Of the pictures nothing is wanted but what is attached to them.
			guardedMovie(container, path, `s=${index}`, "crop=2:2[out0+subcc]")
		: [...cuesAsEdited(container), ...guardedInput(container, path)];
	const stream = isInPicture ? "0:s:0" : `0:${index}`;
	return ["-nostdin", "-v", "error", "-copyts", ...input, "-map", stream, "-c:s", "copy", "-f", "scc", "-"];
}

/** A line of pairs. Its time counts frames, of which there are always thirty a second. */
const sent = /^(\d{2,}):(\d\d):(\d\d)[:;](\d\d)\t([0-9a-f ]{4,1000})$/;
const framesPerSecond = 30;

/** Reads what {@link captionsArguments} has ffmpeg print, piece by piece. */
export function createScenaristReader(decoder: CaptionsDecoder): { write(piece: Buffer): void; end(): void } {
	let line = "";
	const takeLine = () => {
		const [, hours, minutes, seconds, frame, pairs = ""] = sent.exec(line) ?? [];
		const atSeconds = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) + Number(frame) / framesPerSecond;
		for (const [, first = "", second = ""] of pairs.matchAll(/([0-9a-f]{2})([0-9a-f]{2})/g))
			decoder.take(Number.parseInt(first, 16), Number.parseInt(second, 16), atSeconds);
		line = "";
	};
	return {
		write(piece) {
			const [first = "", ...others] = piece.toString("latin1").split("\n");
			if (line.length < longestLine) line += first;
			for (const other of others) {
				takeLine();
				line = other;
			}
		},
		end: takeLine,
	};
}
const longestLine = 1100;

/**
 * Decodes closed captions (CEA-608) to cues, whose times are the file's own. `run` runs ffmpeg.
 * @param endSeconds when the file ends, by its own clock
 */
export async function readClosedCaptions(
	run: (args: readonly string[], options: Pick<RunOptions, "onOutput">) => Promise<unknown>,
	place: CaptionsPlace,
	endSeconds: number,
): Promise<Cue[]> {
	const screens = createScreenReader();
	const reader = createScenaristReader(createCaptionsDecoder(screens.show));
	await run(captionsArguments(place), { onOutput: (piece) => reader.write(piece) });
	reader.end();
	return screens.end(endSeconds);
}

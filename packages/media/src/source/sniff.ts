import { open } from "node:fs/promises";
import { MediaError } from "../errors.ts";
import type { Container } from "../types.ts";

const ascii = (bytes: Buffer, from: number, to: number): string => bytes.toString("latin1", from, to);
const isTransportStream = (bytes: Buffer, first: number, packet: number): boolean =>
	[0, 1, 2].every((n) => bytes[first + n * packet] === 0x47);

/**
 * Returns the container that the first bytes show; `null` if they show none. Playlists and manifests (m3u8, ffconcat,
 * MPD) are text and never match.
 */
function recognise(bytes: Buffer): Container | null {
	if (["ftyp", "moov", "mdat", "wide", "free", "skip", "pnot"].includes(ascii(bytes, 4, 8))) return "mov";
	if (bytes.readUIntBE(0, 4) === 0x1a45dfa3) return "matroska";
	if (ascii(bytes, 0, 4) === "RIFF" && ascii(bytes, 8, 12) === "AVI ") return "avi";
	if (ascii(bytes, 0, 4) === "FLV\x01") return "flv";
	if (bytes.readUIntBE(0, 4) === 0x000001ba) return "mpeg";
	if (isTransportStream(bytes, 0, 188) || isTransportStream(bytes, 4, 192) || isTransportStream(bytes, 0, 204))
		return "mpegts";
	return null;
}

/**
 * Reads the first bytes of a file and returns the container whose demuxer ffmpeg must use. By its own guess ffmpeg
 * would follow a playlist with the name .mp4 to other local files.
 * @throws {MediaError} `invalid_media` when the file is empty or is none of the known containers
 */
export async function sniff(path: string): Promise<Container> {
	const file = await open(path);
	try {
		const bytes = Buffer.alloc(1024);
		const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
		if (bytesRead === 0) throw new MediaError("invalid_media", "The file is empty.");
		const container = recognise(bytes);
		if (container === null)
			throw new MediaError(
				"invalid_media",
				"The file is no video: it is not MP4, MOV, Matroska, WebM, MPEG-TS, MPEG-PS, AVI or FLV.",
			);
		return container;
	} finally {
		await file.close();
	}
}

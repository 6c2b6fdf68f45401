import { open } from "node:fs/promises";
import { containerOf, firstBytes, otherFileOf, takenContainers } from "@reelmill/contracts/containers";
import { MediaError } from "../errors.ts";
import type { Container } from "../types.ts";

/**
 * Reads the first bytes of a file and returns the container whose demuxer ffmpeg must use. By its own guess ffmpeg
 * would follow a playlist with the name .mp4 to other local files.
 * @throws {MediaError} `invalid_media` when the file is empty or is none of the known containers; the message says what
 * it is, if that is known, and what can be taken
 */
export async function sniff(path: string): Promise<Container> {
	const file = await open(path);
	try {
		const buffer = Buffer.alloc(firstBytes);
		const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
		if (bytesRead === 0) throw new MediaError("invalid_media", "The file is empty.");
		const bytes = buffer.subarray(0, bytesRead);
		const container = containerOf(bytes);
		if (container === null) {
			const other = otherFileOf(bytes);
			const what = other === null ? "no video that is known" : `${other}, which can't be taken`;
			throw new MediaError("invalid_media", `The file is ${what}. These can be taken: ${takenContainers}.`);
		}
		return container;
	} finally {
		await file.close();
	}
}

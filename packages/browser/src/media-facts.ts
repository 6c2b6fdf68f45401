import { BlobSource, Input, MATROSKA, MP4, QTFF, WEBM } from "mediabunny";

/** What the page has read of a film before its first byte is sent. The service measures for itself. */
export type UploadSource = {
	/** The length in seconds; null if the file doesn't say it, as a browser's recording. */
	readonly duration: number | null;
	/** The size of the picture as it is shown, in pixels: after its rotation. */
	readonly width: number;
	readonly height: number;
	/** By how many degrees a player turns the picture, clockwise. */
	readonly rotation: 0 | 90 | 180 | 270;
};

/**
 * Reads what a film's own index says, and none of its packets. Returns null if it has no picture.
 * @throws {Error} if the file is none of these, or broken
 */
export async function readMediaFacts(file: Blob): Promise<UploadSource | null> {
	const input = new Input({ source: new BlobSource(file), formats: [MP4, QTFF, MATROSKA, WEBM] });
	try {
		const track = await input.getPrimaryVideoTrack();
		if (track === null) return null;
		const [duration, width, height, rotation] = await Promise.all([
			input.getDurationFromMetadata(),
			track.getDisplayWidth(),
			track.getDisplayHeight(),
			track.getRotation(),
		]);
		return { duration: duration !== null && duration > 0 ? duration : null, width, height, rotation };
	} finally {
		input.dispose();
	}
}

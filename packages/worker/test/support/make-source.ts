import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { madeBy } from "../../../media/test/support/library.ts";

export type SourceOptions = {
	/** Width and height in pixels (default: 320x180). */
	readonly size?: string;
	/** Pictures a second (default: 25). */
	readonly rate?: number;
	/** The most pictures from one key frame to the next (default: what the encoder chooses). */
	readonly keyFrameDistance?: number;
};

/**
 * Makes a source with pictures and sound, of ffmpeg's own generators, for this and other packages' tests. ffmpeg makes
 * the same one only once.
 */
export async function makeSource(seconds: number, options: SourceOptions = {}): Promise<Buffer> {
	const { size = "320x180", rate = 25, keyFrameDistance } = options;
	const folder = await mkdtemp(join(tmpdir(), "reelmill-source-"));
	try {
		const path = join(folder, "source.mp4");
		const pictures = `-f lavfi -i testsrc2=size=${size}:rate=${rate}:duration=${seconds}`;
		const distance = keyFrameDistance === undefined ? "" : `-g ${keyFrameDistance} `;
		const text = `${pictures} -f lavfi -i sine=duration=${seconds} -c:v libx264 -preset ultrafast ${distance}-c:a aac -movflags +faststart`;
		await madeBy(text.split(" "), path);
		return await readFile(path);
	} finally {
		await rm(folder, { recursive: true });
	}
}

/** The smallest source that tests look for nothing special in. */
export const smallSource = (seconds = 2): Promise<Buffer> => makeSource(seconds, { size: "160x90", rate: 10 });

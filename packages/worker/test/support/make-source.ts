import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

export type SourceOptions = {
	/** Width and height in pixels (default: 320x180). */
	readonly size?: string;
	/** Pictures a second (default: 25). */
	readonly rate?: number;
	/** The most pictures from one key frame to the next (default: what the encoder chooses). */
	readonly keyFrameDistance?: number;
};

/** Makes a source with pictures and sound, of ffmpeg's own generators, for this and other packages' tests. */
export async function makeSource(seconds: number, options: SourceOptions = {}): Promise<Buffer> {
	const { size = "320x180", rate = 25, keyFrameDistance } = options;
	const folder = await mkdtemp(join(tmpdir(), "reelmill-source-"));
	try {
		const path = join(folder, "source.mp4");
		const pictures = `-f lavfi -i testsrc2=size=${size}:rate=${rate}:duration=${seconds}`;
		const distance = keyFrameDistance === undefined ? "" : `-g ${keyFrameDistance} `;
		const text = `-v error ${pictures} -f lavfi -i sine=duration=${seconds} -c:v libx264 -preset ultrafast ${distance}-c:a aac -movflags +faststart`;
		await promisify(execFile)("ffmpeg", [...text.split(" "), path]);
		return await readFile(path);
	} finally {
		await rm(folder, { recursive: true });
	}
}

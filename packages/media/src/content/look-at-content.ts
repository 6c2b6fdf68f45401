import { ProgramError } from "../errors.ts";
import type { Run } from "../run/programs.ts";
import { shapeName } from "../source/choose-lasting.ts";
import { guardedInput } from "../source/guarded-input.ts";
import type { Content, SourceProbe } from "../types.ts";
import { contentOf } from "./content.ts";
import { measureTexture, type Texture } from "./picture-texture.ts";

/** At how many places a source is looked at: at most, and one for each two seconds. */
const [mostPlaces, secondsAPlace] = [5, 2];
const picturesAPlace = 3;
/** Of each picture the middle is looked at, no more of it than this. */
const largest = { width: 960, height: 540 };
/** Of a shorter or smaller source there is too little to save. */
const [shortestSeconds, smallestSide] = [2, 240];
/** What a look at a place may cost. It takes a tenth of a second. */
const limits = { cpuSeconds: 10, memoryBytes: 8 * 1024 ** 3, fileBytes: 0 };

/**
 * Looks at three pictures at each of up to five places of a source and tells what it shows; costs half a second of CPU
 * at most. The same source gives the same answer wherever ffmpeg is the same. Where nothing can be decoded the look
 * ends: a fault of the source shows later, when all is decoded. A source under 2 s or 240 lines isn't looked at.
 * @throws the signal's reason when aborted
 */
export async function lookAtContent(
	{ programs, signal }: Run,
	source: string,
	{ video, durationSeconds, container }: SourceProbe,
): Promise<Content> {
	if (durationSeconds < shortestSeconds || Math.min(video.width, video.height) < smallestSide) return contentOf([]);
	const size = { width: Math.min(video.width, largest.width), height: Math.min(video.height, largest.height) };
	const places = Math.min(mostPlaces, Math.ceil(durationSeconds / secondsAPlace));
	const textures: Texture[] = [];
	for (let place = 0; place < places; place++) {
		const at = (video.endSeconds * (place + 0.5)) / places;
		// Pictures of another size have other textures.
		if (!hasShownShape(video, at)) continue;
		const seconds = at.toFixed(3);
		// From the key frame before the place, so that nothing is decoded but what is looked at.
		const input = [
			"-threads",
			"1",
			"-noautorotate",
			"-noaccurate_seek",
			"-ss",
			seconds,
			...guardedInput(container, source),
		];
		const filters = `crop=${size.width}:${size.height},format=gray`;
		const output = ["-fps_mode", "passthrough", "-frames:v", `${picturesAPlace}`, "-f", "rawvideo", "pipe:1"];
		const args = ["-nostdin", "-v", "error", ...input, "-map", `0:${video.index}`, "-vf", filters, ...output];
		try {
			const { stdout } = await programs.run("ffmpeg", args, { signal, reads: [source], limits });
			const pictures = cut(stdout, size.width * size.height);
			if (pictures.length > 0) textures.push(measureTexture(pictures, size));
		} catch (error) {
			if (error instanceof ProgramError) break;
			throw error;
		}
	}
	return contentOf(textures);
}

/** Says whether the pictures have the shape of the outputs at a moment. */
function hasShownShape({ shapes, ...video }: SourceProbe["video"], seconds: number): boolean {
	const shape = shapes?.findLast(({ fromSeconds }, n) => n === 0 || fromSeconds <= seconds);
	return shape === undefined || shapeName(shape) === shapeName(video);
}

const cut = (bytes: Uint8Array, length: number): Uint8Array[] =>
	Array.from({ length: Math.floor(bytes.length / length) }, (_, n) => bytes.subarray(n * length, (n + 1) * length));

import { dirname, join } from "node:path";
import { MediaError, ProgramError } from "../errors.ts";
import type { Decision } from "../plan/decision.ts";
import { perSecond } from "../plan/frame-rate.ts";
import { tooManyFrames } from "../source/decoding-budget.ts";
import type { Chunk } from "./chunks.ts";
import type { Encode } from "./encode.ts";
import { encodeArguments, evenSoundArguments } from "./encode-arguments.ts";

export type EncodeOptions = {
	/** Called now and then with the share that is done, from 0 to 1. */
	readonly onShare?: ((share: number) => void) | undefined;
	/** The only frames to encode (default: all frames of the plan). */
	readonly chunk?: Chunk | undefined;
};

/** The last `out_time_us` in a piece of ffmpeg's progress, in seconds; `null` if there is none. */
function encodedSeconds(text: string): number | null {
	const found = [...text.matchAll(/^out_time_us=(\d+)$/gm)].at(-1)?.[1];
	return found === undefined ? null : Number(found) / 1e6;
}

/** The last `frame` in a piece of ffmpeg's progress: how many pictures were decoded, as `encodeArguments` asks for. */
const decodedFrames = (text: string): number => Number([...text.matchAll(/^frame=\s*(\d+)$/gm)].at(-1)?.[1] ?? 0);

/** What ffmpeg says if its decoders or filters can't use the source, or if no sound at all reaches the encoder. */
const sourceFaults =
	/Invalid data found when processing input|Error while (?:filtering|processing the decoded data)|Error submitting audio frame/;
/** What ffmpeg says if the disk is full. */
const fullDisk = /No space left on device|Disk quota exceeded/;
/** What ffmpeg says if there is no memory left. */
const noMemory = /Cannot allocate memory/;

/** Whether the source is at fault. A machine without room is at fault whatever else ffmpeg says of the source. */
function isFaultOfSource(error: unknown): boolean {
	if (!(error instanceof ProgramError) || error.killedBy !== null) return false;
	return sourceFaults.test(error.stderr) && !fullDisk.test(error.stderr) && !noMemory.test(error.stderr);
}

const changesSoundMidway = (error: unknown): boolean =>
	error instanceof ProgramError && error.stderr.includes("Changing audio frame properties on the fly is not supported");

const targetsOf = ({ plan, paths }: Encode): string[] => [
	...plan.renditions.map(paths.video),
	...(plan.sound === null ? [] : [paths.audio]),
];
const foldersOf = (encode: Encode): string[] => [...new Set(targetsOf(encode).map((file) => dirname(file)))];

/** Runs ffmpeg once for all tracks. `evenSound` is a file whose sound replaces the source's. */
async function runEncoder(encode: Encode, { onShare, chunk }: EncodeOptions, evenSound?: string): Promise<void> {
	const { programs, plan, source, paths, signal } = encode;
	const seconds = chunk === undefined ? plan.durationSeconds : (chunk.end - chunk.first) / perSecond(plan.frameRate);
	const onOutput = (output: Buffer) => {
		const progress = output.toString("latin1");
		if (plan.decoding !== null && plan.renditions.length > 0 && decodedFrames(progress) > plan.decoding.frames)
			throw tooManyFrames(plan.decoding);
		const done = encodedSeconds(progress);
		if (done !== null) onShare?.(Math.min(1, done / seconds));
	};
	const args = encodeArguments(plan, source, paths, { evenSound, chunk });
	const { stderr } = await programs.run("ffmpeg", args, {
		signal,
		reads: [source],
		writes: foldersOf(encode),
		onOutput,
	});
	// ffmpeg ends with code 0 if only the last bytes find no room.
	const unwritten = stderr.split(/[\r\n]/).find((line) => fullDisk.test(line));
	if (unwritten !== undefined) throw new Error(`What was encoded could not be written: ${unwritten}`);
}

/** Decodes the sound to one format first, and encodes with that. */
async function encodeWithEvenSound(encode: Encode, options: EncodeOptions): Promise<Decision[]> {
	const { programs, plan, source, paths, signal } = encode;
	const even = join(dirname(paths.audio), "even-sound.mka");
	await programs.run("ffmpeg", evenSoundArguments(plan, source, even), {
		signal,
		reads: [source],
		writes: foldersOf(encode),
	});
	await runEncoder(encode, options, even);
	const because = "the source changes its channels or its sample rate midway";
	return [{ about: "sound", decision: "decoded apart first", because }];
}

/**
 * Encodes every track of the plan in one ffmpeg process. If the source's sound changes its format midway, a second
 * process decodes the sound first, which the returned decisions say. ffmpeg is gone when the promise settles; after a
 * failure its unfinished files are left.
 * @throws {MediaError} `invalid_media` when the source can't be decoded
 * @throws {ProgramError} when ffmpeg fails for another reason
 * @throws the signal's reason when aborted
 */
export async function encodeTracks(encode: Encode, options: EncodeOptions = {}): Promise<Decision[]> {
	try {
		try {
			await runEncoder(encode, options);
			return [];
		} catch (error) {
			if (!changesSoundMidway(error)) throw error;
			return await encodeWithEvenSound(encode, options);
		}
	} catch (error) {
		if (isFaultOfSource(error)) throw new MediaError("invalid_media", "The video can't be decoded.", { cause: error });
		throw error;
	}
}

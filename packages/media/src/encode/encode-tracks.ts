import { dirname, join } from "node:path";
import { MediaError, ProgramError } from "../errors.ts";
import type { Decision } from "../plan/decision.ts";
import type { EncodePlan } from "../plan/encode-plan.ts";
import { perSecond } from "../plan/frame-rate.ts";
import type { Programs } from "../run/programs.ts";
import { tooManyFrames } from "../source/decoding-budget.ts";
import type { Chunk } from "./chunks.ts";
import { encodeArguments, evenSoundArguments, type TrackPaths } from "./encode-arguments.ts";

export type EncodeOptions = {
	readonly signal?: AbortSignal | undefined;
	/** Called with the share done, 0 to 1, now and then. */
	readonly onShare?: ((share: number) => void) | undefined;
	/** The only frames to be encoded; all of the plan's unless told. */
	readonly chunk?: Chunk | undefined;
};

/** The last `out_time_us` of a piece of ffmpeg's progress, in seconds, or null. */
function encodedSeconds(text: string): number | null {
	const found = [...text.matchAll(/^out_time_us=(\d+)$/gm)].at(-1)?.[1];
	return found === undefined ? null : Number(found) / 1e6;
}

/**
 * The last `frame` of a piece of ffmpeg's progress: pictures that were decoded, as `encodeArguments` has them counted.
 */
const decodedFrames = (text: string): number => Number([...text.matchAll(/^frame=\s*(\d+)$/gm)].at(-1)?.[1] ?? 0);

/** Its words where decoders or filters can make nothing of a source, or bring no sound at all to the encoder. */
const sourceFaults =
	/Invalid data found when processing input|Error while (?:filtering|processing the decoded data)|Error submitting audio frame/;
/** Its words where the machine has no more room, whatever it says of the source beside. */
const fullDisk = /^.*(?:No space left on device|Disk quota exceeded).*$/m;
const noMemory = /Cannot allocate memory/;

/**
 * Encodes every track of the plan in one ffmpeg process, or in two where the source's sound changes its format midway:
 * then says so. Rejects with {@link MediaError} `invalid_media` where the source can't be decoded, with ProgramError
 * where ffmpeg fails for another reason, with the signal's reason when aborted; ffmpeg is gone by then, its half-made
 * files are not.
 */
export async function encode(
	programs: Programs,
	plan: EncodePlan,
	source: string,
	paths: TrackPaths,
	options: EncodeOptions = {},
): Promise<Decision[]> {
	const { signal, onShare, chunk } = options;
	const duration = chunk === undefined ? plan.durationSeconds : (chunk.end - chunk.first) / perSecond(plan.frameRate);
	const onOutput = (chunk: Buffer) => {
		const progress = chunk.toString("latin1");
		if (plan.decoding !== null && plan.renditions.length > 0 && decodedFrames(progress) > plan.decoding.frames)
			throw tooManyFrames(plan.decoding);
		const seconds = encodedSeconds(progress);
		if (seconds !== null) onShare?.(Math.min(1, seconds / duration));
	};
	const files = [...plan.renditions.map(paths.video), ...(plan.sound === null ? [] : [paths.audio])];
	const writes = [...new Set(files.map((file) => dirname(file)))];
	const run = async (evenSound?: string) => {
		const { stderr } = await programs.run("ffmpeg", encodeArguments(plan, source, paths, { evenSound, chunk }), {
			signal,
			reads: [source],
			writes,
			onOutput,
		});
		// ffmpeg ends well where it is the last bytes that find no room.
		const unwritten = fullDisk.exec(stderr)?.[0];
		if (unwritten !== undefined) throw new Error(`What was encoded could not be written: ${unwritten}`);
	};
	const runAgain = async (): Promise<Decision[]> => {
		const even = join(dirname(paths.audio), "even-sound.mka");
		await programs.run("ffmpeg", evenSoundArguments(plan, source, even), { signal, reads: [source], writes });
		await run(even);
		return [
			{
				about: "sound",
				decision: "decoded apart first",
				because: "the source changes its channels or its sample rate midway",
			},
		];
	};
	try {
		return await run().then(
			() => [],
			(error: unknown) => {
				if (
					error instanceof ProgramError &&
					error.stderr.includes("Changing audio frame properties on the fly is not supported")
				)
					return runAgain();
				throw error;
			},
		);
	} catch (error) {
		const isOfSource = (said: string) => sourceFaults.test(said) && !fullDisk.test(said) && !noMemory.test(said);
		if (error instanceof ProgramError && error.killedBy === null && isOfSource(error.stderr)) {
			throw new MediaError("invalid_media", "The video can't be decoded.", { cause: error });
		}
		throw error;
	}
}

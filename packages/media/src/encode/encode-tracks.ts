import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { MachineError, MediaError, ProgramError } from "../errors.ts";
import { hardwareRun } from "../hardware/hardware-run.ts";
import type { Decision } from "../plan/decision.ts";
import { perSecond } from "../plan/frame-rate.ts";
import { tooManyFrames } from "../source/decoding-budget.ts";
import type { Hardware } from "../types.ts";
import type { Chunk } from "./chunks.ts";
import type { Encode } from "./encode.ts";
import { encodeArguments, evenSoundArguments } from "./encode-arguments.ts";

export type EncodeOptions = {
	/** Called now and then with the share that is done, from 0 to 1. */
	readonly onShare?: ((share: number) => void) | undefined;
	/** The only frames to encode (default: all frames of the plan). */
	readonly chunk?: Chunk | undefined;
	/** Writes the sum of each H.264 track's packets beside it, for `provePackets` (default: false). */
	readonly sums?: boolean | undefined;
	/** Encodes the renditions of its codecs (default: software encodes all). */
	readonly hardware?: Hardware | undefined;
};

/** The last `out_time_us` in a piece of ffmpeg's progress, in seconds; `null` if there is none. */
function encodedSeconds(text: string): number | null {
	const found = [...text.matchAll(/^out_time_us=(\d+)$/gm)].at(-1)?.[1];
	return found === undefined ? null : Number(found) / 1e6;
}

/**
 * The last `frame` in a piece of ffmpeg's progress: how many pictures were decoded, as `encodeArguments` asks for;
 * `null` if there is none.
 */
function decodedFrames(text: string): number | null {
	const found = [...text.matchAll(/^frame=\s*(\d+)$/gm)].at(-1)?.[1];
	return found === undefined ? null : Number(found);
}

/** What ffmpeg says if its decoders or filters can't use the source, or if no sound at all reaches the encoder. */
const sourceFaults =
	/Invalid data found when processing input|Error while (?:filtering|processing the decoded data)|Error submitting audio frame/;
/** What ffmpeg says if the disk is full. */
const fullDisk = /No space left on device|Disk quota exceeded/;
/** What ffmpeg says if there is no memory left. */
const noMemory = /Cannot allocate memory/;

/** The code that ffmpeg ends with if more than two thirds of the frames could not be decoded. */
const tooManyErrors = 69;

/** What ffmpeg says if it stops itself: the source brought it into a state that its authors took for impossible. */
const contradiction = ["Assertion ", " failed at "];

/** Whether an encode failed because the disk is full. */
export const isFullDisk = (error: unknown): boolean =>
	fullDisk.test(error instanceof ProgramError ? error.stderr : String(error));

/** Whether the source is at fault. A machine without room is at fault whatever else ffmpeg says of the source. */
function isFaultOfSource(error: unknown): boolean {
	if (!(error instanceof ProgramError)) return false;
	if (error.killedBy === "SIGABRT") return contradiction.every((words) => error.stderr.includes(words));
	if (error.killedBy !== null) return false;
	const isOfSource = error.code === tooManyErrors || sourceFaults.test(error.stderr);
	return isOfSource && !fullDisk.test(error.stderr) && !noMemory.test(error.stderr);
}

const changesSoundMidway = (error: unknown): boolean =>
	error instanceof ProgramError && error.stderr.includes("Changing audio frame properties on the fly is not supported");

const targetsOf = ({ plan, paths }: Encode): string[] => [
	...plan.renditions.map(paths.video),
	...plan.sounds.map(paths.audio),
];
const foldersOf = (encode: Encode): string[] => [...new Set(targetsOf(encode).map((file) => dirname(file)))];

/** Runs ffmpeg once for all tracks. `evenSound` is a file whose sound replaces the source's. */
async function runEncoder(
	encode: Encode,
	{ onShare, chunk, sums, hardware }: EncodeOptions,
	evenSound?: string,
): Promise<void> {
	const { programs, plan, source, paths, signal, soundMeter, damageMeter } = encode;
	const seconds = chunk === undefined ? plan.durationSeconds : (chunk.end - chunk.first) / perSecond(plan.frameRate);
	let frames = null as number | null;
	let progress = "";
	const onOutput = (output: Buffer) => {
		// A piece may end in the middle of a line.
		progress = progress.slice(progress.lastIndexOf("\n") + 1) + output.toString("latin1");
		frames = decodedFrames(progress) ?? frames;
		soundMeter?.read(progress);
		if (plan.decoding !== null && plan.renditions.length > 0 && (frames ?? 0) > plan.decoding.frames)
			throw tooManyFrames(plan.decoding);
		const done = encodedSeconds(progress);
		if (done !== null) onShare?.(Math.min(1, done / seconds));
	};
	const measuresSound = soundMeter !== undefined;
	const args = encodeArguments(plan, source, paths, { evenSound, chunk, sums, hardware, measuresSound });
	const { stderr } = await programs.run("ffmpeg", args, {
		signal,
		reads: [source],
		writes: foldersOf(encode),
		onOutput,
		onErrorOutput: damageMeter?.listen({ picture: plan.picture.index, chunk: chunk?.first ?? null }),
		...(hardware !== undefined && hardwareRun(hardware)),
	});
	// ffmpeg ends with code 0 if only the last bytes find no room.
	const unwritten = stderr.split(/[\r\n]/).find((line) => fullDisk.test(line));
	if (unwritten !== undefined)
		throw new MachineError("disk_full", `What was encoded could not be written: ${unwritten}`);
	// It does so as well if no picture at all could be decoded.
	if (frames === 0 && plan.renditions.length > 0)
		throw new MediaError("invalid_media", "None of the video's pictures can be decoded.");
}

/** Decodes the sound to one format first, and encodes with that. */
async function encodeWithEvenSound(encode: Encode, options: EncodeOptions): Promise<Decision[]> {
	const { programs, plan, source, paths, signal, damageMeter } = encode;
	const [folder = ""] = plan.sounds.map((sound) => dirname(paths.audio(sound)));
	const even = join(folder, "even-sound.mka");
	await programs.run("ffmpeg", evenSoundArguments(plan, source, even), {
		signal,
		reads: [source],
		writes: foldersOf(encode),
		onErrorOutput: damageMeter?.listen({ picture: plan.picture.index, chunk: null }),
	});
	await runEncoder(encode, options, even);
	const because = "the source changes its channels or its sample rate midway";
	return [{ about: "sound", decision: "decoded apart first", because }];
}

/**
 * Encodes every track of the plan in one ffmpeg process. If the source's sound changes its format midway, a second
 * process decodes the sound first. If the source can't be decoded and has several tracks of sound, all is encoded again
 * with the first of them alone: the files of the others are then missing. The returned decisions say both. ffmpeg is
 * gone when the promise settles; after a failure its unfinished files are left.
 * @throws {MediaError} `invalid_media` when the source can't be decoded
 * @throws {ProgramError} when ffmpeg fails for another reason
 * @throws the signal's reason when aborted
 */
export async function encodeTracks(encode: Encode, options: EncodeOptions = {}): Promise<Decision[]> {
	const { plan, paths } = encode;
	const [first] = plan.sounds;
	const further = plan.sounds.filter(({ index }) => index !== first?.index);
	try {
		return await encodeOnce(encode, options);
	} catch (error) {
		if (further.length === 0 || !(error instanceof MediaError) || !isFaultOfSource(error.cause)) throw error;
		await Promise.all(further.map((sound) => rm(paths.audio(sound), { force: true })));
		const sounds = plan.sounds.filter((sound) => !further.includes(sound));
		const decisions = await encodeOnce({ ...encode, plan: { ...plan, sounds } }, options);
		const because = "with the others the source can't be decoded";
		return [...decisions, { about: "sound", decision: "only the first track", because }];
	}
}

async function encodeOnce(encode: Encode, options: EncodeOptions): Promise<Decision[]> {
	try {
		try {
			// The filters would start again at the change, and put silence in front of what follows.
			if (encode.plan.sounds.some(({ changesChannels }) => changesChannels)) {
				return await encodeWithEvenSound(encode, options);
			}
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

import { copyFile, mkdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Cut } from "./encode/choose-chunks.ts";
import { createChunkSet } from "./encode/chunk-set.ts";
import { type Chunk, canBeCut, cutAfter } from "./encode/chunks.ts";
import { type Encode, onlySound } from "./encode/encode.ts";
import { type EncodeOptions, encodeTracks } from "./encode/encode-tracks.ts";
import { workFolder } from "./encode/open-encode.ts";
import { decodeFiles } from "./mp4/decode-files.ts";
import { readTrack, type Track } from "./mp4/track.ts";
import { growingPlaylist, type ListedFile, masterPlaylist, targetSeconds } from "./package/hls.ts";
import type { JobTracks, SoundTrack, VideoTrack } from "./package/job-tracks.ts";
import { perSecond } from "./plan/frame-rate.ts";
import type { OpeningLength } from "./process-options.ts";
import { runAll } from "./run/run-both.ts";
import type { SourceProbe } from "./types.ts";

/**
 * How long the opening is, and from which length on a video has one. A shorter video can be played whole before twice
 * the time has passed that its first 30 s take: the opening is made of one stream, on all cores.
 */
const usualLength: OpeningLength = { seconds: 30, ofSeconds: 60 };

/** The first seconds of a video's smallest H.264, as files and playlists of their own. */
export type Opening = {
	/** Paths relative to the directory. Only the playlists among them are written again. */
	readonly files: readonly string[];
	readonly video: VideoTrack;
	readonly sounds: readonly SoundTrack[];
	/** How the source is cut so that the opening is a chunk of the whole track, and need not be encoded again. */
	readonly cut: Cut;
};

/**
 * Returns the frames of the opening: whole groups of pictures. Returns `null` if there is none: the video is too short,
 * is not to be streamed by HLS or can't be cut, or hardware encodes it.
 */
export function openingFrames(
	{ plan, hardware }: Pick<Encode, "plan" | "hardware">,
	probed: SourceProbe,
	{ seconds, ofSeconds }: OpeningLength = usualLength,
): Chunk | null {
	const isLong = plan.durationSeconds >= ofSeconds;
	if (!isLong || !plan.outputs.hls || hardware !== undefined || !canBeCut(probed)) return null;
	return { first: 0, end: Math.max(1, Math.round((seconds * perSecond(plan.frameRate)) / plan.gop)) * plan.gop };
}

/** The name of a track's opening. */
const openingName = (name: string): string => `opening_${name}`;

/**
 * Encodes the opening of the plan's only rendition and of its sounds, proves it, and writes its playlists: the master
 * playlist leads to it alone until it is written again. Returns `null` if that fails: the video is then made without.
 * @throws the signal's reason when aborted
 */
export async function makeOpening(encode: Encode, frames: Chunk, cut: Cut): Promise<Opening | null> {
	const opening = { chunks: cutAfter(frames, cut.chunks, encode.plan), encoded: 1 };
	const work = (onShare?: EncodeOptions["onShare"]) => encodeOpening(encode, opening, onShare);
	try {
		return await (encode.encodeMeter?.measure(encode.plan.renditions, work) ?? work());
	} catch (error) {
		encode.signal?.throwIfAborted();
		encode.logger?.warn({ err: error }, "the opening could not be made: the video is playable later");
		// Nothing else has been made so far.
		for (const made of ["media", "hls"]) await rm(join(encode.directory, made), { recursive: true, force: true });
		return null;
	}
}

/** How much further the sound is encoded than the pictures: more than a segment of it. */
const soundAfterSeconds = 3;
/** How much of that is not listed: the encoder looks ahead, so its last packets are others than those of the whole. */
const unlistedSeconds = 0.5;

async function encodeOpening(encode: Encode, cut: Cut, onShare: EncodeOptions["onShare"]): Promise<Opening> {
	const { plan, directory } = encode;
	const [rendition] = plan.renditions;
	const [chunk] = cut.chunks;
	if (rendition === undefined || chunk === undefined) throw new Error("There is no rendition to open with.");
	const set = createChunkSet(encode, cut.chunks, onShare);
	const soundEnd = chunk.end / perSecond(plan.frameRate) + soundAfterSeconds;
	const sounds = plan.sounds.map((sound) => ({ ...sound, filters: [...sound.filters, `atrim=end=${soundEnd}`] }));
	const soundPath = ({ name }: { readonly name: string }) => join(workFolder(directory), `${openingName(name)}.m4a`);
	const paths = { ...encode.paths, audio: soundPath };
	const ofSound = { ...onlySound({ ...encode, plan: { ...plan, sounds }, paths }), soundMeter: undefined };
	await runAll<unknown>(
		[
			(signal) => set.encodeHere(0, signal),
			...(sounds.length === 0 ? [] : [(signal: AbortSignal) => encodeTracks({ ...ofSound, signal })]),
		],
		encode.signal,
	);

	await mkdir(join(directory, "media"), { recursive: true });
	const files = [`media/${openingName(rendition.name)}.mp4`];
	const path = join(directory, files[0] as string);
	await copyFile(set.path(0, rendition), path);
	const video = { rendition, path, track: await readTrack(path, openingName(rendition.name)) };
	const heard: SoundTrack[] = [];
	for (const sound of plan.sounds) {
		const file = `media/${openingName(sound.name)}.m4a`;
		const made = await stat(soundPath(sound)).catch(() => null);
		// Sounds of further tracks are missing if they could not be decoded.
		if (made === null) continue;
		await rename(soundPath(sound), join(directory, file));
		const track = await readTrack(join(directory, file), openingName(sound.name));
		const segments = track.segments.filter((one) => one.startSeconds + one.seconds < soundEnd - unlistedSeconds);
		heard.push({ sound, path: join(directory, file), track: { ...track, segments } });
		files.push(file);
	}
	if (heard.length > 0) await decodeFiles(encode, files.slice(1));
	const opening = { files, video, sounds: heard, cut };
	return {
		...opening,
		files: [...files, ...(await writeMaster(encode, opening)), ...(await writeParts(encode, opening))],
	};
}

const tracksOf = ({ videos, sounds }: JobTracks): Track[] => [...videos, ...sounds].map(({ track }) => track);

async function writeMaster({ plan, directory }: Encode, { video, sounds }: Opening): Promise<string[]> {
	const heard = sounds.map(({ sound, track }) => ({ ...sound, track }));
	await mkdir(join(directory, "hls"), { recursive: true });
	const master = masterPlaylist([video.track], heard, perSecond(plan.frameRate));
	await writeFile(join(directory, "hls/master.m3u8"), master);
	return ["hls/master.m3u8"];
}

const listed = ({ initialisation, segments, ...track }: Track): ListedFile => ({
	...{ initialisation, segments },
	uri: `../media/${track.name}.${track.channels > 0 ? "m4a" : "mp4"}`,
});

/** Half a packet of sound, and less than any frame. */
const toleranceSeconds = 0.01;

/** Writes the media playlists: of the opening alone, or with the rest of its tracks in `whole`. */
async function writeParts(
	{ directory }: Encode,
	{ video, sounds }: Opening,
	whole: JobTracks | null = null,
): Promise<string[]> {
	const tracks = tracksOf({ videos: [video], sounds });
	// It must not change when the playlists grow, and need not: the longest segment is as long as that of the opening.
	const target = targetSeconds(tracks);
	const files: string[] = [];
	for (const track of tracks) {
		const { startSeconds = 0, seconds = 0 } = track.segments.at(-1) ?? {};
		const found = whole && tracksOf(whole).find(({ name }) => openingName(name) === track.name);
		const segments = (found?.segments ?? []).filter(
			(segment) => segment.startSeconds > startSeconds + seconds - toleranceSeconds,
		);
		const rest = whole === null ? null : listed({ ...(found ?? track), segments });
		files.push(`hls/${track.name}.m3u8`);
		await writeFile(join(directory, `hls/${track.name}.m3u8`), growingPlaylist(listed(track), rest, target));
	}
	return files;
}

/**
 * Lets the opening's playlists grow to their ends, with the rest of the tracks in `whole`: who plays them goes on. A
 * sound that `whole` lacks ends with the opening. Returns the opening's files, which now belong to the outputs.
 */
export async function growOpening(encode: Encode, opening: Opening, whole: JobTracks): Promise<readonly string[]> {
	await writeParts(encode, opening, whole);
	return opening.files;
}

import { mkdir, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { Encode } from "../encode/encode.ts";
import { workFolder } from "../encode/open-encode.ts";
import { listRenditions } from "../finish-tracks.ts";
import { decodeQuietly, oneInputEach } from "../mp4/decode-files.ts";
import { openFragments } from "../mp4/fragments.ts";
import { readTrack, type Track } from "../mp4/track.ts";
import type { CaptionTrack } from "../package/caption-track.ts";
import type { SoundTrack, VideoTrack } from "../package/job-tracks.ts";
import { packageTracks } from "../package/package-tracks.ts";
import type { Decision } from "../plan/decision.ts";
import type { PlannedRendition } from "../plan/encode-plan.ts";
import { bitrateFactor, perSecond } from "../plan/frame-rate.ts";
import { audioBitrate, type Channels } from "../plan/ladder.ts";
import { rungOf } from "../plan/rung-size.ts";
import type { Processed, ProcessOptions } from "../process-options.ts";
import { prove } from "../prove.ts";
import { measureSteps } from "../run/measure-steps.ts";
import { openPrograms } from "../run/programs.ts";
import { writeChapterData } from "../transcript/write-chapters.ts";
import type { OutputSelection, Rational } from "../types.ts";
import { type CutPictures, cutPictures } from "./cut-pictures.ts";
import { cutSound } from "./cut-sound.ts";
import { type CutSource, openCutSource, type RemoteOutputs } from "./cut-source.ts";
import { cutStoryboard } from "./cut-storyboard.ts";
import { cutWebVtt } from "./cut-web-vtt.ts";
import type { Frames } from "./encode-piece.ts";
import { keyFramesOfSheet } from "./key-frames-of-sheet.ts";
import { kindsOf, planOfCut } from "./plan-of-cut.ts";
import { sourceTracks } from "./source-tracks.ts";

/** What `cutVideo` needs: the finished outputs, the stretch, and the tools. */
export type CutVideoOptions = Pick<ProcessOptions, "tools" | "onProgress" | "logger" | "signal" | "maxSeconds"> & {
	/** The folder of the outputs of `processVideo` or of an earlier cut. It is only read, unless `remote` is given. */
	readonly source: string;
	/**
	 * Where the outputs are, if they are elsewhere (default: all are in `source`). The folder `source` then takes what the
	 * cut needs of them: the texts, and of each track its index and the groups of pictures that are in the stretch.
	 */
	readonly remote?: RemoteOutputs;
	/** The kinds of files that the cut has (default: those of the source). */
	readonly outputs?: OutputSelection;
	/** Whether frames for moderation are made (default: if the source has some). */
	readonly moderationFrames?: boolean;
	/** Where the cut begins: the frame that is nearest to this moment is the first one. */
	readonly startSeconds: number;
	/** Where the cut ends: the frame that is nearest to this moment is the first one after it. */
	readonly endSeconds: number;
	/**
	 * Takes the outputs, and holds nothing else in the end. It is made if it is missing. After a failure the caller
	 * removes what is in it.
	 */
	readonly directory: string;
};

/** The greatest number that divides both. */
const divisor = (one: number, other: number): number => (other === 0 ? one : divisor(other, one % other));

/**
 * Makes a video of a stretch of a finished one, without encoding it again: of every rendition at most the frames before
 * the first key frame and some behind the last one are encoded, all others and the sound are the old packets. Captions,
 * chapters and a transcript move along. No work depends on the length but copying. If an encoder sets its decoder up
 * differently than the source's did, such as another version of it, that rendition is encoded whole; the report says
 * what was encoded. No program is left running when the promise settles. Two calls at once must not share a directory.
 * @throws {RangeError} when the stretch has no frame of the video
 * @throws {Error} when the source isn't what `processVideo` makes, or the machine is at fault
 * @throws the signal's reason when aborted
 * @example
 * ```ts
 * import { cutVideo, processVideo } from "@reelmill/media";
 *
 * const tools = { ffmpeg: "ffmpeg", ffprobe: "ffprobe" };
 * const outputs = { hls: true, dash: false, mp4_fallback: true, og_thumbnail: false };
 * const job = { plan: { renditions: ["h264_720"], outputs }, limits: { max_duration_seconds: 60 } };
 * await processVideo({ source: "clip.mp4", directory: "outputs", job, tools });
 * const made = await cutVideo({ source: "outputs", startSeconds: 1, endSeconds: 5, directory: "cut", tools });
 * console.log(made.media); // => { duration_seconds: 4, width: 720, height: 404 }
 * ```
 */
export async function cutVideo(options: CutVideoOptions): Promise<Processed> {
	const { tools, logger, signal, maxSeconds, onProgress } = options;
	const directory = resolve(options.directory);
	const programs = await openPrograms(tools, { logger, maxSeconds, signal });
	const run = { programs, signal };
	const { measure, steps } = measureSteps();
	const source = await openCutSource(resolve(options.source), options.remote);
	const { files } = source;
	const work = workFolder(directory);
	await mkdir(work, { recursive: true });
	const tracks = await sourceTracks(run, source, work);
	const first = tracks.videos[0] as (typeof tracks.videos)[number];
	const { startSeconds, endSeconds } = options;
	const fetchTrack = async ({ file }: { readonly file?: string }) =>
		file === undefined ? undefined : source.stretch(file, startSeconds, endSeconds);
	await fetchTrack(first);
	const frameRate = await frameRateOf(first.path, startSeconds);
	const rate = perSecond(frameRate);
	const total = Math.round(first.track.seconds * rate);
	const frames: Frames = {
		first: Math.max(0, Math.round(startSeconds * rate)),
		end: Math.min(total, Math.round(endSeconds * rate)),
	};
	if (!(frames.first < frames.end))
		throw new RangeError(`From ${startSeconds} s to ${endSeconds} s the video has no frame.`);
	const stretch = { startSeconds: frames.first / rate, seconds: (frames.end - frames.first) / rate };

	const isStreamed = tracks.videos.some(({ delivered }) => delivered);
	const folderOf = (delivered: boolean) => (delivered ? directory : work);
	for (const delivered of new Set([isStreamed, ...tracks.videos.map(({ delivered }) => delivered)]))
		await mkdir(join(folderOf(delivered), "media"), { recursive: true });
	const decisions: Decision[] = [];
	const pictures: (CutPictures & { readonly name: string; readonly delivered: boolean })[] = [];
	const videos: VideoTrack[] = [];
	const sounds: SoundTrack[] = [];
	await measure("encode", async () => {
		for (const [n, video] of tracks.videos.entries()) {
			const { path, track, codec, delivered } = video;
			if (video !== first) await fetchTrack(video);
			const { settings, maxBitrate } = rungOf({ codec, ...track });
			const rendition: PlannedRendition = {
				...{ name: track.name, codec, width: track.width, height: track.height },
				...{ ...settings.fast, maxBitrate: Math.round(maxBitrate * bitrateFactor(rate)), delivered },
			};
			const target = join(folderOf(delivered), `media/${track.name}.mp4`);
			const cut = await cutPictures({ ...run, folder: work }, { rendition, frameRate, path }, frames, target);
			pictures.push({ name: track.name, delivered, ...cut });
			if (cut.whole)
				decisions.push({
					about: track.name,
					decision: "encoded whole",
					because: "this machine's encoder sets decoders up differently than the source's did",
				});
			videos.push({ rendition, track: await readTrack(target, track.name), path: target });
			onProgress?.(Math.floor((60 * (n + 1)) / tracks.videos.length), []);
		}
		for (const { name, path, file, ...sound } of tracks.sounds) {
			if (file !== undefined) await fetchTrack({ file });
			const target = join(folderOf(isStreamed), `media/${name}.m4a`);
			await cutSound(path, stretch, target);
			const channels = sound.channels as Channels;
			const planned = { ...sound, name, channels, bitrate: audioBitrate[channels], filters: [], hidesPriming: true };
			sounds.push({ sound: planned, track: await readTrack(target, name), path: target });
		}
	});
	onProgress?.(70, []);
	const captions: CaptionTrack[] = [];
	for (const track of tracks.captions) if (await cutText(source, directory, track.path, stretch)) captions.push(track);
	const beside: string[] = [];
	for (const file of ["chapters.vtt", "transcript.vtt"])
		if (files.includes(file) && captions.every(({ path }) => path !== file))
			if (await cutText(source, directory, file, stretch)) beside.push(file);
	if (beside.includes("chapters.vtt")) beside.push(await writeChapterData(directory));

	const { outputs = kindsOf(files), moderationFrames = files.some((file) => file.startsWith("frames/")) } = options;
	const plan = planOfCut({ outputs, moderationFrames, frameRate, frames, videos, sounds });
	const encode: Encode = {
		...{ ...run, source: first.path, plan, directory, logger },
		paths: { video: ({ name }) => join(work, `${name}.mp4`), audio: ({ name }) => join(work, `${name}.m4a`) },
	};
	const placed = {
		...{ videos, sounds, decisions: [] },
		files: [...videos, ...sounds].flatMap(({ path }) =>
			dirname(path) === join(directory, "media") ? [`media/${basename(path)}`] : [],
		),
	};
	const { packaged, proof } = await measure("package", async () => {
		const stills = await cutStoryboard(encode, source, stretch.startSeconds);
		const looked = stills === null ? await keyFramesOfSheet(encode, videos) : null;
		const packaged = await packageTracks(encode, placed, {
			captions,
			beside,
			earlier: null,
			...(stills && { stills }),
			...(looked && { looked }),
		});
		onProgress?.(90, []);
		const made = [...packaged.files, ...captions.map(({ path }) => path), ...beside].sort();
		// All in one process, since each takes its time to start.
		const jpegs = made.filter((file) => file.endsWith(".jpg"));
		const fresh = videos.flatMap(({ track, path }, n) =>
			windowsOf(track, pictures[n]?.encoded ?? [], frames, rate).map((window) => ({ path, window })),
		);
		const shown = oneInputEach(jpegs).map((file) => ({ path: join(directory, file) }));
		if (fresh.length + shown.length > 0) await decodeQuietly(run, [...fresh, ...shown], [directory]);
		const proof = await prove(encode, {
			files: made,
			videos: videos.map(({ track }) => track),
			sounds: sounds.map(({ track }) => track),
			decoded: [...placed.files, ...jpegs, "web.mp4"],
		});
		return { packaged: { ...packaged, files: made }, proof };
	});
	await rm(work, { recursive: true });
	onProgress?.(100, []);
	const largest = videos.reduce((a, b) => (b.track.width > a.track.width ? b : a), videos[0] as VideoTrack);
	const seconds = Math.round(stretch.seconds * 1000) / 1000;
	return {
		files: packaged.files,
		renditions: listRenditions(isStreamed ? videos.filter(({ rendition }) => rendition.delivered) : videos),
		media: { duration_seconds: seconds, width: largest.track.width, height: largest.track.height },
		report: {
			...plan.report,
			cut: {
				start_seconds: stretch.startSeconds,
				end_seconds: stretch.startSeconds + stretch.seconds,
				frames: frames.end - frames.first,
				renditions: pictures.map(({ name, encoded, whole }) => ({
					...{ name, whole },
					encoded_frames: encoded.reduce((sum, { first, end }) => sum + end - first, 0),
				})),
			},
			decisions: [...decisions, ...packaged.decisions],
			proof,
			steps,
		},
	};
}

/** Reads how many frames a second a finished track has, at a moment whose frames can be read. */
async function frameRateOf(path: string, seconds: number): Promise<Rational> {
	const file = await openFragments(path);
	try {
		const fragment = file.fragments.findLast(({ startTicks }) => startTicks <= Math.max(0, seconds) * file.timescale);
		const [sample] = fragment === undefined ? [] : await file.samples(fragment);
		if (sample === undefined) throw new Error(`${path} has no pictures.`);
		const common = divisor(file.timescale, sample.ticks);
		return { numerator: file.timescale / common, denominator: sample.ticks / common };
	} finally {
		await file.close();
	}
}

/** Writes the part of a WebVTT file that belongs to a stretch. Returns false if it has none. */
async function cutText(
	source: CutSource,
	directory: string,
	path: string,
	stretch: { readonly startSeconds: number; readonly seconds: number },
): Promise<boolean> {
	const text = cutWebVtt(await source.text(path), stretch);
	if (text === null) return false;
	await mkdir(dirname(join(directory, path)), { recursive: true });
	await writeFile(join(directory, path), text);
	return true;
}

/** How much is decoded after a seam: the beginning of the next group of pictures, which shows that it follows. */
const secondsAfter = 0.5;

/**
 * Returns ffmpeg's options for the parts of a track that are new: from the key frame in front of each place where old
 * and new packets meet. One without options is the whole track, if all is new.
 */
function windowsOf(track: Track, encoded: readonly Frames[], frames: Frames, rate: number): string[][] {
	if (encoded.length === 0) return [];
	const seams = encoded
		.flatMap(({ first, end }) => [first, end])
		.filter((frame) => frame > frames.first && frame < frames.end)
		.map((frame) => (frame - frames.first) / rate);
	if (seams.length === 0) return [[]];
	return seams.map((seam) => {
		const from = track.segments.findLast(({ startSeconds }) => startSeconds < seam - 0.001)?.startSeconds ?? 0;
		// Rounded up: before a key frame the group in front of it would be decoded as well.
		const window = [Math.ceil(from * 1000) / 1000, seam - from + secondsAfter].map((seconds) => seconds.toFixed(3));
		return ["-ss", window[0] as string, "-t", window[1] as string];
	});
}

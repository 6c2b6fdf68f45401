import { mkdir, rm } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import type { ChunkWorkers } from "./encode/chunk-workers.ts";
import { type ChunkedEncode, type Cut, encodeInChunks } from "./encode/chunked-encode.ts";
import { chunkCount, mostChunks, splitFrames } from "./encode/chunks.ts";
import { encodeArguments } from "./encode/encode-arguments.ts";
import { decodeFiles } from "./mp4/decode-files.ts";
import { averageBandwidth } from "./package/bandwidth.ts";
import type { Captions } from "./package/hls.ts";
import type { Made } from "./package/manifests.ts";
import { type Packaged, packageTracks, placeTracks } from "./package/package-tracks.ts";
import type { EncodePlan, PlannedRendition } from "./plan/encode-plan.ts";
import { planEncode } from "./plan/plan-encode.ts";
import { prove } from "./prove.ts";
import { behindOthers, openPrograms, pasteable } from "./run/programs.ts";
import { beside } from "./run/run-both.ts";
import { probeWith } from "./source/probe.ts";
import { makeTranscript, type TranscriptStatus } from "./transcript/make-transcript.ts";
import type { Transcriber } from "./transcript/transcriber.ts";
import type { Codec, Logger, MediaJob, SourceProbe, Tools } from "./types.ts";

export type ProcessOptions = {
	/** Path of the source. */
	readonly source: string;
	/**
	 * Takes the outputs, and nothing else in the end; made if missing. What a failed run left in it is the caller's to
	 * remove.
	 */
	readonly directory: string;
	readonly job: MediaJob;
	readonly tools: Tools;
	/** Integer percent, never falling. */
	readonly onProgress?: (percent: number) => void;
	/** Called once, before anything is encoded and before the source's length is judged. */
	readonly onProbe?: (probe: SourceProbe) => void;
	readonly logger?: Logger;
	readonly signal?: AbortSignal;
	/** Each program is killed after so many seconds of wall clock; four hours unless told. */
	readonly maxSeconds?: number;
	/**
	 * Writes down what is said where the job wants it, beside the encoders. Without one, the transcript is `unavailable`.
	 */
	readonly transcriber?: Transcriber | undefined;
	/**
	 * Encodes H.264 ahead of AV1, which gets what processors are left, and calls this with what can be played by then,
	 * proved, with playlists of its own; none of it is changed before the promise is kept. The playlists are then written
	 * anew; tracks, web.mp4 and pictures stay as they are. Not called where a job has no AV1, or nothing but AV1. The
	 * whole takes a little more work: docs/guides/encoding.md.
	 */
	readonly onPlayable?: (made: Playable) => void | Promise<void>;
	/** Cores of the machine that this run may count on; all of them unless told. */
	readonly cores?: number;
	/**
	 * In how many chunks the source is cut; as many as `chunkCount` says unless told, which is one below sixteen such
	 * cores.
	 */
	readonly chunks?: number;
	/**
	 * Other workers that may encode chunks of this source. Where some wait, and the source is of 40 s or more and can be
	 * cut, it is cut for them and for this process, which encodes what they don't. Not used together with `onPlayable`,
	 * nor where this machine takes as many chunks at once by itself.
	 */
	readonly chunkWorkers?: ChunkWorkers | undefined;
};

export type MadeRendition = {
	readonly name: string;
	readonly codec: Codec;
	readonly width: number;
	readonly height: number;
	readonly bitrate: number;
};

export type Playable = {
	/** Paths relative to the directory, with forward slashes: those of the delivery plane. */
	readonly files: string[];
	readonly renditions: MadeRendition[];
};

export type Processed = Playable & {
	readonly media: { readonly duration_seconds: number; readonly width: number; readonly height: number };
	/** Of a video. `language` is ISO 639-1; null where there is no transcript or its language isn't known. */
	readonly transcript?: { readonly status: TranscriptStatus; readonly language: string | null };
	readonly report: { [key: string]: unknown };
};

/** The share of the encoders' work that is H.264's, for the progress. */
const h264Share = 0.3;

/** The renditions of one codec alone; the sound goes with H.264. */
const onlyCodec = (plan: EncodePlan, codec: Codec): EncodePlan => ({
	...plan,
	renditions: plan.renditions.filter((rendition) => rendition.codec === codec),
	sound: codec === "h264" ? plan.sound : null,
});

const isOfBoth = ({ renditions }: EncodePlan): boolean =>
	(["h264", "av1"] as const).every((codec) => renditions.some((one) => one.codec === codec && one.delivered));

const listed = (made: readonly Made[]): MadeRendition[] =>
	made.map(({ rendition: { codec }, track }) => ({
		name: track.name,
		codec,
		width: track.width,
		height: track.height,
		bitrate: averageBandwidth(track),
	}));

/** In which chunks the source is encoded, and by which other workers, if any. */
function chooseChunks(
	{ chunks, cores, chunkWorkers, onPlayable }: ProcessOptions,
	probed: SourceProbe,
	plan: EncodePlan,
): Cut {
	const cut = (count: number) => splitFrames(plan, count, probed.video.bytesBySecond);
	const here = chunkCount(probed, cores ?? availableParallelism());
	if (chunkWorkers === undefined || onPlayable !== undefined || chunkWorkers.count < 1)
		return { chunks: cut(chunks ?? here) };
	const across = chunks ?? Math.min(chunkWorkers.count + 1, mostChunks(probed));
	return across > 1 && (chunks !== undefined || across > here)
		? { chunks: cut(across), workers: chunkWorkers }
		: { chunks: cut(here) };
}

/**
 * Makes everything that a job asks for of one source, and proves it: probe, plan, encode, package. Resolves when all of
 * it stands in the directory. Rejects with MediaError where the source is at fault (trying again brings nothing), with
 * the signal's reason when aborted, with another Error where the machine is at fault; no program is left running in any
 * of these. Two runs must not share a directory.
 */
export async function process(options: ProcessOptions): Promise<Processed> {
	const { job, onProbe, logger, signal, maxSeconds } = options;
	const source = resolve(options.source);
	const directory = resolve(options.directory);
	let reported = -1;
	const progress = (percent: number) => {
		if (percent <= reported) return;
		reported = percent;
		options.onProgress?.(percent);
	};

	const programs = await openPrograms(options.tools, { logger, maxSeconds, signal });
	const probed = await probeWith(programs, source, signal);
	onProbe?.(probed);
	const plan = planEncode(probed, job);
	progress(1);

	const work = join(directory, ".work");
	const media = join(directory, "media");
	for (const folder of [work, media]) await mkdir(folder, { recursive: true });
	const paths = {
		video: (rendition: PlannedRendition) => join(work, `${rendition.name}.mp4`),
		audio: join(work, "audio.m4a"),
	};
	logger?.info(
		{
			command: pasteable([options.tools.ffmpeg, ...encodeArguments(plan, source, paths)]),
			decisions: plan.report.decisions,
		},
		"encoding",
	);
	const speech = {
		wanted: job.plan.transcript ?? false,
		transcriber: options.transcriber,
		source,
		work: join(work, "speech"),
	};
	const { onPlayable } = options;
	const cut = chooseChunks(options, probed, plan);
	const shares: Record<Codec, number> = { h264: 0, av1: 0 };
	const onShare = (codecs: readonly Codec[]) => (share: number) => {
		for (const codec of codecs) shares[codec] = share;
		progress(1 + Math.floor((h264Share * shares.h264 + (1 - h264Share) * shares.av1) * 89));
	};
	/** Packages and proves tracks of the plan, which were joined at these seams, after those of `earlier`. */
	const finish = async (
		part: EncodePlan,
		{
			seams,
			captions,
			earlier,
			signal,
		}: {
			seams: readonly number[];
			captions: Captions | null;
			earlier: Packaged | null;
			signal: AbortSignal | undefined;
		},
	) => {
		const placed = await placeTracks(part, { paths, directory, earlier });
		const [made] = await beside(
			(either) => packageTracks(programs, part, placed, { directory, captions, earlier, signal: either }),
			(either) => decodeFiles(programs, { directory, files: placed.files, seams, signal: either }),
			signal,
		);
		const files = [...made.files, ...(captions === null ? [] : ["transcript.vtt"])].sort();
		const decoded = [...placed.files, ...(earlier?.files ?? [])];
		return {
			...made,
			files,
			proved: await prove(programs, plan, { ...made.proof, directory, files, decoded, signal }),
		};
	};

	const encodeAll = async (either: AbortSignal): Promise<ChunkedEncode & { readonly earlier: Packaged | null }> => {
		if (onPlayable === undefined || !isOfBoth(plan)) {
			return {
				...(await encodeInChunks(programs, plan, source, paths, {
					...cut,
					signal: either,
					onShare: onShare(["h264", "av1"]),
				})),
				earlier: null,
			};
		}
		const encodeFirst = async (other: AbortSignal) => {
			const part = onlyCodec(plan, "h264");
			const first = await encodeInChunks(programs, part, source, paths, {
				...cut,
				signal: other,
				onShare: onShare(["h264"]),
			});
			const earlier = await finish(part, { seams: first.seams, captions: null, earlier: null, signal: other });
			await onPlayable({
				files: earlier.files,
				renditions: listed(earlier.made.filter(({ rendition }) => rendition.delivered)),
			});
			return { ...first, earlier };
		};
		const [first, later] = await beside(
			encodeFirst,
			(other) =>
				encodeInChunks(behindOthers(programs), onlyCodec(plan, "av1"), source, paths, {
					...cut,
					signal: other,
					onShare: onShare(["av1"]),
				}),
			either,
		);
		const order = { about: "AV1", decision: "encoded behind H.264", because: "H.264 was to be playable first" };
		return { decisions: [...first.decisions, ...later.decisions, order], seams: later.seams, earlier: first.earlier };
	};
	const [{ decisions: detours, seams, earlier }, transcript] = await beside(
		encodeAll,
		(either) =>
			makeTranscript(programs, plan, { ...speech, target: join(directory, "transcript.vtt"), logger, signal: either }),
		signal,
	);

	const captions = transcript.status === "available" ? { language: transcript.language } : null;
	progress(91);
	const made = await finish(earlier === null ? plan : onlyCodec(plan, "av1"), { seams, captions, earlier, signal });
	await rm(work, { recursive: true });
	const delivered = made.made.filter(({ rendition }) => rendition.delivered);
	if (delivered.length === 0) await rm(media, { recursive: true });
	progress(100);
	const streaming = plan.outputs.hls || plan.outputs.dash;
	return {
		files: made.files,
		renditions: listed(streaming ? delivered : made.made),
		media: {
			duration_seconds: plan.report.source.duration_seconds as number,
			width: probed.width,
			height: probed.height,
		},
		transcript: { status: transcript.status, language: transcript.language },
		report: {
			...plan.report,
			decisions: [...plan.report.decisions, ...detours, ...made.decisions, ...transcript.decisions],
			proof: made.proved,
		},
	};
}

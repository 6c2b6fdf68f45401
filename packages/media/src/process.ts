import { mkdir, rename, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { encodeArguments } from "./arguments.ts";
import { averageBandwidth } from "./bandwidth.ts";
import { beside } from "./beside.ts";
import { withinCaps } from "./caps.ts";
import { encode } from "./encode.ts";
import { writeExtras } from "./extras.ts";
import { writeManifests } from "./manifests.ts";
import { type Decision, type PlannedRendition, planEncode } from "./plan.ts";
import { probeWith } from "./probe.ts";
import { openPrograms, pasteable } from "./programs.ts";
import { prove } from "./prove.ts";
import { readTrack } from "./track.ts";
import type { Transcriber } from "./transcriber.ts";
import { makeTranscript, type TranscriptStatus } from "./transcript.ts";
import type { Codec, Logger, MediaJob, SourceProbe, Tools } from "./types.ts";

export type ProcessOptions = {
	/** Path of the source. */
	readonly source: string;
	/** Takes the outputs, and nothing else in the end; made if missing. What a failed run left in it is the caller's to remove. */
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
	/** Writes down what is said where the job wants it, beside the encoders. Without one, the transcript is `unavailable`. */
	readonly transcriber?: Transcriber | undefined;
};

export type MadeRendition = { readonly name: string; readonly codec: Codec; readonly width: number; readonly height: number; readonly bitrate: number };

export type Processed = {
	/** Paths relative to the directory, with forward slashes: those of the delivery plane. */
	readonly files: string[];
	readonly renditions: MadeRendition[];
	readonly media: { readonly duration_seconds: number; readonly width: number; readonly height: number };
	/** Of a video. `language` is ISO 639-1; null where there is no transcript or its language isn't known. */
	readonly transcript?: { readonly status: TranscriptStatus; readonly language: string | null };
	readonly report: { [key: string]: unknown };
};

const codecOrder: Record<Codec, number> = { h264: 0, av1: 1 };

/**
 * Makes everything that a job asks for of one source, and proves it: probe, plan, encode, package. Resolves when all of it stands in the directory.
 * Rejects with MediaError where the source is at fault (trying again brings nothing), with the signal's reason when aborted, with another Error where the
 * machine is at fault; no program is left running in any of these. Two runs must not share a directory.
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

	const programs = await openPrograms(options.tools, { logger, maxSeconds });
	const probed = await probeWith(programs, source, signal);
	onProbe?.(probed);
	const plan = planEncode(probed, job);
	progress(1);

	const work = join(directory, ".work");
	const media = join(directory, "media");
	for (const folder of [work, media]) await mkdir(folder, { recursive: true });
	const streaming = plan.outputs.hls || plan.outputs.dash;
	const paths = {
		video: (rendition: PlannedRendition) => join(work, `${rendition.name}.mp4`),
		audio: join(work, "audio.m4a"),
	};
	logger?.info({ command: pasteable([options.tools.ffmpeg, ...encodeArguments(plan, source, paths)]), decisions: plan.report.decisions }, "encoding");
	const speech = { wanted: job.plan.transcript ?? false, transcriber: options.transcriber, source, work: join(work, "speech") };
	const [detours, transcript] = await beside(
		(either) => encode(programs, plan, source, paths, { signal: either, onShare: (share) => progress(1 + Math.floor(share * 89)) }),
		(either) => makeTranscript(programs, plan, { ...speech, target: join(directory, "transcript.vtt"), logger, signal: either }),
		signal,
	);
	const captions = transcript.status === "available" ? { language: transcript.language } : null;

	const tracks = await Promise.all(
		plan.renditions.map(async (rendition) => ({ rendition, track: await readTrack(paths.video(rendition), rendition.name), path: paths.video(rendition) })),
	);
	const sorted = tracks.sort((a, b) => codecOrder[a.rendition.codec] - codecOrder[b.rendition.codec] || a.track.height - b.track.height);
	const { kept: made, dropped } = withinCaps(sorted, plan.outputs.mp4_fallback);
	const sound = plan.sound === null ? null : { track: await readTrack(paths.audio, "audio"), path: paths.audio };
	const extras = await writeExtras(programs, plan, { made, sound, directory, signal });
	const files = [...extras.files, ...(await writeManifests(plan, { made, sound, directory, captions })), ...(captions === null ? [] : ["transcript.vtt"])];
	const kept = made.filter(({ rendition }) => rendition.delivered);
	for (const { track, path } of [...kept, ...(sound !== null && kept.length > 0 ? [sound] : [])]) {
		const file = `media/${track.name}.${track === sound?.track ? "m4a" : "mp4"}`;
		await rename(path, join(directory, file));
		files.push(file);
	}
	await rm(work, { recursive: true });
	if (kept.length === 0) await rm(media, { recursive: true });
	progress(92);

	const proof = await prove(programs, plan, { directory, files, videos: made.map(({ track }) => track), audio: sound?.track ?? null, signal });
	progress(100);
	const drops = dropped.map(({ rendition, track }): Decision => {
		const because = `it came to ${averageBandwidth(track)} bits a second, above its cap of ${rendition.maxBitrate}`;
		return { about: rendition.name, decision: "dropped", because };
	});
	const listed = made.filter(({ rendition }) => rendition.delivered || !streaming);
	return {
		files: files.sort(),
		renditions: listed.map(({ rendition, track }) => ({
			name: track.name,
			codec: rendition.codec,
			width: track.width,
			height: track.height,
			bitrate: averageBandwidth(track),
		})),
		media: { duration_seconds: plan.report.source.duration_seconds as number, width: probed.width, height: probed.height },
		transcript: { status: transcript.status, language: transcript.language },
		report: { ...plan.report, decisions: [...plan.report.decisions, ...detours, ...drops, ...extras.decisions, ...transcript.decisions], proof },
	};
}

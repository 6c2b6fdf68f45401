import { rm } from "node:fs/promises";
import { chooseChunks } from "./encode/choose-chunks.ts";
import { encodeInChunks } from "./encode/chunked-encode.ts";
import { createDamageMeter } from "./encode/damage-meter.ts";
import { createEncodeMeter } from "./encode/encode-meter.ts";
import { openEncode, workFolder } from "./encode/open-encode.ts";
import { createProgress } from "./encode/progress.ts";
import { createSoundMeter } from "./encode/sound-meter.ts";
import { finishTracks, listRenditions } from "./finish-tracks.ts";
import { encodeH264First, firstRendition } from "./h264-first.ts";
import { openingFrames } from "./opening.ts";
import { planEncode } from "./plan/plan-encode.ts";
import type { Processed, ProcessOptions } from "./process-options.ts";
import { measureSteps } from "./run/measure-steps.ts";
import { runBoth } from "./run/run-both.ts";
import { findWords } from "./transcript/find-words.ts";
import { damageInside } from "./warnings/damage.ts";
import { warningDetails, warningsOf } from "./warnings/warnings.ts";

/**
 * Makes and proves everything that a job asks for of one source: probe, plan, encode, package, prove. All of it is in
 * the directory when the promise resolves. No program is left running when the promise settles. Two calls at once must
 * not share a directory.
 * @throws {MediaError} when the source can't be processed; another attempt would fail as well
 * @throws the signal's reason when aborted
 * @throws {Error} when the machine is at fault; another attempt may succeed
 * @example
 * ```ts
 * import { processVideo } from "@reelmill/media";
 *
 * const outputs = { hls: true, dash: false, mp4_fallback: true, og_thumbnail: false };
 * const made = await processVideo({
 * 	source: "clip.mp4",
 * 	directory: "outputs",
 * 	job: { plan: { renditions: ["h264_720"], outputs }, limits: { max_duration_seconds: 60 } },
 * 	tools: { ffmpeg: "ffmpeg", ffprobe: "ffprobe" },
 * });
 * console.log(made.media); // => { duration_seconds: 7.6, width: 720, height: 404 }
 * console.log(made.files.includes("hls/master.m3u8")); // => true
 * ```
 */
export async function processVideo(options: ProcessOptions): Promise<Processed> {
	const { job, transcriber, onPlayable, signal } = options;
	const encodeMeter = createEncodeMeter();
	const progress = createProgress((percent) => options.onProgress?.(percent, encodeMeter.begun()));
	const { measure, steps } = measureSteps();
	const opened = await measure("look", () => openEncode(options, (source) => planEncode(source, job)));
	const { probed } = opened;
	const { plan } = opened.encode;
	const soundMeter = createSoundMeter();
	const damageMeter = createDamageMeter();
	const encode = { ...opened.encode, soundMeter, damageMeter, encodeMeter };
	progress.tell(1);

	const cut = chooseChunks(
		{ ...options, isAlone: onPlayable !== undefined, byHardware: encode.hardware !== undefined },
		probed,
		plan,
	);
	const first = onPlayable !== undefined && cut.workers === undefined ? firstRendition(plan) : null;
	const frames = first && openingFrames(encode, probed, options.opening);
	const encodeAll = async (signal: AbortSignal) =>
		onPlayable !== undefined && first !== null
			? encodeH264First({ ...encode, signal }, { cut, first, frames }, { progress, onPlayable })
			: {
					...(await encodeInChunks({ ...encode, signal }, cut, progress.onShare("first", "rest"))),
					earlier: null,
					rest: encode,
				};
	const asked = { wanted: job.plan.transcript ?? false, transcriber, measure };
	const [{ decisions, seams, earlier, rest }, { transcript, captions, ...words }] = await runBoth(
		(signal) => measure("encode", () => encodeAll(signal)),
		(signal) => findWords({ ...encode, signal }, probed, asked),
		signal,
	);
	progress.tell(91);

	const { files, videos, sounds, proof, samples, ...finished } = await measure("package", () =>
		finishTracks({ ...rest, signal }, { seams, captions, beside: words.files, earlier }),
	);
	await rm(workFolder(encode.directory), { recursive: true });
	progress.tell(100);

	const damage = damageInside(damageMeter.measured(), probed);
	const known = { probed, plan, sound: soundMeter.measured(), damage, samples };
	const isStreamed = plan.outputs.hls || plan.outputs.dash;
	return {
		files: [...files],
		renditions: listRenditions(isStreamed ? videos.filter(({ rendition }) => rendition.delivered) : videos),
		media: {
			duration_seconds: plan.report.source.duration_seconds as number,
			width: probed.width,
			height: probed.height,
		},
		transcript,
		report: {
			...plan.report,
			sound_tracks: plan.report.sound_tracks.map((track) => ({
				...track,
				outputs: track.outputs.filter((name) => sounds.some(({ sound }) => sound.name === name)),
			})),
			text_tracks: words.report,
			decisions: [
				...plan.report.decisions,
				...(damage === null ? [] : [{ about: "damage", decision: "shown as it decodes", because: damage }]),
				...decisions,
				...finished.decisions,
				...words.decisions,
			],
			warnings: warningsOf(known),
			warning_details: warningDetails(known),
			proof,
			steps,
			encodes: encodeMeter.runs,
		},
	};
}

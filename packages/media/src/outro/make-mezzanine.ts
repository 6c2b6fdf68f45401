import { rm } from "node:fs/promises";
import { join } from "node:path";
import { encodeTracks } from "../encode/encode-tracks.ts";
import { openEncode, workFolder } from "../encode/open-encode.ts";
import { readTrack } from "../mp4/track.ts";
import { remuxMp4 } from "../package/web-mp4.ts";
import type { EncodePlan } from "../plan/encode-plan.ts";
import { planEncode } from "../plan/plan-encode.ts";
import { primingSamples } from "../plan/sound-filters.ts";
import type { Processed, ProcessOptions } from "../process-options.ts";
import { prove } from "../prove.ts";
import type { SourceProbe } from "../types.ts";
import { writeSilence } from "./silence.ts";

/** Little may be lost here: the mezzanine is encoded once more for each video that it is appended to. */
const quality = { crf: 17, bitrateFactor: 4 };
const file = "mezzanine.mp4";

/** What `makeMezzanine` needs: the uploaded card, and where the mezzanine goes. */
export type MezzanineOptions = Omit<ProcessOptions, "job"> & { readonly job: Pick<ProcessOptions["job"], "limits"> };

function planMezzanine(probed: SourceProbe, job: MezzanineOptions["job"]): EncodePlan {
	const outputs = { hls: false, dash: false, mp4_fallback: true, og_thumbnail: false };
	const plan = planEncode(probed, { ...job, plan: { renditions: ["h264_1080"], outputs } });
	const renditions = plan.renditions.map((rendition) => ({
		...rendition,
		crf: quality.crf,
		maxBitrate: rendition.maxBitrate * quality.bitrateFactor,
	}));
	return { ...plan, renditions };
}

/**
 * Normalises an outro to `mezzanine.mp4` in the directory: its own size up to 1080, H.264 at a constant rate, and
 * always with sound, which is silence if the outro has none. Rejects as `processVideo` does.
 * @example
 * ```ts
 * import { makeMezzanine } from "@reelmill/media";
 *
 * const { files, media } = await makeMezzanine({
 * 	source: "clip.mp4",
 * 	directory: "outro",
 * 	job: { limits: { max_duration_seconds: 60 } },
 * 	tools: { ffmpeg: "ffmpeg", ffprobe: "ffprobe" },
 * });
 * console.log(files, media.duration_seconds); // => [ 'mezzanine.mp4' ] 7.6
 * ```
 */
export async function makeMezzanine({ job, onProgress, ...options }: MezzanineOptions): Promise<Processed> {
	// Hardware keeps to a bit rate; too little may be lost here for that.
	const tools = { ...options.tools, hardware: undefined };
	const { encode, probed } = await openEncode({ ...options, tools }, (source) => planMezzanine(source, job));
	const { plan, paths, directory } = encode;
	const [rendition] = plan.renditions;
	if (rendition === undefined) throw new Error("The plan of a mezzanine has no rendition.");
	await encodeTracks(encode, { onShare: (share) => onProgress?.(Math.floor(share * 95), []) });
	const [sound] = plan.sounds;
	const audio = sound === undefined ? join(workFolder(directory), "silence.m4a") : paths.audio(sound);
	if (sound === undefined) await writeSilence(encode, plan.durationSeconds, audio);
	const video = paths.video(rendition);
	const track = await readTrack(video, "outro");
	await remuxMp4(encode, {
		video,
		audio,
		hiddenSamples: sound === undefined ? 0 : primingSamples,
		target: join(directory, file),
	});
	await rm(workFolder(directory), { recursive: true });
	const proof = await prove(encode, { files: [file], videos: [track], sounds: [] });
	onProgress?.(100, []);
	return {
		files: [file],
		renditions: [],
		media: {
			duration_seconds: plan.report.source.duration_seconds as number,
			width: probed.width,
			height: probed.height,
		},
		report: { ...plan.report, proof },
	};
}

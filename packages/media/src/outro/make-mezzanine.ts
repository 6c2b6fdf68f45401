import { mkdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { encode } from "../encode/encode-tracks.ts";
import { readTrack } from "../mp4/track.ts";
import { remuxMp4 } from "../package/web-mp4.ts";
import { planEncode } from "../plan/plan-encode.ts";
import type { Processed, ProcessOptions } from "../process.ts";
import { prove } from "../prove.ts";
import { openPrograms } from "../run/programs.ts";
import { probeWith } from "../source/probe.ts";
import { silence } from "./silence.ts";

/** It is encoded once more for each video that it is appended to, so little may be lost here. */
const quality = { crf: 17, bitrateFactor: 4 };
const file = "mezzanine.mp4";

export type MezzanineOptions = Omit<ProcessOptions, "job"> & { readonly job: Pick<ProcessOptions["job"], "limits"> };

/**
 * Normalises an outro to `mezzanine.mp4`: its own size up to 1080, H.264 at a constant rate, and always sound, silence
 * where it has none. It resolves and rejects as `process` does.
 */
export async function makeMezzanine({
	job,
	onProbe,
	onProgress,
	logger,
	signal,
	maxSeconds,
	tools,
	...options
}: MezzanineOptions): Promise<Processed> {
	const source = resolve(options.source);
	const directory = resolve(options.directory);
	const work = join(directory, ".work");
	const programs = await openPrograms(tools, { logger, maxSeconds, signal });
	const probed = await probeWith(programs, source, signal);
	onProbe?.(probed);
	const outputs = { hls: false, dash: false, mp4_fallback: true, og_thumbnail: false };
	const planned = planEncode(probed, { ...job, plan: { renditions: ["h264_1080"], outputs } });
	const renditions = planned.renditions.map((one) => ({
		...one,
		crf: quality.crf,
		maxBitrate: one.maxBitrate * quality.bitrateFactor,
	}));
	const plan = { ...planned, renditions };

	await mkdir(work, { recursive: true });
	const paths = { video: () => join(work, "video.mp4"), audio: join(work, "audio.m4a") };
	await encode(programs, plan, source, paths, { signal, onShare: (share) => onProgress?.(Math.floor(share * 95)) });
	if (plan.sound === null) await silence(programs, plan.durationSeconds, paths.audio, signal);
	const track = await readTrack(paths.video(), "outro");
	await remuxMp4(programs, paths.video(), paths.audio, join(directory, file), signal);
	await rm(work, { recursive: true });
	const proof = await prove(programs, plan, { directory, files: [file], videos: [track], audio: null, signal });
	onProgress?.(100);
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

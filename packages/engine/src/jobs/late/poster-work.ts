import { sourceFailureReasons } from "@reelmill/contracts";
import { outputsWith, replacedFiles } from "../../edits/index.ts";
import { createInTime } from "../../storage/index.ts";
import { sumOfOutput } from "../../sums/index.ts";
import type { Parts } from "../../system/index.ts";
import { isAdded, pictureFile, posterFiles, type StoredOutputs, sentPicture } from "../../videos/index.ts";
import { mostEntriesOfLate } from "../outputs/most-entries.ts";
import { finishedFile, storedFile } from "../sources/job-source.ts";
import type { MakeJob } from "./late-claims.ts";
import type { LateWork } from "./late-jobs.ts";

/** A row of `reelmill.posters`. */
export type PosterRecord = {
	readonly id: string;
	readonly at_seconds: number | null;
	readonly preview: boolean;
	/** Of a picture that was sent. */
	readonly content_type: string | null;
	readonly file_size: number | null;
};

export const posterJob: MakeJob<PosterRecord> = ({ outputs, width, height, job }) => ({
	kind: "poster",
	source:
		job.content_type === null
			? { content_type: "video/mp4", file_size: outputs.files[pictureFile(outputs) ?? ""] ?? 0 }
			: { content_type: job.content_type, file_size: job.file_size ?? 0 },
	transcript: null,
	poster: { at_seconds: job.at_seconds, preview: job.preview, width: width ?? 1280, height: height ?? 720 },
});

/** Gives an available video the pictures that its tenant chose, or the reason why there are none. */
export function createPosterWork({ clock }: Parts): LateWork<PosterRecord> {
	const inTime = createInTime(clock);
	return {
		mostEntries: mostEntriesOfLate,
		source({ job, video, stored }) {
			const { outputs } = video;
			if (job.content_type === null) return finishedFile(stored, outputs, pictureFile(outputs));
			return storedFile(stored, {
				key: sentPicture(video, job.id),
				size: job.file_size ?? 0,
				contentType: job.content_type,
			});
		},
		async complete({ job, video, stored, prefix }, _, { collect, end }) {
			const [poster, thumbnail, preview] = posterFiles;
			const paths = [poster, thumbnail, ...(job.preview ? [preview] : [])];
			const sizes = await collect(paths);
			const files = new Map<string, { size: number; sum: string | null }>();
			for (const path of paths) {
				const size = sizes[path] ?? 0;
				files.set(path, { size, sum: await sumOfOutput(stored.outputs, { key: prefix + path, size }, inTime) });
			}
			const before = video.outputs;
			const replaced = paths.filter((path) => Object.hasOwn(before.files, path) && !isAdded(before, path));
			const outputs = {
				...outputsWith(before, prefix, { files, removed: job.preview ? [] : [preview] }),
				poster: {
					source: job.content_type === null ? "frame" : "picture",
					at_seconds: job.at_seconds,
					first: {
						...before.poster?.first,
						...Object.fromEntries(replaced.map((path) => [path, before.files[path] as number])),
					},
				},
			} as const;
			return end({
				changes: { outputs },
				updates: ["poster"],
				discards: replacedFiles(before, outputs),
				keepsFiles: true,
			});
		},
		failed({ job, video }, reason) {
			const isUnreadable = reason !== null && (sourceFailureReasons as readonly string[]).includes(reason);
			const isPicture = job.content_type !== null;
			const { outputs } = video;
			const poster: StoredOutputs["poster"] = {
				first: {},
				...outputs.poster,
				source: isPicture ? "picture" : "frame",
				at_seconds: job.at_seconds,
				failure: isPicture && isUnreadable ? "picture_unreadable" : "processing_failed",
			};
			return { changes: { outputs: { ...outputs, poster } }, updates: ["poster"] };
		},
	};
}

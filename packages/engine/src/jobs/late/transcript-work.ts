import { transcriptFile as file } from "@reelmill/contracts/captions";
import type { Sql } from "sql-template-tag";
import { createReadText, editedOutputs, entriesOf, type FinishedVideo, listTranscript } from "../../edits/index.ts";
import { createInTime, type OwnedStores, type Stores } from "../../storage/index.ts";
import { sumOfOutput } from "../../sums/index.ts";
import type { Parts } from "../../system/index.ts";
import { type StoredOutputs, soundFile } from "../../videos/index.ts";
import { mostEntriesOfLate } from "../outputs/most-entries.ts";
import type { StoreArchive } from "../outputs/store-archive.ts";
import { finishedFile } from "../sources/job-source.ts";
import type { MakeJob } from "./late-claims.ts";
import type { LateWork } from "./late-jobs.ts";

export const transcriptJob: MakeJob<unknown> = ({ outputs, duration_seconds }) => ({
	kind: "transcript",
	source: { content_type: "video/mp4", file_size: outputs.files[soundFile(outputs) ?? ""] ?? 0 },
	plan: { transcript: true },
	transcript: { duration_seconds },
});

/** Gives an available video its transcript, or the status that says why it has none. */
export function createTranscriptWork(
	{ clock, random }: Parts,
	{ stores, storeArchive }: { stores: Stores; storeArchive: StoreArchive },
): LateWork<unknown> {
	const inTime = createInTime(clock);
	const readTextOf = createReadText({ clock }, stores);
	/** Saves the outputs with the transcript, after the playlists and the manifest that list it were stored. */
	const saveListed = async (
		video: FinishedVideo,
		{ outputs: storage }: OwnedStores,
		{ prefix, size, language }: { prefix: string; size: number; language: string | null },
		save: (next: StoredOutputs, unnoted?: Sql) => Promise<boolean>,
	): Promise<boolean> => {
		const sum = await sumOfOutput(storage, { key: prefix + file, size }, inTime);
		const { added, sums, ...before } = video.outputs;
		const { [file]: _, ...otherSums } = sums ?? {};
		const outputs = {
			...before,
			files: { ...before.files, [file]: size },
			added: { ...added, [file]: prefix },
			sums: { ...otherSums, ...(sum !== null && { [file]: sum }) },
		};
		const profileId = video.storage_profile_id;
		const listed = storage.capabilities.download
			? await listTranscript({ ...video, outputs, language }, readTextOf(outputs, profileId))
			: null;
		// Since the first edit, addresses lead to the copies also for what came later: these are then made anew.
		if (listed === null) return save({ ...outputs, ...(outputs.edit !== undefined && { edit: outputs.edit + 1 }) });
		const folder = `${video.domain_id}/${video.id}/edits/${random.uuid()}/`;
		const next = editedOutputs(outputs, folder, listed);
		return storeArchive({ prefix: folder, profileId }, entriesOf(listed.files), (unnoted) => save(next, unnoted));
	};
	return {
		mostEntries: mostEntriesOfLate,
		source: ({ video: { outputs }, stored }) => finishedFile(stored, outputs, soundFile(outputs)),
		async complete({ video, stored, prefix }, { media }, { collect, end }) {
			const { transcript_status, language } = media;
			const shared = { transcript_status, language };
			if (transcript_status !== "available") return end({ changes: shared, keepsFiles: false });
			const size = (await collect([file]))[file] ?? 0;
			return saveListed(video, stored, { prefix, size, language }, (outputs, unnoted) =>
				end({ changes: { ...shared, outputs }, updates: ["captions"], keepsFiles: true, unnoted }),
			);
		},
		failed: () => ({ changes: { transcript_status: "failed" } }),
	};
}

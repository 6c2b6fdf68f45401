import sql from "sql-template-tag";
import type { Domains } from "../domains/index.ts";
import { datedId, type Parts } from "../system/index.ts";
import {
	type AfterChange,
	eventOf,
	eventPart,
	type FileUrl,
	newRecord,
	type StoredOutputs,
	type VideoRecord,
	type VideoStore,
} from "../videos/index.ts";
import type { Place } from "./places.ts";
import type { Described } from "./playlists.ts";
import type { CheckedRow } from "./rows.ts";
import type { StoredSet } from "./sets.ts";

/** A set of outputs that was proved whole, with the sums that its row is to keep. */
export type ProvedSet = StoredSet & Described & Pick<StoredOutputs, "sums">;

export type Adoption = {
	/** Makes the video of `row` available with the set. Returns false if the row has changed meanwhile. */
	forRow(row: CheckedRow, place: Place, set: ProvedSet): Promise<boolean>;
	/**
	 * Makes a video of this id that is available with the set. Returns false if the domain is gone, or if the video has
	 * become known meanwhile.
	 */
	asNew(ids: { readonly domainId: string; readonly videoId: string }, place: Place, set: ProvedSet): Promise<boolean>;
};

const outputsOf = ({ prefix, files, renditions, sums }: ProvedSet): StoredOutputs => ({
	prefix,
	files: Object.fromEntries([...files].sort(([one], [other]) => (one < other ? -1 : 1))),
	renditions: [...renditions],
	web_mp4_outro_id: null,
	...(sums && { sums }),
});

export function createAdoption(
	{ database, clock, random }: Parts,
	{
		store,
		domains,
		fileUrl,
		webhookAttempts,
		afterChange,
	}: {
		store: VideoStore;
		domains: Domains;
		fileUrl: FileUrl;
		webhookAttempts: number;
		afterChange: AfterChange;
	},
): Adoption {
	/** The notes go first: a note of what was to be kept for a while must never meet a video that has it. */
	const forgetNotes = (folder: string, place: Place) =>
		database.query(sql`
			delete from reelmill.deletions n where n.kind = 'outputs' and ${place.holds(sql`n.storage_profile_id`)}
				and n.reference collate "C" >= ${`${folder}/`} and n.reference collate "C" < ${`${folder}0`}`);

	return {
		async forRow(row, place, set) {
			await forgetNotes(`${row.domain_id}/${row.id}`, place);
			const hasTranscript = set.files.has("transcript.vtt");
			const saved = await store.change(row.id, (record) =>
				record.version !== row.version
					? null
					: {
							command: { type: "adopt" },
							changes: {
								outputs: outputsOf(set),
								duration_seconds: set.durationSeconds ?? record.duration_seconds,
								width: set.width ?? record.width,
								height: set.height ?? record.height,
								uploaded_at: record.uploaded_at ?? set.firstAt,
								available_at: set.lastAt,
								transcript_status: hasTranscript
									? "available"
									: record.transcript_status === "pending"
										? "unavailable"
										: record.transcript_status,
							},
						},
			);
			if (saved === null || saved.record.state !== "available") return false;
			await afterChange(saved);
			return true;
		},
		async asNew({ domainId, videoId }, place, set) {
			const { config } = await domains.get(domainId);
			await forgetNotes(`${domainId}/${videoId}`, place);
			const size = [...set.files.values()].reduce((sum, bytes) => sum + bytes, 0);
			const plan = {
				renditions: config.renditions,
				outputs: config.outputs,
				transcript: false,
				moderation_frames: false,
				watermark: false,
				outro_id: null,
			};
			const declared = { content_type: "video/mp4", file_size: Math.max(1, set.files.get("web.mp4") ?? size) };
			const beginnings = {
				clock,
				random,
				pendingUploadSeconds: 0,
				domainId,
				plan,
				maxDurationSeconds: config.max_duration_seconds,
			};
			const now = new Date(clock.now());
			const record: VideoRecord = {
				...newRecord(declared, beginnings),
				id: videoId,
				state: "available",
				duration_seconds: set.durationSeconds,
				width: set.width,
				height: set.height,
				transcript_status: set.files.has("transcript.vtt") ? "available" : "disabled",
				outputs: outputsOf(set),
				progress: 100,
				created_at: set.firstAt,
				uploaded_at: set.firstAt,
				available_at: set.lastAt,
				expires_at: set.lastAt,
				storage_profile_id: place.profileId,
			};
			const { job, public_place, ...row } = record;
			const deliveryId = datedId(random.uuid(), now.getTime());
			const body = eventOf("video.ready", deliveryId, record, { fileUrl, now });
			const saved = await database.query(sql`
				with owner as (select d.id from reelmill.domains d where d.id = ${domainId} and d.deleted_at is null for no key update),
				saved as (
					insert into reelmill.videos select made.* from jsonb_populate_record(null::reelmill.videos, ${row}::jsonb) made, owner
					on conflict (id) do nothing returning id),
				counted as (update reelmill.domains d set storage_bytes = d.storage_bytes + ${size} from saved where d.id = ${domainId} returning d.id),
				${eventPart(domainId, videoId, { type: "video.ready", deliveryId, attempts: webhookAttempts, body }, now)}
				select id from saved`);
			if (saved.length === 0) return false;
			await afterChange({ record, discards: [], eventTold: true });
			return true;
		},
	};
}

import {
	type CompleteRequest,
	type FailRequest,
	isReelmillError,
	ReelmillError,
	type TranscriptStatus,
} from "@reelmill/contracts";
import { transcriptFile } from "@reelmill/contracts/captions";
import sql, { empty, type Sql } from "sql-template-tag";
import { createReadText, editedOutputs, entriesOf, listTranscript } from "../../edits/index.ts";
import { createInTime, type OwnedStores, type Stores } from "../../storage/index.ts";
import { sumOfOutput } from "../../sums/index.ts";
import { datedId, type Parts } from "../../system/index.ts";
import {
	type AfterChange,
	bytesIn,
	eventOf,
	eventPart,
	type FileUrl,
	folderOf,
	type StoredOutputs,
	soundFile,
	type VideoRecord,
	type VideoStore,
} from "../../videos/index.ts";
import type { ArchiveEntries } from "../job-operations.ts";
import { collectFiles } from "../outputs/outputs.ts";
import type { StoreArchive } from "../outputs/store-archive.ts";
import { type JobSource, storedFile } from "../sources/job-source.ts";
import { isFree, isSpent, maxLostTranscribers, noteAttempts, transcriptionAttempts } from "./transcription-claims.ts";

/** A row of `reelmill.transcriptions`, with the columns of its video that the job needs. */
type TranscriptionRecord = {
	readonly video_id: string;
	readonly domain_id: string;
	readonly lock: string | null;
	readonly delivery: string | null;
	readonly outputs: StoredOutputs;
	readonly storage_profile_id: string | null;
	readonly version: number;
	readonly duration_seconds: number | null;
	readonly language: string | null;
	readonly report: unknown;
};

/**
 * What workers do with jobs that make the transcript of an available video. The row exists as long as the transcript is
 * wanted. Every write fails with `invalid_video_state` if there is no row, and `not_lock_holder` for another lock; then
 * nothing is changed.
 */
export type TranscriptionJobs = {
	/** Renews the lock and returns when it ends. */
	heartbeat(videoId: string, lock: string, progress: number): Promise<Date>;
	/**
	 * Returns a finished file of the video that has its sound.
	 *
	 * @throws {ReelmillError} `file_not_found` when there is none; otherwise as the source of a video.
	 */
	source(videoId: string): Promise<JobSource>;
	/** Stores an archive of the attempt's files in place of the one before. */
	replaceOutputs(videoId: string, lock: string, entries: ArchiveEntries): Promise<void>;
	/** Returns where the worker puts the attempt's files one by one. */
	place(videoId: string, lock: string): Promise<{ readonly stored: OwnedStores; readonly prefix: string }>;
	/**
	 * Gives the video its transcript, or the status that says why it has none.
	 *
	 * @throws {ReelmillError} `outputs_incomplete`, as for a video.
	 */
	complete(videoId: string, request: CompleteRequest): Promise<void>;
	/**
	 * Lets the transcription wait again, or makes the transcript `failed` after the last attempt. A worker that was told
	 * to stop takes no attempt, and the next one may begin at once. One that was at fault takes none either, and another
	 * worker is preferred.
	 */
	fail(
		videoId: string,
		request: Pick<FailRequest, "lock" | "retryable" | "stopped" | "worker_fault">,
	): Promise<"waiting" | "failed">;
	/**
	 * Ends transcriptions without attempts left, or that lost too many workers, as `failed`, and deletes those of deleted
	 * videos.
	 */
	endSpent(): Promise<void>;
};

const file = transcriptFile;
const backoffMilliseconds = 5000;

export function createTranscriptionJobs(
	{ database, clock, random }: Parts,
	{
		stores,
		lockSeconds,
		storeArchive,
		onEnded,
		store,
		fileUrl,
		webhookAttempts,
		afterChange,
	}: {
		stores: Stores;
		store: Pick<VideoStore, "find">;
		fileUrl: FileUrl;
		webhookAttempts: number;
		afterChange: AfterChange;
		lockSeconds: number;
		storeArchive: StoreArchive;
		/** Called with a video whose transcript came to its end. */
		onEnded: (videoId: string) => void;
	},
): TranscriptionJobs {
	const inTime = createInTime(clock);
	const readTextOf = createReadText({ clock }, stores);
	const held = async (videoId: string, lock: string | null): Promise<TranscriptionRecord> => {
		const [row] = await database.query<TranscriptionRecord>(sql`
			select t.video_id, t.lock, t.delivery, v.domain_id, v.outputs, v.storage_profile_id, v.version, v.duration_seconds, v.language, v.report
			from reelmill.transcriptions t join reelmill.videos v on v.id = t.video_id where t.video_id = ${videoId} and v.deleted_at is null`);
		if (row === undefined) throw new ReelmillError("invalid_video_state");
		if (lock !== null && row.lock !== lock) throw new ReelmillError("not_lock_holder");
		return row;
	};
	/** Saves the outputs with the transcript, after the playlists and the manifest that list it were stored. */
	const saveListed = async (
		{ video_id, domain_id, storage_profile_id: profileId, ...video }: TranscriptionRecord,
		{ prefix, size, sum, language }: { prefix: string; size: number; sum: string | null; language: string | null },
		save: (next: StoredOutputs, unnoted?: Sql) => Promise<VideoRecord | null>,
	): Promise<VideoRecord | null> => {
		const { added, sums, ...before } = video.outputs;
		const { [file]: _, ...otherSums } = sums ?? {};
		const outputs = {
			...before,
			files: { ...before.files, [file]: size },
			added: { ...added, [file]: prefix },
			sums: { ...otherSums, ...(sum !== null && { [file]: sum }) },
		};
		const { capabilities } = (await stores.of(profileId)).outputs;
		const listed = capabilities.download
			? await listTranscript({ ...video, outputs, language }, readTextOf(outputs, profileId))
			: null;
		if (listed === null) return save(outputs);
		const folder = `${domain_id}/${video_id}/edits/${random.uuid()}/`;
		const next = editedOutputs(outputs, folder, listed);
		const place = { prefix: folder, profileId };
		return storeArchive(place, entriesOf(listed.files), (unnoted) => save(next, unnoted));
	};
	const isHeld = (videoId: string, lock: string) => sql`video_id = ${videoId} and lock = ${lock}`;
	/** Throws the reason why nothing was written. */
	const refused = async (videoId: string, lock: string): Promise<never> => {
		await held(videoId, lock);
		throw new ReelmillError("not_lock_holder");
	};
	/** Each attempt has a folder of its own: a worker that lost its lock can't change what is served. */
	const prefixOf = ({ domain_id, video_id }: TranscriptionRecord, lock: string, archive: string | null): string =>
		`${domain_id}/${video_id}/transcripts/${lock}/${archive === null ? "" : `${archive}/`}`;
	/**
	 * Ends the rows that `condition` finds, and makes their videos' transcripts `failed`. It locks the video's row before
	 * the transcription's, in the order of every other statement.
	 */
	const endAsFailed = (condition: ReturnType<typeof sql>): Promise<{ id: string }[]> =>
		database.query<{ id: string }>(sql`
			with wanted as (select v.id from reelmill.videos v join reelmill.transcriptions t on t.video_id = v.id where ${condition} order by v.id limit 100 for update of v),
			ended as (delete from reelmill.transcriptions t using wanted where t.video_id = wanted.id and ${condition} returning t.video_id, t.lock),
			${noteAttempts(sql`ended`, new Date(clock.now()))}
			update reelmill.videos v set transcript_status = 'failed', version = v.version + 1, updated_at = ${new Date(clock.now())}
			from ended where v.id = ended.video_id and v.deleted_at is null returning v.id`);

	const transcriptions: TranscriptionJobs = {
		async heartbeat(videoId, lock, progress) {
			const expiresAt = new Date(clock.now() + lockSeconds * 1000);
			const [row] = await database.query(sql`
				update reelmill.transcriptions set lock_expires_at = ${expiresAt}, progress = greatest(progress, ${progress}::integer) where ${isHeld(videoId, lock)} returning video_id`);
			return row === undefined ? refused(videoId, lock) : expiresAt;
		},
		async source(videoId) {
			const { outputs, storage_profile_id } = await held(videoId, null);
			const path = soundFile(outputs);
			if (path === null) throw new ReelmillError("file_not_found");
			const key = folderOf(outputs, path) + path;
			return storedFile(await stores.of(storage_profile_id), {
				key,
				size: outputs.files[path] as number,
				contentType: "video/mp4",
			});
		},
		async replaceOutputs(videoId, lock, entries) {
			const record = await held(videoId, lock);
			const archive = random.uuid();
			const place = { prefix: prefixOf(record, lock, archive), profileId: record.storage_profile_id };
			await storeArchive(place, entries, async (unnoted) => {
				const named = await database.query(sql`
					with held as (select video_id, lock, delivery from reelmill.transcriptions where ${isHeld(videoId, lock)} for update),
					named as (update reelmill.transcriptions t set delivery = ${archive} from held where t.video_id = held.video_id returning t.video_id), ${unnoted},
					replaced as (select * from held where delivery is not null),
					${noteAttempts(sql`replaced`, new Date(clock.now()), sql`o.delivery || '/'`)}
					select video_id from named`);
				if (named.length === 0) await refused(videoId, lock);
			});
		},
		async place(videoId, lock) {
			const record = await held(videoId, lock);
			return { stored: await stores.of(record.storage_profile_id), prefix: prefixOf(record, lock, null) };
		},
		async complete(videoId, request) {
			const { lock, media } = request;
			const record = await held(videoId, lock);
			const prefix = prefixOf(record, lock, record.delivery);
			const isThere = media.transcript_status === "available";
			const { outputs } = await stores.of(record.storage_profile_id);
			const collect = () =>
				collectFiles(outputs, prefix, [...request.outputs.files, file]).catch(async (error: unknown) => {
					// Whoever ends a transcription removes its files. The loss of the lock is then the error to throw.
					if (isReelmillError(error, "outputs_incomplete")) await held(videoId, lock);
					throw error;
				});
			const found = isThere ? await collect() : {};
			const size = found[file] ?? 0;
			const sum = isThere ? await sumOfOutput(outputs, { key: prefix + file, size }, inTime) : null;
			const status: TranscriptStatus = media.transcript_status;
			const now = new Date(clock.now());
			const video = await store.find(videoId);
			const deliveryId = datedId(random.uuid(), now.getTime());
			const save = async (next: StoredOutputs, unnoted: Sql | null = null): Promise<VideoRecord | null> => {
				// Another change came between the two readings.
				if (video?.version !== record.version) return null;
				const changed: VideoRecord = {
					...video,
					...{ outputs: next, transcript_status: status, language: media.language, updated_at: now },
					...(isThere && video.public_place !== null && { public_place: { ...video.public_place, publication: null } }),
				};
				const body = eventOf("video.updated", deliveryId, changed, { fileUrl, now, changed: ["captions"] });
				const event = { type: "video.updated", deliveryId, body, attempts: webhookAttempts } as const;
				const saved = await database.query(sql`
				with wanted as (select v.id from reelmill.videos v where v.id = ${videoId} and v.version = ${record.version} and v.deleted_at is null for update),
				ended as (
					delete from reelmill.transcriptions t using wanted
					where t.video_id = wanted.id and t.lock = ${lock} and t.delivery is not distinct from ${record.delivery}::uuid returning t.video_id, case when not ${isThere}::boolean then t.lock end as lock),
				${noteAttempts(sql`ended`, now)},
				saved as (
					update reelmill.videos v set transcript_status = ${status}, language = ${media.language}, outputs = ${next}::jsonb, version = v.version + 1, updated_at = ${now}
					from ended where v.id = ended.video_id returning v.id, v.domain_id),
				${isThere ? sql`${eventPart(record.domain_id, videoId, event, now)},` : empty}
				${unnoted === null ? empty : sql`named as (select id from saved), ${unnoted},`}
				counted as (update reelmill.domains d set storage_bytes = d.storage_bytes + ${bytesIn(next) - bytesIn(record.outputs)} from saved where d.id = saved.domain_id returning d.id)
				select id from saved`);
				return saved.length === 0 ? null : changed;
			};
			const saved = await (isThere
				? saveListed(record, { prefix, size, sum, language: media.language }, save)
				: save(record.outputs));
			// If the lock is still held, only the archive was replaced meanwhile.
			if (saved === null) {
				await held(videoId, lock);
				return transcriptions.complete(videoId, request);
			}
			await afterChange({ record: saved, discards: [], eventTold: isThere });
		},
		async fail(videoId, { lock, retryable, stopped = false, worker_fault: fault }) {
			const isAtFault = fault !== undefined;
			const takesNone = stopped || isAtFault;
			const mayGoOn = isAtFault
				? sql`lost + 1 < ${maxLostTranscribers}`
				: sql`(${stopped} or attempt < ${transcriptionAttempts})`;
			const now = new Date(clock.now());
			const notBefore = new Date(now.getTime() + (stopped ? 0 : backoffMilliseconds));
			const [row] = await database.query(sql`
				with waiting as (
					update reelmill.transcriptions set lock = null, lock_expires_at = null, worker = null, not_before = ${notBefore}, attempt = attempt - ${takesNone}::boolean::integer,
						lost = lost + ${isAtFault}::boolean::integer, given_back_by = case when ${isAtFault}::boolean then array_append(given_back_by, coalesce(worker, '')) else given_back_by end,
						given_back_at = case when ${isAtFault}::boolean then ${now} else given_back_at end
					where ${isHeld(videoId, lock)} and ${retryable} and ${mayGoOn} returning video_id, ${lock}::uuid as lock),
				${noteAttempts(sql`waiting`, now)}
				select video_id from waiting`);
			if (row !== undefined) return "waiting";
			const [failed] = await endAsFailed(sql`t.video_id = ${videoId} and t.lock = ${lock}`);
			if (failed === undefined) return refused(videoId, lock);
			onEnded(videoId);
			return "failed";
		},
		async endSpent() {
			const spent = await endAsFailed(sql`${isSpent} and ${isFree(new Date(clock.now()))}`);
			for (const { id } of spent) onEnded(id);
			await database.query(
				sql`delete from reelmill.transcriptions t where not exists (select from reelmill.videos v where v.id = t.video_id and v.deleted_at is null)`,
			);
		},
	};
	return transcriptions;
}

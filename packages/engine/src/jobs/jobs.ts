import {
	type Chunks,
	type CompleteRequest,
	type FailRequest,
	isReelmillError,
	type Job,
	type NextChunkRequest,
	type OfferChunksRequest,
	type OutputUrls,
	type OutputUrlsRequest,
	ReelmillError,
	sourceFailureReasons,
	type VideoState,
} from "@reelmill/contracts";
import sql from "sql-template-tag";
import type { ServicePrincipal } from "../accounts/index.ts";
import type { Bytes } from "../ports/index.ts";
import { createInTime, readRecorded, type Stores } from "../storage/index.ts";
import type { Parts } from "../system/index.ts";
import {
	type AfterChange,
	type Discard,
	isWorked,
	type Step,
	type VideoRecord,
	type VideoStore,
} from "../videos/index.ts";
import { checkMedia } from "./check-media.ts";
import { checkOutputs } from "./check-outputs.ts";
import type { ChunkOffers } from "./chunk-offers.ts";
import type { HeldChunks } from "./chunks.ts";
import type { Claims } from "./claim.ts";
import { nameDelivery, namePlayable, readingSeconds } from "./deliveries.ts";
import type { Forsake } from "./forsake.ts";
import { type JobSource, storedFile, uploadedFile } from "./job-source.ts";
import { mostEntries } from "./most-entries.ts";
import { presignOutputs } from "./output-urls.ts";
import {
	attemptPrefix,
	collectAttempt,
	collectFiles,
	deliveryPrefix,
	mezzanine,
	plannedFiles,
	playablePrefix,
	storeFiles,
} from "./outputs.ts";
import type { HeldTranscriptions } from "./transcriptions.ts";
import { type JobsOfVideos, withChunks } from "./with-chunks.ts";
import { withTranscriptions } from "./with-transcriptions.ts";

export type Probed = { readonly duration_seconds: number; readonly width: number; readonly height: number };
export type HeartbeatInput = { readonly lock: string; readonly progress: number; readonly probe?: Probed | undefined };

/**
 * The workers' side. Every write is fenced: a job that isn't being worked on is `invalid_video_state`, another lock
 * than the present one `not_lock_holder`, an unknown id `video_not_found`; then nothing is changed. Chunks are jobs
 * likewise, for as long as the attempt lasts that offered them, and so are transcripts of videos that are available.
 */
export type Jobs = {
	/**
	 * The waiting job whose turn it is: tenants take turns, each with its oldest. Null when none came within
	 * `wait_seconds` (0 to 30).
	 */
	claim(principal: ServicePrincipal, input: ClaimInput, signal?: AbortSignal): Promise<Job | null>;
	/** Throws `video_not_claimable`. */
	claimById(principal: ServicePrincipal, id: string, input: Pick<ClaimInput, "worker" | "takes_sandbox">): Promise<Job>;
	/**
	 * Renews the lock. The first one moves the video to `encoding`; progress never goes back, nor with another attempt.
	 */
	heartbeat(id: string, input: HeartbeatInput): Promise<{ lock_expires_at: string }>;
	/**
	 * The raw upload. Throws `file_not_found` once it is deleted, and `storage_backend_unsupported` where its storage
	 * gives neither bytes nor an address.
	 */
	source(id: string): Promise<JobSource>;
	/**
	 * The mezzanine of the outro that the video pinned. Throws `file_not_found` where it pinned none, or its bytes are
	 * gone, and as `source` does.
	 */
	outro(id: string): Promise<JobSource>;
	/**
	 * How many entries, folders among them, an archive of the attempt's outputs may have, by what the job asks for.
	 * Whoever reads one for `replaceOutputs` holds it to that.
	 */
	mostEntries(id: string, lock: string): Promise<number>;
	/**
	 * Stores the attempt's outputs in place of what it stored before. Throws `invalid_zip_entry`; then the attempt has
	 * none. With `playable` they are what can be played before the job is done, apart from its outputs: served from now
	 * on until the attempt ends, where the operator lets it.
	 */
	replaceOutputs(
		id: string,
		lock: string,
		entries: AsyncIterable<{ readonly path: string; readonly bytes: Bytes }>,
		part?: "whole" | "playable",
	): Promise<void>;
	/**
	 * Where the worker may put these files of the attempt itself, for some minutes; `data` is null where it can't.
	 * Nothing is stored or replaced by asking. Throws `invalid_zip_entry`, and `zip_too_large` where they hold more than
	 * `mostBytes`.
	 */
	outputUrls(id: string, input: OutputUrlsRequest, mostBytes: number): Promise<OutputUrls>;
	/**
	 * Makes the attempt's outputs the video's, in the transaction that makes it available. Throws `outputs_incomplete`
	 * with `missing`, files of another size than declared, empty ones, and playlists that lead to what isn't there among
	 * them; `validation_error` for a length or sizes beyond the job's limits. The lock is kept.
	 */
	complete(id: string, input: CompleteRequest): Promise<{ id: string; state: VideoState | "done" }>;
	/** Gives the job back for another attempt, or fails the video. */
	fail(id: string, input: FailRequest): Promise<{ id: string; state: VideoState | "waiting" }>;
	/** Offers chunks of the video, whose ids come back in order; offered twice by one attempt, the first ones. */
	offerChunks(id: string, input: OfferChunksRequest): Promise<{ data: string[] }>;
	/** How the attempt's chunks stand, and one of them for its own worker where that asks for one and there is one. */
	nextChunk(id: string, input: NextChunkRequest): Promise<Chunks>;
	/**
	 * A file of a chunk that is done, for the worker that has the video, by that one's lock. Throws `file_not_found`, and
	 * as `source` does.
	 */
	part(id: string, input: { readonly lock: string; readonly path: string }): Promise<JobSource>;
};

export type ClaimInput = {
	readonly worker: string;
	readonly wait_seconds: number;
	readonly takes_chunks?: boolean | undefined;
	readonly takes_transcripts?: boolean | undefined;
	readonly takes_sandbox?: boolean | undefined;
	readonly machine?: string | undefined;
};

export function createJobs(
	{ database, clock, random }: Parts,
	{
		store,
		claims,
		chunks,
		chunkOffers,
		transcriptions,
		stores,
		lockSeconds,
		afterChange,
		giveBack,
		forsake,
	}: {
		store: VideoStore;
		claims: Claims;
		chunks: HeldChunks;
		chunkOffers: ChunkOffers;
		transcriptions: HeldTranscriptions;
		stores: Stores;
		lockSeconds: number;
		afterChange: AfterChange;
		/** What becomes of a job whose attempt is over without a result. */
		giveBack: (record: VideoRecord) => Step;
		forsake: Forsake;
	},
): Jobs {
	const held = (record: VideoRecord | null, lock: string): VideoRecord => {
		if (record === null) throw new ReelmillError("video_not_found");
		if (!isWorked(record.state)) throw new ReelmillError("invalid_video_state");
		if (record.job?.lock !== lock) throw new ReelmillError("not_lock_holder");
		return record;
	};
	const change = async (
		id: string,
		lock: string,
		step: (record: VideoRecord) => Step | null,
	): Promise<{ id: string; state: VideoState }> => {
		const saved = await store.change(id, (record) => step(held(record, lock)));
		if (saved === null) throw new ReelmillError("video_not_found");
		await afterChange(saved);
		return { id, state: saved.record.state };
	};

	const inTime = createInTime(clock);
	const complete: Jobs["complete"] = async (id, request) => {
		const { lock, outputs: made, media, report } = request;
		const record = held(await store.find(id), lock);
		checkMedia(record, request);
		const delivery = record.job?.delivery ?? null;
		const prefix = deliveryPrefix(record.domain_id, id, lock, delivery);
		const { outputs } = await stores.of(record.storage_profile_id);
		const folder = attemptPrefix(record.domain_id, id, lock);
		const { files, strays } = await collectAttempt(outputs, { folder, delivery }, [
			...made.files,
			...plannedFiles(record),
		]).catch(async (error: unknown) => {
			// Whoever ended the job removes its outputs: then that is what is to be told.
			if (isReelmillError(error, "outputs_incomplete")) held(await store.find(id), lock);
			throw error;
		});
		const read = async (path: string, largest: number) => {
			if (!outputs.capabilities.download) return null;
			const bytes = await readRecorded(
				outputs,
				{ key: prefix + path, size: files[path] as number, largest, isOfType: () => true },
				inTime,
			);
			if (bytes === null)
				throw new ReelmillError("outputs_incomplete", { message: `Missing: ${path}.`, extras: { missing: [path] } });
			return new TextDecoder().decode(bytes);
		};
		await checkOutputs({ plan: record.plan, files, media, renditions: made.renditions, read }).catch(
			async (error: unknown) => {
				if (isReelmillError(error, "outputs_incomplete")) held(await store.find(id), lock);
				throw error;
			},
		);
		let isReplaced = false;
		const changes = {
			duration_seconds: media.duration_seconds,
			width: media.width,
			height: media.height,
			transcript_status: media.transcript_status,
			language: media.language,
			available_at: new Date(clock.now()),
			outputs: {
				prefix,
				files,
				renditions: made.renditions,
				web_mp4_outro_id: made.has_outro === true ? record.outro_id : null,
			},
			report: report ?? null,
		};
		const completed = await change(id, lock, ({ job }) => {
			isReplaced = (job?.delivery ?? null) !== delivery;
			const playable = job?.playable?.prefix ?? null;
			const onlyIfJob = sql`j.delivery is not distinct from ${delivery}::uuid and j.playable ->> 'prefix' is not distinct from ${playable}::text`;
			const discards: Discard[] = strays.map((reference) => ({ kind: "outputs", reference }));
			if (playable !== null) discards.push({ kind: "outputs", reference: playable, laterSeconds: readingSeconds });
			return isReplaced ? null : { command: { type: "complete" }, changes, onlyIfJob, discards };
		});
		return isReplaced ? complete(id, request) : completed;
	};

	const jobs: JobsOfVideos = {
		claim: (
			principal,
			{ worker, wait_seconds, takes_chunks = false, takes_transcripts = false, takes_sandbox = true, machine = null },
			signal,
		) =>
			claims.next(
				{
					worker: `${principal.name}/${worker}`,
					takesChunks: takes_chunks,
					takesTranscripts: takes_transcripts,
					takesSandbox: takes_sandbox,
					machine,
				},
				wait_seconds,
				signal,
			),
		claimById: (principal, id, { worker, takes_sandbox = true }) =>
			claims.byId(id, { worker: `${principal.name}/${worker}`, takesSandbox: takes_sandbox }),
		async heartbeat(id, { lock, progress, probe }) {
			const expiresAt = new Date(clock.now() + lockSeconds * 1000);
			const [row] = await database.query<{ state: VideoState }>(sql`
				update reelmill.jobs j set lock_expires_at = ${expiresAt}, progress = greatest(j.progress, ${progress}::integer)
				from reelmill.videos v where j.id = ${id} and v.id = j.id and j.lock = ${lock} and v.state in ('locked', 'encoding')
				returning v.state`);
			if (row === undefined || row.state === "locked" || probe) {
				await change(id, lock, (record) => ({
					...(record.state === "locked" && { command: { type: "begin" } }),
					changes: probe ?? {},
				}));
			}
			return { lock_expires_at: expiresAt.toISOString() };
		},
		async source(id) {
			const record = await store.find(id);
			if (record === null) throw new ReelmillError("video_not_found");
			return uploadedFile(await stores.of(record.storage_profile_id), record);
		},
		async outro(id) {
			const video = await store.find(id);
			if (video === null) throw new ReelmillError("video_not_found");
			const asset = video.outro_id === null ? null : await store.find(video.outro_id);
			const size = asset?.outputs?.files[mezzanine];
			if (!asset?.outputs || size === undefined) throw new ReelmillError("file_not_found");
			const key = asset.outputs.prefix + mezzanine;
			return storedFile(await stores.of(asset.storage_profile_id), { key, size, contentType: "video/mp4" });
		},
		mostEntries: async (id, lock) => mostEntries(held(await store.find(id), lock)),
		async replaceOutputs(id, lock, entries, part = "whole") {
			const record = held(await store.find(id), lock);
			const { outputs } = await stores.of(record.storage_profile_id);
			const delivery = random.uuid();
			const prefix =
				part === "whole"
					? deliveryPrefix(record.domain_id, id, lock, delivery)
					: playablePrefix(record.domain_id, id, delivery);
			try {
				await storeFiles(outputs, prefix, entries);
				const now = new Date(clock.now());
				const discards =
					part === "whole"
						? await nameDelivery(database, record, { lock, delivery, now })
						: await namePlayable(database, record, {
								lock,
								playable: { prefix, files: await collectFiles(outputs, prefix, []) },
								now,
							});
				if (discards === null) held(await store.find(id), lock);
				else await afterChange({ record, discards, eventTold: false });
			} catch (error) {
				await forsake({ prefix, profileId: record.storage_profile_id }, error);
				throw error;
			}
		},
		async outputUrls(id, { lock, files }, mostBytes) {
			const record = held(await store.find(id), lock);
			const stored = await stores.of(record.storage_profile_id);
			return presignOutputs(stored, {
				prefix: deliveryPrefix(record.domain_id, id, lock, null),
				files,
				mostBytes,
				clock,
			});
		},
		complete,
		fail: (id, { lock, reason, retryable, message }) =>
			change(id, lock, (record) => {
				if (retryable) return giveBack(record);
				// What a worker says of a source is meant for its owner; of anything else it may tell of the installation.
				const isTold = message !== undefined && (sourceFailureReasons as readonly string[]).includes(reason);
				return { command: { type: "fail", reason }, changes: { report: isTold ? { failure: message } : null } };
			}),
	};
	const all = withChunks(jobs, { store, chunks, chunkOffers, stores, clock, held, onOffered: () => claims.wake() });
	return withTranscriptions(all, { transcriptions, clock });
}

import { type CompleteRequest, type FailRequest, type Job, type OutputUrls, type OutputUrlsRequest, ReelmillError, type VideoState } from "@reelmill/contracts";
import sql from "sql-template-tag";
import type { ServicePrincipal } from "../accounts/index.ts";
import type { ByteRange, Bytes, Clock, Database } from "../ports/index.ts";
import type { Stores } from "../storage/index.ts";
import { type AfterChange, isWorked, type Step, type VideoRecord, type VideoStore } from "../videos/index.ts";
import type { Claims } from "./claim.ts";
import { presignOutputs } from "./output-urls.ts";
import { attemptPrefix, collectFiles, mezzanine, plannedFiles, replaceFiles } from "./outputs.ts";

/**
 * The raw upload. `elsewhere`, where the storage has such an address, is where a GET finds it without other credentials for a quarter of an hour, and who
 * named the place: a tenant's may lead anywhere, and is followed through a guard alone. Otherwise it is null, and `read` gives the bytes.
 */
export type JobSource = {
	readonly size: number;
	readonly contentType: string;
	readonly elsewhere: { readonly url: string; readonly owner: "platform" | "tenant" } | null;
	read(range?: ByteRange): Promise<Bytes>;
};
export type Probed = { readonly duration_seconds: number; readonly width: number; readonly height: number };
export type HeartbeatInput = { readonly lock: string; readonly progress: number; readonly probe?: Probed | undefined };

/** A download that is cut asks for a new address, so this need only last until it has begun. */
const presignedSeconds = 900;

/**
 * The workers' side. Every write is fenced: a job that isn't being worked on is `invalid_video_state`, another lock than the present one `not_lock_holder`,
 * an unknown id `video_not_found`; then nothing is changed.
 */
export type Jobs = {
	/** The oldest waiting job, or null when none came within `wait_seconds` (0 to 30). */
	claim(principal: ServicePrincipal, input: { worker: string; wait_seconds: number }, signal?: AbortSignal): Promise<Job | null>;
	/** Throws `video_not_claimable`. */
	claimById(principal: ServicePrincipal, id: string, input: { worker: string }): Promise<Job>;
	/** Renews the lock. The first one moves the video to `encoding`; progress never goes back within an attempt. */
	heartbeat(id: string, input: HeartbeatInput): Promise<{ lock_expires_at: string }>;
	/** The raw upload. Throws `file_not_found` once it is deleted, and `storage_backend_unsupported` where its storage gives neither bytes nor an address. */
	source(id: string): Promise<JobSource>;
	/** The mezzanine of the outro that the video pinned. Throws `file_not_found` where it pinned none, or its bytes are gone, and as `source` does. */
	outro(id: string): Promise<JobSource>;
	/** Stores the attempt's outputs in place of what it stored before. Throws `invalid_zip_entry`; then the attempt has none. */
	replaceOutputs(id: string, lock: string, entries: AsyncIterable<{ readonly path: string; readonly bytes: Bytes }>): Promise<void>;
	/**
	 * Where the worker may put these files of the attempt itself, for some minutes; `data` is null where it can't. Nothing is stored or replaced by asking.
	 * Throws `invalid_zip_entry`, and `zip_too_large` where they hold more than `mostBytes`.
	 */
	outputUrls(id: string, input: OutputUrlsRequest, mostBytes: number): Promise<OutputUrls>;
	/** Makes the attempt's outputs the video's, in the transaction that makes it available. Throws `outputs_incomplete` with `missing`, files of another size than declared among them; the lock is kept. */
	complete(id: string, input: CompleteRequest): Promise<{ id: string; state: VideoState }>;
	/** Gives the job back for another attempt, or fails the video. */
	fail(id: string, input: FailRequest): Promise<{ id: string; state: VideoState }>;
};

export function createJobs({
	database,
	store,
	claims,
	clock,
	stores,
	lockSeconds,
	afterChange,
	giveBack,
}: {
	database: Database;
	store: VideoStore;
	claims: Claims;
	clock: Clock;
	stores: Stores;
	lockSeconds: number;
	afterChange: AfterChange;
	/** What becomes of a job whose attempt is over without a result. */
	giveBack: (record: VideoRecord) => Step;
}): Jobs {
	const held = (record: VideoRecord | null, lock: string): VideoRecord => {
		if (record === null) throw new ReelmillError("video_not_found");
		if (!isWorked(record.state)) throw new ReelmillError("invalid_video_state");
		if (record.job?.lock !== lock) throw new ReelmillError("not_lock_holder");
		return record;
	};
	const change = async (id: string, lock: string, step: (record: VideoRecord) => Step): Promise<{ id: string; state: VideoState }> => {
		const saved = await store.change(id, (record) => step(held(record, lock)));
		if (saved === null) throw new ReelmillError("video_not_found");
		await afterChange(saved);
		return { id, state: saved.record.state };
	};

	return {
		claim: (principal, { worker, wait_seconds }, signal) => claims.next(`${principal.name}/${worker}`, wait_seconds, signal),
		claimById: (principal, id, { worker }) => claims.byId(id, `${principal.name}/${worker}`),
		async heartbeat(id, { lock, progress, probe }) {
			const expiresAt = new Date(clock.now() + lockSeconds * 1000);
			const [row] = await database.query<{ state: VideoState }>(sql`
				update reelmill.jobs j set lock_expires_at = ${expiresAt}, progress = greatest(j.progress, ${progress}::integer)
				from reelmill.videos v where j.id = ${id} and v.id = j.id and j.lock = ${lock} and v.state in ('locked', 'encoding')
				returning v.state`);
			if (row === undefined || row.state === "locked" || probe) {
				await change(id, lock, (record) => ({ ...(record.state === "locked" && { command: { type: "begin" } }), changes: probe ?? {} }));
			}
			return { lock_expires_at: expiresAt.toISOString() };
		},
		async source(id) {
			const record = await store.find(id);
			if (record === null) throw new ReelmillError("video_not_found");
			const { uploads, owner } = await stores.of(record.storage_profile_id);
			const { presign, download } = uploads.capabilities;
			if (!presign && !download) throw new ReelmillError("storage_backend_unsupported");
			const size = await uploads.size(id);
			if (size === null || record.state === "pending_upload") throw new ReelmillError("file_not_found");
			return {
				size,
				contentType: record.content_type,
				elsewhere: presign ? { url: await uploads.presign(id, { seconds: presignedSeconds }), owner } : null,
				async read(range) {
					const found = await uploads.read(id, range);
					if (found === null) throw new ReelmillError("file_not_found");
					return found.bytes;
				},
			};
		},
		async outro(id) {
			const video = await store.find(id);
			if (video === null) throw new ReelmillError("video_not_found");
			const asset = video.outro_id === null ? null : await store.find(video.outro_id);
			const size = asset?.outputs?.files[mezzanine];
			if (!asset?.outputs || size === undefined) throw new ReelmillError("file_not_found");
			const key = asset.outputs.prefix + mezzanine;
			const { outputs, owner } = await stores.of(asset.storage_profile_id);
			const { presign, download } = outputs.capabilities;
			if (!presign && !download) throw new ReelmillError("storage_backend_unsupported");
			if ((await outputs.head(key)) === null) throw new ReelmillError("file_not_found");
			return {
				size,
				contentType: "video/mp4",
				elsewhere: presign ? { url: await outputs.presign(key, { method: "GET", seconds: presignedSeconds }), owner } : null,
				async read(range) {
					const found = await outputs.get(key, range);
					if (found === null) throw new ReelmillError("file_not_found");
					return found.bytes;
				},
			};
		},
		async replaceOutputs(id, lock, entries) {
			const record = held(await store.find(id), lock);
			const prefix = attemptPrefix(record.domain_id, id, lock);
			const { outputs } = await stores.of(record.storage_profile_id);
			try {
				await replaceFiles(outputs, prefix, entries);
				held(await store.find(id), lock);
			} catch (error) {
				await outputs.deletePrefix(prefix);
				throw error;
			}
		},
		async outputUrls(id, { lock, files }, mostBytes) {
			const record = held(await store.find(id), lock);
			const stored = await stores.of(record.storage_profile_id);
			return presignOutputs(stored, { prefix: attemptPrefix(record.domain_id, id, lock), files, mostBytes, clock });
		},
		async complete(id, { lock, outputs: made, media, report }) {
			const record = held(await store.find(id), lock);
			const prefix = attemptPrefix(record.domain_id, id, lock);
			const { outputs } = await stores.of(record.storage_profile_id);
			const files = await collectFiles(outputs, prefix, [...made.files, ...plannedFiles(record)]);
			return change(id, lock, () => ({
				command: { type: "complete" },
				changes: {
					duration_seconds: media.duration_seconds,
					width: media.width,
					height: media.height,
					transcript_status: media.transcript_status,
					language: media.language,
					available_at: new Date(clock.now()),
					outputs: { prefix, files, renditions: made.renditions, web_mp4_outro_id: made.has_outro === true ? record.outro_id : null },
					report: report ?? null,
				},
			}));
		},
		fail: (id, { lock, reason, retryable }) => change(id, lock, (record) => (retryable ? giveBack(record) : { command: { type: "fail", reason } })),
	};
}

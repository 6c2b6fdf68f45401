import { isReelmillError, isTerminal, ReelmillError } from "@reelmill/contracts";
import sql from "sql-template-tag";
import type { AppendOptions, Bytes, UploadStore } from "../ports/index.ts";
import { bearer, type TokenFamily } from "../secrets/index.ts";
import type { Stores } from "../storage/index.ts";
import type { Parts } from "../system/index.ts";
import type { AfterChange, UploadClaims, VideoRecord, VideoStore } from "../videos/index.ts";
import { createUploadLeases, type UploadLeases } from "./leases.ts";
import { refuseOtherFiles } from "./refuse-other-files.ts";
import { cameThrough, uploadEnded, uploadUnknown } from "./upload-ended.ts";

/** The one asset that an upload token is for. */
export type UploadPrincipal = {
	readonly videoId: string;
	readonly domainId: string;
	/** The `traceparent` of the request that made the asset, if it was traced. */
	readonly trace?: string | undefined;
};
/** Bytes received, bytes declared, and when the window closes. */
export type UploadStatus = { readonly offset: number; readonly length: number; readonly expiresAt: Date };

/** The bytes of uploads: taken in, at an offset. */
export type Uploads = {
	/**
	 * Returns the asset of an upload token. A genuine token stays one after its window: the video's state then tells.
	 *
	 * @throws {ReelmillError} `unauthorized`.
	 */
	authenticate(authorization: string | null): Promise<UploadPrincipal>;
	/**
	 * Opens the upload. Calling it twice while the upload is pending returns the same upload with the offset reached.
	 *
	 * @throws {ReelmillError} `missing_video_id`; `size_mismatch` when the length is not the declared one, or missing;
	 * `upload_not_pending`; `unauthorized` for another asset's id; `storage_unavailable`, as the other functions do, when
	 * the video's bucket can't do its part.
	 */
	create(
		principal: UploadPrincipal,
		input: { videoId: string | undefined; length: number | null },
	): Promise<UploadStatus>;
	/**
	 * Returns where the upload stands. An upload that has every byte is completed first, if a crash kept it from being
	 * so.
	 *
	 * @throws {ReelmillError} `upload_not_pending`, whose `upload_complete` says whether every byte came through;
	 * `not_found` before creation; `video_not_found` when no row tells of the asset.
	 */
	status(principal: UploadPrincipal, videoId: string): Promise<UploadStatus>;
	/**
	 * Appends bytes and returns the new offset. The bytes before this offset are durable, and were written while this
	 * process held the lease, if it took one. With the last byte the video is `uploaded`; that is committed before this
	 * resolves. If the bytes stop coming, it returns the offset reached. `release` is told of chunks as the storage tells
	 * it. A caller that has the lease and got `found` by `status` since then saves a look-up.
	 *
	 * @throws {ReelmillError} as `status` does; `bad_request` with status 409 for another offset; `size_mismatch` for
	 * bytes past the length; `invalid_content_type` when the first bytes show something that can't be taken: the video
	 * fails then.
	 */
	append(
		principal: UploadPrincipal,
		videoId: string,
		offset: number,
		bytes: Bytes,
		options?: Omit<AppendOptions, "limit"> & { readonly found?: UploadStatus },
	): Promise<number>;
	/**
	 * Takes the right to write to the upload: see {@link UploadLeases.take}. Without it, the caller makes sure that an
	 * upload has one writer at a time.
	 */
	readonly lease: UploadLeases["take"];
	/**
	 * Ends the upload and cancels the video; its bytes are gone when it resolves.
	 *
	 * @throws {ReelmillError} `upload_not_pending`.
	 */
	terminate(principal: UploadPrincipal, videoId: string): Promise<void>;
	/** Completes a pending upload that has every byte, for the sweeper. Returns whether it did. */
	completeIfWhole(record: VideoRecord): Promise<boolean>;
	/** Removes leases that killed servers left behind, for the sweeper. */
	readonly forgetEndedLeases: UploadLeases["forgetEnded"];
};

const otherOffset = (offset: number, size: number): ReelmillError =>
	new ReelmillError("bad_request", {
		status: 409,
		message: `Upload-Offset is ${offset}, but the upload stands at ${size}.`,
	});

export function createUploads(
	parts: Parts,
	{
		store,
		stores,
		tokens,
		afterChange,
	}: {
		store: VideoStore;
		stores: Stores;
		tokens: TokenFamily<UploadClaims>;
		afterChange: AfterChange;
	},
): Uploads {
	const { database, clock } = parts;
	const leases = createUploadLeases(parts);
	const pending = async (principal: UploadPrincipal, videoId: string): Promise<VideoRecord> => {
		if (videoId !== principal.videoId) throw new ReelmillError("unauthorized");
		const record = await store.find(videoId);
		if (record?.domain_id !== principal.domainId) throw await ended(videoId);
		if (record.state !== "pending_upload") throw uploadEnded(record);
		if (record.expires_at.getTime() > clock.now()) return record;
		await completeIfWhole(record);
		throw await ended(videoId);
	};
	/** Returns why the upload is over, by what the records say now. */
	const ended = async (videoId: string, cause?: unknown): Promise<ReelmillError> => {
		const record = await store.find(videoId);
		if (record !== null) return uploadEnded(record, cause);
		const deleted = await database.query(sql`select from reelmill.videos where id = ${videoId}`);
		return deleted.length > 0 ? uploadEnded(null, cause) : uploadUnknown();
	};

	const filesOf = async (record: VideoRecord): Promise<UploadStore> =>
		(await stores.of(record.storage_profile_id)).uploads;

	/** Saves the completion. Returns false if the video was cancelled or expired meanwhile, or is gone. */
	const complete = async (known: VideoRecord, firstByteAt: Date | null = null): Promise<boolean> => {
		const step: Parameters<VideoStore["change"]>[1] = (record) =>
			record.state === "pending_upload"
				? {
						command: { type: "complete_upload" },
						changes: { uploaded_at: new Date(clock.now()), first_byte_at: record.first_byte_at ?? firstByteAt },
					}
				: null;
		const saved = await store.change(known.id, step, undefined, known);
		if (saved !== null) await afterChange(saved);
		return saved !== null && cameThrough(saved.record);
	};

	/** Notes when bytes came first, of an upload that they don't make whole: that one notes it as it completes. */
	const noteFirstByte = async (videoId: string, at: Date): Promise<void> => {
		await database.query(sql`
			update reelmill.videos set first_byte_at = ${at} where id = ${videoId} and state = 'pending_upload' and first_byte_at is null`);
	};

	/** Returns the bytes of an upload; ends it if the first ones are of no video. */
	const judge = async (record: VideoRecord, bytes: Bytes): Promise<Bytes> => {
		try {
			return await refuseOtherFiles(bytes, record.file_size);
		} catch (error) {
			if (!isReelmillError(error, "invalid_content_type")) throw error;
			const saved = await store.change(record.id, ({ state }) =>
				state === "pending_upload"
					? { command: { type: "fail", reason: "invalid_media" }, changes: { report: { failure: error.message } } }
					: null,
			);
			if (saved !== null) await afterChange(saved);
			throw error;
		}
	};

	const completeIfWhole = async (record: VideoRecord): Promise<boolean> =>
		(await (await filesOf(record)).size(record.id)) === record.file_size && (await complete(record));
	/**
	 * Returns why there is no upload of a video that was just found pending: none was created, or the video has ended
	 * since.
	 */
	const missing = async (videoId: string): Promise<ReelmillError> => {
		const now = await store.find(videoId);
		return now?.state === "pending_upload"
			? new ReelmillError("not_found", { message: "The upload has not been created yet." })
			: ended(videoId);
	};
	/** The pending uploads that were told of. One that has every byte is pending no more. */
	const told = new WeakMap<UploadStatus, VideoRecord>();
	const statusOf = (record: VideoRecord, offset: number): UploadStatus => {
		const status = { offset, length: record.file_size, expiresAt: record.expires_at };
		if (offset < record.file_size) told.set(status, record);
		return status;
	};

	return {
		completeIfWhole,
		async authenticate(authorization) {
			const token = bearer(authorization);
			const claims = token === null ? null : await tokens.verifyIgnoringExpiry(token);
			if (claims === null) throw new ReelmillError("unauthorized");
			return {
				videoId: claims.sub,
				domainId: claims.domain,
				...(claims.trace !== undefined && { trace: claims.trace }),
			};
		},
		async create(principal, { videoId, length }) {
			if (videoId === undefined || videoId === "") throw new ReelmillError("missing_video_id");
			const record = await pending(principal, videoId);
			if (length !== record.file_size) {
				throw new ReelmillError("size_mismatch", {
					message: `Upload-Length must be the declared file_size, ${record.file_size}.`,
				});
			}
			const files = await filesOf(record);
			await files.create(videoId);
			// Whoever ended the video meanwhile found no upload to remove.
			const now = await store.find(videoId);
			if (now === null || isTerminal(now.state)) {
				await files.discard(videoId);
				throw await ended(videoId);
			}
			return statusOf(record, (await files.size(videoId)) ?? 0);
		},
		async status(principal, videoId) {
			const record = await pending(principal, videoId);
			const offset = await (await filesOf(record)).size(videoId);
			if (offset === null) throw await missing(videoId);
			if (offset === record.file_size && !(await complete(record))) throw await ended(videoId);
			return statusOf(record, offset);
		},
		async append(principal, videoId, offset, bytes, { found, ...options } = {}) {
			const known = found && told.get(found);
			const isKnown = found !== undefined && known?.id === videoId && videoId === principal.videoId;
			const record = isKnown ? known : await pending(principal, videoId);
			const files = await filesOf(record);
			const size = isKnown ? found.offset : await files.size(videoId);
			if (size === null) throw await missing(videoId);
			if (size !== offset) throw otherOffset(offset, size);
			const judged = offset === 0 ? await judge(record, bytes) : bytes;
			const firstByteAt = offset === 0 ? new Date(clock.now()) : null;
			// Uploads of which no byte came have a bound in the sandbox, and one request may take long.
			const taken =
				firstByteAt === null || record.session_id === null
					? judged
					: // If this fails, it is noted with the end of the request.
						noting(judged, () => noteFirstByte(videoId, firstByteAt).catch(() => undefined));
			let reached: number;
			try {
				reached = await files.append(videoId, offset, taken, { ...options, limit: record.file_size });
			} catch (error) {
				// A silent storage has been waited for already. So the database is asked whether the upload has ended
				// meanwhile.
				if (isReelmillError(error) && error.code === "storage_unavailable") {
					const now = await store.find(videoId);
					throw now?.state === "pending_upload" ? error : await ended(videoId, error);
				}
				const now = await files.size(videoId);
				if (now === null) throw await ended(videoId, error);
				if (!(error instanceof RangeError)) throw error;
				// Bytes past the limit leave the upload whole. If it is shorter, bytes that had been given up as lost came in
				// between.
				if (now < record.file_size) throw otherOffset(offset, now);
				// Another server may have taken the rest while this one stood still.
				if ((await store.find(videoId))?.state !== "pending_upload") throw await ended(videoId, error);
				throw new ReelmillError("size_mismatch", { message: "More bytes came than file_size declared.", cause: error });
			}
			await leases.confirm(videoId);
			if (reached === record.file_size) {
				if (!(await complete(record, firstByteAt))) throw await ended(videoId);
			} else if (firstByteAt !== null && reached > 0) await noteFirstByte(videoId, firstByteAt);
			return reached;
		},
		lease: leases.take,
		forgetEndedLeases: leases.forgetEnded,
		async terminate(principal, videoId) {
			await pending(principal, videoId);
			const saved = await store.change(videoId, (record) => {
				if (record.state !== "pending_upload") throw uploadEnded(record);
				return { command: { type: "cancel" } };
			});
			if (saved === null) throw await ended(videoId);
			await afterChange(saved);
		},
	};
}

/** Yields the bytes, and calls `note` before the first of them. */
async function* noting(bytes: Bytes, note: () => Promise<void>): AsyncGenerator<Uint8Array> {
	let isNoted = false;
	for await (const chunk of bytes) {
		if (!isNoted) await note();
		isNoted = true;
		yield chunk;
	}
}

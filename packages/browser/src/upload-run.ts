import { isReelmillError } from "@reelmill/client";
import { refuseOtherFiles, terminateTransfer, transfer } from "@reelmill/client/transfer";
import type { UploadTicket } from "@reelmill/contracts/types";
import { createSpeedometer } from "./speedometer.ts";
import type { UploadRecord, UploadRecords } from "./upload-record.ts";
import { stopped, type UploadState } from "./upload-state.ts";

export type UploadRunOptions = {
	file: Blob;
	initiate: (file: Blob) => Promise<{ video: { id: string }; upload: UploadTicket }>;
	chunkSize?: number;
	retries?: number;
	backoffSeconds?: number;
};

/** The upload of one file from this tab. */
export type UploadRun = {
	/**
	 * Sends what is missing, and resolves to the video's id when the service has every byte. It initiates only if no
	 * record tells of an upload: neither one in the storage nor the one that a tab before this one told.
	 */
	run(records: UploadRecords, told: UploadRecord | null, signal: AbortSignal): Promise<string>;
	/** What the other tabs need to go on; null until the upload is initiated, and after its end. */
	record(): UploadRecord | null;
	/**
	 * Forgets the upload, and tells the service to throw it away. If this page has not opened the upload yet, it is the
	 * one that an earlier page has kept in `records`. Never rejects.
	 */
	discard(records: () => Promise<UploadRecords>): Promise<void>;
};

type Opened = { records: UploadRecords; record: UploadRecord };

export function createUploadRun(
	{ file, initiate, ...limits }: UploadRunOptions,
	get: () => UploadState,
	set: (change: Partial<UploadState>) => void,
): UploadRun {
	let opening: Promise<Opened> | undefined;
	let opened: Opened | undefined;

	async function open(records: UploadRecords, told: UploadRecord | null): Promise<Opened> {
		const kept = records.load() ?? told;
		if (kept) return { records, record: kept };
		await refuseOtherFiles(file);
		const { video, upload } = await initiate(file);
		const record = { videoId: video.id, ticket: upload };
		records.save(record);
		return { records, record };
	}

	function forget({ records, record }: Opened): void {
		if (records.load()?.videoId === record.videoId) records.remove();
		opening = undefined;
		opened = undefined;
	}

	function send({ record, records }: Opened, signal: AbortSignal): Promise<void> {
		const speedometer = createSpeedometer();
		const resumes = record.uploadUrl !== undefined;
		const keep = (change: Partial<UploadRecord>) => records.save(Object.assign(record, change));
		set({ status: "uploading", resumedFromBytes: null });
		return transfer({
			...limits,
			source: file,
			size: file.size,
			ticket: record.ticket,
			uploadUrl: record.uploadUrl,
			signal,
			onCreated: (uploadUrl) => record.uploadUrl !== uploadUrl && keep({ uploadUrl }),
			onAcknowledged(bytes) {
				if (resumes && get().resumedFromBytes === null) set({ resumedFromBytes: bytes });
			},
			onProgress(bytesSent) {
				if (signal.aborted) return;
				const speed = speedometer.add(bytesSent);
				set({
					status: "uploading",
					error: null,
					retryAt: null,
					bytesSent,
					speedBytesPerSecond: speed,
					secondsLeft: speed ? (file.size - bytesSent) / speed : null,
				});
			},
			onRetry: ({ error, seconds }) =>
				set({ ...stopped, status: "retrying", error, retryAt: Date.now() + seconds * 1000 }),
		});
	}

	return {
		async run(records, told, signal) {
			opening ??= open(records, told);
			const pending = opening;
			const own = await pending.catch((error: unknown) => {
				if (opening === pending) opening = undefined;
				throw error;
			});
			signal.throwIfAborted();
			opened = own;
			const { videoId } = own.record;
			set({ videoId });
			try {
				await send(own, signal);
			} catch (error) {
				if (!signal.aborted && isDead(error)) forget(own);
				throw error;
			}
			forget(own);
			return videoId;
		},
		record: () => opened?.record ?? null,
		async discard(records) {
			const pending = opening ?? records().then(takeKept);
			opening = undefined;
			opened = undefined;
			const found = await pending.catch(() => undefined);
			if (!found) return;
			if (found.records.load()?.videoId === found.record.videoId) found.records.remove();
			await terminate(found.record);
		},
	};
}

/** Takes out of the storage what an earlier page has kept. A `start` that follows at once does not find it. */
function takeKept(records: UploadRecords): Opened | undefined {
	const record = records.load();
	records.remove();
	return record && { records, record };
}

/** Tells the service to throw an upload away. If the service can't be reached, the video expires. Never rejects. */
export async function terminate({ ticket, uploadUrl, videoId }: UploadRecord): Promise<void> {
	await terminateTransfer(uploadUrl ?? `${ticket.endpoint}/${videoId}`, ticket.token).catch(() => {});
}

/**
 * Tells whether an error ends this upload for ever: it is expired, cancelled or finished by someone else, or its token
 * is not valid.
 */
const isDead = (error: unknown): boolean =>
	(["upload_not_pending", "unauthorized", "not_found", "video_not_found"] as const).some((code) =>
		isReelmillError(error, code),
	);

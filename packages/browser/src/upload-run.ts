import { isReelmillError, ReelmillError } from "@reelmill/client";
import { refuseOtherFiles, terminateTransfer, transfer } from "@reelmill/client/transfer";
import { fingerprint } from "./fingerprint.ts";
import { createSpeedometer } from "./speedometer.ts";
import type { UploadRecord, UploadRecords } from "./upload-record.ts";
import type { InitiatedUpload, UploadRequest } from "./upload-request.ts";
import { stopped, type UploadState } from "./upload-state.ts";

export type UploadRunOptions = {
	file: Blob;
	initiate: (request: UploadRequest) => Promise<InitiatedUpload>;
	records: UploadRecords;
	chunkSize?: number;
	retries?: number;
	backoffSeconds?: number;
};

/** The upload of one file from this tab. */
export type UploadRun = {
	/**
	 * Asks the back end which upload is this file's, once, and resolves to its video's id. `name` is the file's;
	 * `inTheWay` is the id of a video whose upload is cancelled first.
	 */
	open(name: string, inTheWay: string | undefined, signal: AbortSignal): Promise<string>;
	/** Sends what is missing, and resolves when the service has every byte. */
	send(signal: AbortSignal): Promise<void>;
	/** Whether an error of `send` says that an upload of an earlier page had ended before this one could go on. */
	hadEnded(error: unknown): boolean;
	/** Forgets the upload, which has ended. */
	forget(): void;
	/** Forgets the upload, and tells the service to throw it away. Never rejects. */
	discard(): Promise<void>;
};

/** `isEarlier` until the service has said that it still takes bytes. */
type Opened = { record: UploadRecord; isEarlier: boolean };

export function createUploadRun(
	{ file, initiate, records, ...limits }: UploadRunOptions,
	get: () => UploadState,
	set: (change: Partial<UploadState>) => void,
): UploadRun {
	let opening: Promise<Opened> | undefined;
	let opened: Opened | undefined;
	let ended: Opened | undefined;

	async function ask(name: string, inTheWay: string | undefined): Promise<Opened> {
		await refuseOtherFiles(file);
		const left = inTheWay === undefined ? undefined : records.load(inTheWay);
		if (left) await discard(left);
		const earlier = records.ofFile(name);
		const { video, upload, resumed, earlier_state } = await initiate({
			kept: earlier.map(({ videoId }) => videoId),
			replace: inTheWay !== undefined && left === undefined,
		});
		// Another tab may have ended it meanwhile: the service says how.
		const kept = records.load(video.id) ?? earlier.find(({ videoId }) => videoId === video.id);
		const ticket = upload ?? kept?.ticket;
		if (!ticket)
			throw new ReelmillError("internal_error", {
				status: 0,
				message: `initiate gave no upload of the video ${video.id}, and this browser keeps none.`,
			});
		const record = { began: Date.now(), ...kept, videoId: video.id, file: name, ticket };
		records.save(record);
		if (earlier_state !== undefined) {
			set({ startedAnew: true });
			// Of several, only the back end knows which has ended; they go after a day.
			if (earlier.length === 1) for (const { videoId } of earlier) records.remove(videoId);
		}
		return { record, isEarlier: kept !== undefined || resumed === true };
	}

	function forget(): void {
		if (opened) records.remove(opened.record.videoId);
		opening = undefined;
		opened = undefined;
	}

	/** Tells the service to throw an upload away. If the service can't be reached, the video expires. Never rejects. */
	async function discard({ ticket, uploadUrl, videoId }: UploadRecord): Promise<void> {
		records.remove(videoId);
		await terminateTransfer(uploadUrl ?? `${ticket.endpoint}/${videoId}`, ticket.token).catch(() => {});
	}

	function attempt(own: Opened, signal: AbortSignal): Promise<void> {
		/** A run that was stopped says nothing more. */
		const tell = (change: Partial<UploadState>) => {
			if (!signal.aborted) set(change);
		};
		// Another tab may have sent the first part.
		const record = Object.assign(own.record, records.load(own.record.videoId));
		const speedometer = createSpeedometer();
		const resumes = record.uploadUrl !== undefined;
		tell({ status: "uploading", resumedFromBytes: null });
		return transfer({
			...limits,
			source: file,
			size: file.size,
			ticket: record.ticket,
			uploadUrl: record.uploadUrl,
			signal,
			// Chromium refuses to read a file that was changed. Firefox reads on, and the service would get bytes of both.
			async beforeLast() {
				if ((await fingerprint(file)) === record.file) return;
				forget();
				await discard(record);
				throw new DOMException("The file was changed while it was sent.", "NotReadableError");
			},
			onCreated: (uploadUrl) => record.uploadUrl !== uploadUrl && records.save(Object.assign(record, { uploadUrl })),
			onAcknowledged(bytes) {
				own.isEarlier = false;
				if (resumes && get().resumedFromBytes === null) tell({ resumedFromBytes: bytes });
			},
			onProgress(bytesSent) {
				const speed = speedometer.add(bytesSent);
				tell({
					status: "uploading",
					error: null,
					retryAt: null,
					bytesSent,
					speedBytesPerSecond: speed,
					secondsLeft: speed ? (file.size - bytesSent) / speed : null,
				});
			},
			onRetry: ({ error, seconds }) =>
				tell({ ...stopped, status: "retrying", error, retryAt: Date.now() + seconds * 1000 }),
		});
	}

	return {
		async open(name, inTheWay, signal) {
			opening ??= ask(name, inTheWay);
			const pending = opening;
			const own = await pending.catch((error: unknown) => {
				if (opening === pending) opening = undefined;
				throw error;
			});
			signal.throwIfAborted();
			opened = own;
			set({ videoId: own.record.videoId });
			return own.record.videoId;
		},
		async send(signal) {
			const own = opened as Opened;
			try {
				await attempt(own, signal);
			} catch (error) {
				if (!signal.aborted && isDead(error)) {
					ended = own;
					forget();
				}
				throw error;
			}
			forget();
		},
		forget,
		hadEnded: (error) => ended?.isEarlier === true && isDead(error),
		async discard() {
			const pending = opening;
			opening = undefined;
			opened = undefined;
			const found = await pending?.catch(() => undefined);
			if (found) await discard(found.record);
		},
	};
}

/**
 * Tells whether an error ends this upload for ever: it is expired, cancelled or finished by someone else, or its token
 * is not valid.
 */
const isDead = (error: unknown): boolean =>
	(["upload_not_pending", "unauthorized", "not_found", "video_not_found"] as const).some((code) =>
		isReelmillError(error, code),
	);

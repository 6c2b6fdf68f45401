import { isReelmillError, type Reelmill, type UploadInput, type Video } from "@reelmill/node";
import { UsageError } from "./failure.ts";
import type { FileToSend } from "./file-to-send.ts";
import type { UploadNote, UploadNotes } from "./upload-notes.ts";

export const withoutType = (file: string): UsageError =>
	new UsageError(`The ending of ${file} does not tell its type: add --content-type, for example video/mp4.`);

export type SendOptions = {
	/** Where the upload is noted, so that a later run continues it; undefined cancels it if it is stopped. */
	notes: UploadNotes | undefined;
	signal: AbortSignal;
	onProgress(bytesSent: number, bytesTotal: number): void;
	/** Called with a sentence for people. */
	note(text: string): void;
};

/** The states of a video in which an upload of its bytes is over and was of no use. */
const lost = ["expired", "cancelled"];

/**
 * Uploads a file, or continues an upload that an earlier run noted. A file whose bytes have all arrived is not sent
 * again: its video is returned. If it is stopped, the note stays and says how to go on; without notes the video is
 * cancelled.
 */
export async function sendFile(
	videos: Reelmill["videos"],
	file: FileToSend,
	input: UploadInput,
	{ notes, signal, onProgress, note }: SendOptions,
): Promise<Video> {
	const earlier = notes?.read();
	const before = earlier && (await find(videos, earlier.created.video.id, signal));
	if (before !== undefined && before.state !== "pending_upload" && !lost.includes(before.state)) {
		notes?.remove();
		note(`It was uploaded before, as video ${before.id}.`);
		return before;
	}
	let kept: UploadNote | undefined = before?.state === "pending_upload" ? earlier : undefined;
	if (kept !== undefined) note(`Continuing the upload of video ${kept.created.video.id}.`);
	const keep = (changed: UploadNote) => {
		kept = changed;
		notes?.write(changed);
	};
	try {
		const uploaded = await videos.upload(file.path, input, {
			signal,
			keep: true,
			onProgress: ({ bytesSent, bytesTotal }) => onProgress(bytesSent, bytesTotal),
			onCreated: (created) => keep({ created }),
			onUploadUrl: (uploadUrl) => kept && keep({ ...kept, uploadUrl }),
			...(kept && { resume: { created: kept.created, uploadUrl: kept.uploadUrl } }),
		});
		notes?.remove();
		return uploaded;
	} catch (error) {
		if (kept === undefined && error instanceof TypeError) throw withoutType(file.path);
		if (isReelmillError(error, "upload_not_pending") || isReelmillError(error, "video_not_found")) notes?.remove();
		else if (kept !== undefined) await stopped(videos, kept.created.video.id, notes, note);
		throw error;
	}
}

async function stopped(
	videos: Reelmill["videos"],
	id: string,
	notes: UploadNotes | undefined,
	note: (text: string) => void,
): Promise<void> {
	if (notes === undefined) {
		if (await cancelled(videos, id)) note(`The upload did not finish; video ${id} is cancelled.`);
		return;
	}
	note(
		`The upload of video ${id} did not finish. The same command continues it; reelmill videos cancel ${id} gives it up.`,
	);
}

async function find(videos: Reelmill["videos"], id: string, signal: AbortSignal): Promise<Video | undefined> {
	try {
		return await videos.get(id, { signal });
	} catch (error) {
		if (isReelmillError(error, "video_not_found")) return undefined;
		throw error;
	}
}

/**
 * Cancels an upload that did not finish, so that the uploader may begin another one. An upload that has all its bytes
 * stays. If the service can't be reached, the upload expires.
 */
async function cancelled(videos: Reelmill["videos"], id: string): Promise<boolean> {
	try {
		if ((await videos.get(id)).state !== "pending_upload") return false;
		await videos.cancel(id);
		return true;
	} catch {
		return false;
	}
}

import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { type Reelmill, ReelmillError, type UploadInput, type Video } from "@reelmill/node";
import { fileToSend, mustFit } from "../file-to-send.ts";
import { sendFile } from "../send-file.ts";
import type { UploadNotes } from "../upload-notes.ts";
import { download, forgetDownload } from "./download.ts";
import type { Item } from "./items.ts";

/** What came of one item. `there` was imported before; `pending` is being uploaded by someone else. */
export type Imported = {
	reference: string;
	outcome: "imported" | "there" | "pending" | "failed";
	video_id: string | null;
	error: string | null;
	message: string | null;
};

export type ImportOptions = {
	videos: Reelmill["videos"];
	/** What each video is created with, besides its reference. */
	input: UploadInput;
	/** Where downloads are kept until they are uploaded. */
	directory: string;
	mostBytes: number;
	signal: AbortSignal;
	/** Returns where the upload of this item is noted. */
	notesOf(item: Item, size: number, modified: number): UploadNotes | undefined;
};

/** The states of a video that is of no use: its item is imported again. */
const useless = ["failed", "timeout", "expired", "cancelled"];

/**
 * Imports one item unless the service has a video of its reference. What an earlier run left of it is continued.
 * Resolves also if the item failed; rejects only with what stops all of them: the signal's reason, a refused key, a
 * used-up quota.
 */
export async function importItem(item: Item, options: ImportOptions): Promise<Imported> {
	const { reference } = item;
	const told = (
		outcome: Imported["outcome"],
		video: Video | undefined,
		failure?: { code: string; message: string },
	) => ({
		reference,
		outcome,
		video_id: video?.id ?? null,
		error: failure?.code ?? null,
		message: failure?.message ?? null,
	});
	try {
		const existing = await existingVideo(item, options);
		if (existing !== undefined && existing.state !== "pending_upload") {
			await forgetEarlierRun(item, options);
			return told("there", existing);
		}
		const { file, type, forget } = await source(item, options);
		const notes = options.notesOf(item, file.size, file.modified);
		if (existing !== undefined && notes?.read()?.created.video.id !== existing.id) return told("pending", existing);
		const input = { ...options.input, external_ref: reference, ...(type === undefined ? {} : { content_type: type }) };
		const { signal } = options;
		const video = await sendFile(options.videos, file, input, { notes, signal, onProgress() {}, note() {} });
		await forget();
		return told("imported", video);
	} catch (error) {
		options.signal.throwIfAborted();
		if (error instanceof ReelmillError && stopsAll(error)) throw error;
		const { code, message } = error as { code?: unknown; message?: unknown };
		return told("failed", undefined, { code: typeof code === "string" ? code : "failed", message: String(message) });
	}
}

/** Errors that every other item would meet as well. */
const stopsAll = ({ code, status }: ReelmillError): boolean =>
	["unauthorized", "forbidden", "upload_quota_exceeded", "storage_quota_exceeded"].includes(code) || status === 402;

/**
 * Returns the video that this reference has: one of use if there is one, otherwise none. `reelmill upload` gives a video
 * the name of its file, so another file may have the reference: one of another size is another video.
 */
async function existingVideo(item: Item, { videos, signal }: ImportOptions): Promise<Video | undefined> {
	const size = "path" in item ? (await stat(item.path)).size : undefined;
	for await (const video of videos.list({ externalRef: item.reference, signal }))
		if (!useless.includes(video.state) && (size === undefined || video.file_size === size)) return video;
	return undefined;
}

async function source(item: Item, { directory, mostBytes, signal }: ImportOptions) {
	if ("path" in item) {
		const file = await fileToSend(item.path);
		mustFit(item.path, file.size, mostBytes);
		return { file, type: undefined, forget: async () => {} };
	}
	const path = downloadPath(item.url, directory);
	const { contentType } = await download(item.url, path, { mostBytes, signal });
	const file = await fileToSend(path);
	return { file, type: contentType, forget: () => forgetDownload(path) };
}

const downloadPath = (url: string, directory: string): string =>
	join(directory, createHash("sha256").update(url).digest("hex").slice(0, 32));

/** Forgets what is left of a run that was stopped between the last byte and its end. */
async function forgetEarlierRun(item: Item, { directory, notesOf }: ImportOptions): Promise<void> {
	const path = "path" in item ? item.path : downloadPath(item.url, directory);
	const file = await fileToSend(path).catch(() => undefined);
	if (file !== undefined) notesOf(item, file.size, file.modified)?.remove();
	if ("url" in item) await forgetDownload(path);
}

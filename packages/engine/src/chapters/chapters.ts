import { type Chapter, type Chapters, ReelmillError } from "@reelmill/contracts";
import {
	chapterData,
	cueBlock,
	escapedText,
	readChapters,
	seenText,
	type TimedChapter,
} from "@reelmill/contracts/captions";
import { type Actor, engineActor } from "../audit/index.ts";
import { type Edits, type FinishedVideo, type ReadText, rewritten } from "../edits/index.ts";
import type { TenantPrincipal } from "../keys/index.ts";
import { nameChapters } from "../playlists/index.ts";
import { auditedFor, type FileUrl } from "../videos/index.ts";

/** The chapters of finished videos: those of the uploaded file, or the tenant's own. */
export type ChaptersNoun = {
	/**
	 * Returns the chapters in order; none if there are none.
	 *
	 * @throws {ReelmillError} `video_not_found`; `invalid_state` when the video isn't available; `storage_unavailable` and
	 * `storage_backend_unsupported` when its files can't be read.
	 */
	get(principal: TenantPrincipal, videoId: string): Promise<Chapters>;
	/**
	 * Gives the video these chapters in place of all others. Doing it twice changes nothing more; of two at once, the last
	 * one stays.
	 *
	 * @throws {ReelmillError} as `get`; `validation_error` when one doesn't begin after the one before, or within the
	 * video.
	 */
	put(principal: TenantPrincipal, videoId: string, chapters: readonly Chapter[], by?: Actor): Promise<Chapters>;
	/**
	 * Takes all chapters away.
	 *
	 * @throws {ReelmillError} as `get`; `not_found` when there are none, also on the second call.
	 */
	delete(principal: TenantPrincipal, videoId: string, by?: Actor): Promise<void>;
};

const file = "chapters.vtt";
const data = "chapters.json";
const masterPath = "hls/master.m3u8";
/** In bytes. A transcoder writes no more. */
const largest = 2 * 1024 * 1024;

export function createChapters({ edits, fileUrl }: { edits: Edits; fileUrl: FileUrl }): ChaptersNoun {
	const view = async (record: FinishedVideo, chapters: readonly Chapter[]): Promise<Chapters> => ({
		chapters: [...chapters],
		url: Object.hasOwn(record.outputs.files, file) ? fileUrl(record, file) : null,
	});
	const current = async (read: ReadText): Promise<Chapter[]> =>
		readChapters((await read(file, largest)) ?? "").map(({ startSeconds, title }) => ({
			start_seconds: startSeconds,
			title,
		}));
	return {
		async get(principal, videoId) {
			const { record, read } = await edits.find(principal, videoId);
			return view(record, await current(read));
		},
		async put(principal, videoId, given, by = engineActor) {
			const chapters = given.map(({ start_seconds, title }) => ({
				start_seconds: Math.round(start_seconds * 1000) / 1000,
				title: seenText(title),
			}));
			const saved = await edits.change(
				principal,
				videoId,
				async (record, read) => {
					const seconds = record.duration_seconds ?? Number.POSITIVE_INFINITY;
					check(chapters, seconds);
					const before = await current(read);
					const isSame = JSON.stringify(before) === JSON.stringify(chapters);
					if (isSame && Object.hasOwn(record.outputs.files, data)) return null;
					const timed = chapters.map(({ start_seconds: startSeconds, title }, n) => ({
						...{ startSeconds, title },
						endSeconds: endOf(chapters, n, seconds),
					}));
					const files = new Map([
						[file, Buffer.from(webVtt(timed))],
						[data, Buffer.from(chapterData(timed))],
					]);
					// Caches may have the file's first bytes for a day.
					const uri = `../${data}?v=${(record.outputs.edit ?? 0) + 1}`;
					const master = await rewritten(read, masterPath, (text) => nameChapters(text, uri));
					if (master !== null) files.set(masterPath, Buffer.from(master));
					return { files };
				},
				{ updates: ["chapters"], ...auditedFor(principal, "video.chapters_changed", by) },
			);
			return view(saved, chapters);
		},
		async delete(principal, videoId, by = engineActor) {
			await edits.change(
				principal,
				videoId,
				async (record, read) => {
					if (!Object.hasOwn(record.outputs.files, file))
						throw new ReelmillError("not_found", { message: "The video has no chapters." });
					const master = await rewritten(read, masterPath, (text) => nameChapters(text, null));
					return {
						files: new Map(master === null ? [] : [[masterPath, Buffer.from(master)]]),
						removed: [file, data],
					};
				},
				{ updates: ["chapters"], ...auditedFor(principal, "video.chapters_deleted", by) },
			);
		},
	};
}

/** Throws unless each chapter begins after the one before, and within the video. */
function check(chapters: readonly Chapter[], seconds: number): void {
	for (const [n, { start_seconds: start }] of chapters.entries()) {
		const field = `chapters.${n}.start_seconds`;
		const before = chapters[n - 1]?.start_seconds;
		if (before !== undefined && start <= before)
			throw new ReelmillError("validation_error", { message: `${field}: must be after ${before}` });
		if (start >= seconds)
			throw new ReelmillError("validation_error", { message: `${field}: the video lasts ${seconds.toFixed(3)} s` });
	}
}

/** The last chapter ends with the video; a second after its beginning if nobody knows how long that is. */
const endOf = (chapters: readonly Chapter[], n: number, seconds: number): number =>
	chapters[n + 1]?.start_seconds ?? (Number.isFinite(seconds) ? seconds : (chapters[n]?.start_seconds ?? 0) + 1);

const webVtt = (chapters: readonly TimedChapter[]): string =>
	`WEBVTT\n\n${chapters.map(({ title, ...times }) => cueBlock({ ...times, markup: escapedText(title) })).join("\n")}`;

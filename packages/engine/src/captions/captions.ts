import { type CaptionKind, type Captions, type CaptionsList, ReelmillError } from "@reelmill/contracts";
import { nameCaptions, transcriptFile } from "@reelmill/contracts/captions";
import { type Actor, engineActor } from "../audit/index.ts";
import { currentCaptions, type Edits, type FinishedVideo, listCaptions } from "../edits/index.ts";
import type { TenantPrincipal } from "../keys/index.ts";
import { createInTime, isWebVtt, readRecorded, type Stores } from "../storage/index.ts";
import { sumOf } from "../sums/index.ts";
import type { Parts } from "../system/index.ts";
import { auditedFor, type FileUrl, folderOf, type StoredCaptions, type StoredOutputs } from "../videos/index.ts";
import { readCues } from "./read-cues.ts";

/** The captions of finished videos: those of the uploaded file, the transcript that was made, and the tenant's own. */
export type CaptionsNoun = {
	/**
	 * Lists the captions that players offer, in their order.
	 *
	 * @throws {ReelmillError} `video_not_found`; `invalid_state` when the video isn't available; `storage_unavailable` and
	 * `storage_backend_unsupported` when its playlists can't be read.
	 */
	list(principal: TenantPrincipal, videoId: string): Promise<CaptionsList>;
	/**
	 * Returns the captions in a language (`und`: of which it isn't known) as WebVTT: the first ones that aren't forced.
	 *
	 * @throws {ReelmillError} as `list`; `not_found` when there are none.
	 */
	get(principal: TenantPrincipal, videoId: string, language: string): Promise<Uint8Array<ArrayBuffer>>;
	/**
	 * Gives the video captions in a language, in place of those that `get` returns. If these were the transcript, the new
	 * ones are. Doing it twice changes nothing more; of two at once, the last one stays. The playlists and the manifest
	 * list them without another encode.
	 *
	 * @throws {ReelmillError} as `list`; `validation_error` when the text isn't WebVTT or SubRip, with line and cue, and
	 * when the video has too many captions.
	 */
	put(principal: TenantPrincipal, videoId: string, input: PutCaptions, by?: Actor): Promise<Captions>;
	/**
	 * Takes all captions in a language away that aren't forced. If the transcript is among them, its status is `disabled`.
	 *
	 * @throws {ReelmillError} as `list`; `not_found` when there are none, also on the second call.
	 */
	delete(principal: TenantPrincipal, videoId: string, language: string, by?: Actor): Promise<void>;
};

export type PutCaptions = {
	/** A tag of RFC 5646 in its shortest form, or `und`. */
	readonly language: string;
	readonly text: string;
	readonly label?: string | undefined;
	readonly kind?: CaptionKind | undefined;
};

/** In bytes. Many hours of speech need less. */
const largest = 2 * 1024 * 1024;
/** Menus with more can't be used. */
const mostTracks = 48;

export function createCaptions(
	{ clock }: Parts,
	{ edits, stores, fileUrl }: { edits: Edits; stores: Stores; fileUrl: FileUrl },
): CaptionsNoun {
	const inTime = createInTime(clock);
	const view = (record: FinishedVideo, captions: readonly StoredCaptions[]): Captions[] =>
		nameCaptions(captions.map((track) => ({ ...track, isSpoken: true, tellsSounds: false, isForced: false }))).map(
			({ track, name }) => ({
				language: track.language ?? "und",
				label: name,
				kind: track.kind,
				source: track.source,
				forced: track.is_forced,
				transcript: track.is_transcript,
				url: fileUrl(record, track.path),
			}),
		);
	return {
		async list(principal, videoId) {
			const { record, read } = await edits.find(principal, videoId);
			return { data: view(record, await currentCaptions(record, read)) };
		},
		async get(principal, videoId, language) {
			const { record, read } = await edits.find(principal, videoId);
			const { outputs, storage_profile_id: profileId } = record;
			const track = (await currentCaptions(record, read)).find(isIn(language));
			const size = track && outputs.files[track.path];
			const file = track &&
				size !== undefined && { key: folderOf(outputs, track.path) + track.path, size, largest, isOfType: isWebVtt };
			const bytes = file && (await readRecorded((await stores.of(profileId)).outputs, file, inTime));
			if (!bytes) throw absent();
			return bytes;
		},
		async put(principal, videoId, { language, text, label, kind }, by = engineActor) {
			let at = -1;
			const saved = await edits.change(
				principal,
				videoId,
				async (record, read) => {
					const file = Buffer.from(await readCues(text, record.duration_seconds));
					const captions = await currentCaptions(record, read);
					const before = captions.find(isIn(language));
					if (before === undefined && captions.length >= mostTracks)
						throw new ReelmillError("validation_error", { message: `A video has at most ${mostTracks} captions.` });
					const path = newPath(record.outputs, language);
					const isOfSound = (record.language ?? "und") === language;
					const track: StoredCaptions = {
						path,
						language: language === "und" ? null : language,
						title: label ?? before?.title ?? null,
						kind: kind ?? before?.kind ?? (isOfSound ? "captions" : "subtitles"),
						tells_sounds: kind === undefined ? (before?.tells_sounds ?? false) : kind === "captions",
						is_forced: false,
						source: "upload",
						is_transcript: before?.is_transcript ?? false,
					};
					at = before === undefined ? captions.length : captions.indexOf(before);
					if (
						before !== undefined &&
						isSame({ ...before, path }, track) &&
						record.outputs.sums?.[before.path] === sumOf(file)
					)
						return null;
					return listCaptions(record, read, {
						captions: captions.toSpliced(at, 1, track),
						texts: new Map([[path, file], ...(track.is_transcript ? [[transcriptFile, file] as const] : [])]),
						removed: before === undefined || before.path === transcriptFile ? [] : [before.path],
					});
				},
				{ updates: ["captions"], ...auditedFor(principal, "video.captions_changed", by) },
			);
			return view(saved, saved.outputs.captions ?? [])[at] as Captions;
		},
		async delete(principal, videoId, language, by = engineActor) {
			await edits.change(
				principal,
				videoId,
				async (record, read) => {
					const captions = await currentCaptions(record, read);
					const gone = captions.filter(isIn(language));
					if (gone.length === 0) throw absent();
					const hadTranscript = gone.some((track) => track.is_transcript);
					const edit = await listCaptions(record, read, {
						captions: captions.filter((track) => !gone.includes(track)),
						texts: new Map(),
						removed: [...gone.map(({ path }) => path), ...(hadTranscript ? [transcriptFile] : [])],
					});
					return { ...edit, ...(hadTranscript && { changes: { transcript_status: "disabled" as const } }) };
				},
				{ updates: ["captions"], ...auditedFor(principal, "video.captions_deleted", by) },
			);
		},
	};
}

/**
 * Returns a path after those that captions of the video have: playlists lead there without a version, and caches keep what
 * was never changed for a day. A clip has the captions of its video, whose numbers are not those of its own edits.
 */
function newPath({ edit = 0, files }: Pick<StoredOutputs, "edit" | "files">, language: string): string {
	const paths = Object.keys(files).filter((path) => path.startsWith("captions/"));
	const numbers = paths.map((path) => Number(path.split(".").at(-2)) || 0);
	return `captions/${language}.${Math.max(edit, ...numbers) + 1}.vtt`;
}

const isIn =
	(language: string) =>
	(track: StoredCaptions): boolean =>
		!track.is_forced && (track.language ?? "und") === language;

const isSame = (one: StoredCaptions, other: StoredCaptions): boolean =>
	(Object.keys(one) as (keyof StoredCaptions)[]).every((key) => one[key] === other[key]);

const absent = () => new ReelmillError("not_found", { message: "The video has no captions in this language." });

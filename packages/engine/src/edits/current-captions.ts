import { captionsName, languageName, transcriptFile } from "@reelmill/contracts/captions";
import { type ListedCaptions, listedInManifest, listedInMaster, UnreadableText } from "../playlists/index.ts";
import type { StoredCaptions, StoredOutputs, VideoRecord } from "../videos/index.ts";
import type { ReadText } from "./read-text.ts";

type Captioned = Pick<VideoRecord, "language" | "report"> & { readonly outputs: StoredOutputs };

/**
 * Returns the captions of a finished video: those that its row has, or, before they were changed for the first time,
 * what its playlist or its manifest lists. A transcript that neither lists comes last.
 */
export async function currentCaptions(video: Captioned, read: ReadText): Promise<readonly StoredCaptions[]> {
	const { outputs, language } = video;
	if (outputs.captions !== undefined) return outputs.captions;
	const paths = Object.keys(outputs.files).filter(
		(path) => path === transcriptFile || /^captions\/[^/]+\.vtt$/.test(path),
	);
	if (paths.length === 0) return [];
	const fromFile = sourceFiles(video.report);
	const listed = (await listedIn(read)) ?? [];
	const found = listed.flatMap(({ uri, isForced, isSpoken, tellsSounds, ...named }): StoredCaptions[] => {
		const path = paths.find((one) => uri === captionsName({ path: one }) || uri === `../${one}`);
		if (path === undefined) return [];
		const [title, tag] = [named.name, named.language === "und" ? null : named.language];
		return [
			{
				path,
				language: tag,
				title: title === null || title === languageName(tag) || title === "Captions" ? null : title,
				kind: isSpoken ? "captions" : "subtitles",
				tells_sounds: tellsSounds,
				is_forced: isForced,
				source: path === transcriptFile && !fromFile.has(path) ? "transcript" : "file",
				is_transcript: path === transcriptFile,
			},
		];
	});
	const hasTranscript = found.some((track) => track.is_transcript);
	return paths.includes(transcriptFile) && !hasTranscript
		? [...found, heardCaptions(language, fromFile.has(transcriptFile) ? "file" : "transcript")]
		: found;
}

/** The transcript as a track, of which nothing else is known. */
export const heardCaptions = (
	language: string | null,
	source: StoredCaptions["source"] = "transcript",
): StoredCaptions => ({
	...{ path: transcriptFile, language, title: null, kind: "captions" },
	...{ tells_sounds: false, is_forced: false, source, is_transcript: true },
});

/** Returns what players are offered now; `null` if no playlist and no manifest can be read. */
async function listedIn(read: ReadText): Promise<readonly ListedCaptions[] | null> {
	for (const [path, list] of [
		["hls/master.m3u8", listedInMaster],
		["dash/manifest.mpd", listedInManifest],
	] as const) {
		const text = await read(path);
		try {
			if (text !== null) return list(text);
		} catch (error) {
			// Outputs of another worker, which can be played all the same.
			if (!(error instanceof UnreadableText)) throw error;
		}
	}
	return null;
}

/** Returns the files that the worker says it made of the source's own text. */
function sourceFiles(report: unknown): ReadonlySet<string> {
	const texts = (report as { readonly text_tracks?: unknown } | null)?.text_tracks;
	const outputs = Array.isArray(texts) ? texts.map((text: { readonly output?: unknown } | null) => text?.output) : [];
	return new Set(outputs.filter((output) => typeof output === "string"));
}

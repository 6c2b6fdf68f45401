/**
 * How captions and chapters are written: in WebVTT files, in HLS playlists and in DASH manifests. What encodes a video
 * writes them, and what changes them afterwards. This entry imports nothing.
 */
export { type CaptionTrack, transcriptFile } from "./captions/caption-track.ts";
export { chapterData, chaptersTag, isChaptersTag, type TimedChapter } from "./captions/chapter-data.ts";
export { cueBlock, escapedText, seenText, timestamp } from "./captions/cue-text.ts";
export { type CaptionsFile, captionsSets } from "./captions/dash-captions.ts";
export { captionsName, captionsPlaylist, captionsTags } from "./captions/hls-captions.ts";
export { freeName, languageName, nameCaptions } from "./captions/name-captions.ts";
export { readChapters } from "./captions/read-chapters.ts";

import type { SoundKind } from "../types.ts";

/** ffprobe's marks of a track of sound, and what they make of it. The first mark that a track has counts. */
const kindByMark = {
	visual_impaired: "description",
	descriptions: "description",
	comment: "commentary",
	hearing_impaired: "clear_speech",
	clean_effects: "effects",
} as const satisfies Record<string, SoundKind>;

/** The marks of streams that ffprobe is asked for. */
export const soundMarks = Object.keys(kindByMark);

/** Returns what a track of sound is for beside the ordinary sound; `undefined` if it is marked as nothing of it. */
export const soundKind = (marks: Readonly<Record<string, number>> = {}): SoundKind | undefined =>
	Object.entries(kindByMark).find(([mark]) => marks[mark] === 1)?.[1];

/** What viewers read of a kind of sound. */
export const soundKindNames: Record<SoundKind, string> = {
	description: "audio description",
	commentary: "commentary",
	clear_speech: "clear speech",
	effects: "without speech",
};

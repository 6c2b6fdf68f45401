import { seconds } from "./storyboard.ts";

/** A part of a video. It ends where the next one begins. */
export type Chapter = {
	readonly title: string;
	/** Where it begins, in seconds. */
	readonly start: number;
};

const plain = (text: string): string => text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");

/** Reads chapters: WebVTT with one cue for each, whose text is its title. */
export function readChapters(text: string): Chapter[] {
	const lines = text.split(/\r?\n/);
	return lines.flatMap((line, at) => {
		const [from, to] = line.split(" --> ");
		return from && to ? [{ title: plain(lines[at + 1] ?? ""), start: seconds(from) }] : [];
	});
}

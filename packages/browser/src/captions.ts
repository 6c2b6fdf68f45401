import type { Caption } from "./player-state.ts";

/** One file of captions: where it is, and its language (ISO 639-1), an empty text if it is not known. */
export type CaptionFile = {
	readonly url: string;
	readonly language: string;
	/** What viewers choose it by (default: the language's name in that language). */
	readonly label?: string;
};

export type ShownCaptions = { readonly captions: readonly Caption[]; show(index: number | null): void };

/** The language's name in that language, as a speaker of it looks for it. */
function captionLabel(language: string): string {
	let name: string | undefined;
	try {
		name = new Intl.DisplayNames([language], { type: "language" }).of(language);
	} catch {}
	return name ?? "Captions";
}

/**
 * Adds captions to an element as text tracks, which the browser's controls show too. A file is fetched when its track
 * is first switched on, whoever does it. `changed` is called with the index of the shown track, null for none.
 * Everything is taken away when `ended` aborts.
 */
export function addCaptions(
	element: HTMLMediaElement,
	files: readonly CaptionFile[],
	fetchBlob: (url: string) => Promise<Blob>,
	changed: (shown: number | null) => void,
	ended: AbortSignal,
): ShownCaptions {
	if (ended.aborted) return { captions: [], show() {} };
	const asked = new Set<HTMLTrackElement>();
	const tracks = files.map(({ language, label }) => {
		const track = element.ownerDocument.createElement("track");
		track.kind = "captions";
		track.srclang = language;
		track.label = label || captionLabel(language);
		element.append(track);
		return track;
	});
	/** Fetches a file, by its playlist if that is what is known of it. */
	const fetchFile = async (url: string) => {
		const blob = await fetchBlob(url);
		if (!url.endsWith(".m3u8")) return blob;
		const lines = (await blob.text()).split(/\r?\n/);
		return fetchBlob(new URL(lines.find((line) => line && !line.startsWith("#")) ?? "", url).href);
	};
	const load = async (track: HTMLTrackElement, url: string) => {
		asked.add(track);
		try {
			const address = URL.createObjectURL(await fetchFile(url));
			ended.addEventListener("abort", () => URL.revokeObjectURL(address));
			track.src = address;
		} catch {
			// The captions are missing, and the video plays; the next time that they are switched on tries again.
			asked.delete(track);
		}
	};
	const look = () => {
		for (const [n, track] of tracks.entries())
			if (track.track.mode !== "disabled" && !asked.has(track)) void load(track, files[n]?.url ?? "");
		const shown = tracks.findIndex(({ track }) => track.mode === "showing");
		changed(shown < 0 ? null : shown);
	};
	element.textTracks.addEventListener("change", look, { signal: ended });
	ended.addEventListener("abort", () => {
		for (const track of tracks) track.remove();
	});
	return {
		captions: tracks.map(({ srclang, label }) => ({ language: srclang, label })),
		show(index) {
			for (const [n, { track }] of tracks.entries()) track.mode = n === index ? "showing" : "disabled";
			look();
		},
	};
}

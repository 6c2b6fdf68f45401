import type { ShownCaptions } from "./captions.ts";
import type { PlayerOptions } from "./player-options.ts";
import type { PlayerState } from "./player-state.ts";
import type { Picture } from "./storyboard.ts";

/** What a player shows beside the video: poster, captions and storyboard. Each is loaded at most once. */
export type Extras = {
	/** Shows the poster, unless the page has one of its own. A poster that can't be loaded is left out. */
	showPoster(): void;
	/** Offers the page's captions, or the video's in these languages; an empty text if one is not known. */
	offerCaptions(languages: readonly string[]): void;
	showCaptions(index: number | null): void;
	/** Rejects with what the fetch rejects with; the next call tries again. */
	loadStoryboard(): Promise<readonly Picture[]>;
};

/** Creates the extras of a player. They are taken away when the signal aborts. */
export function createExtras(
	{ element, video, captions: given }: PlayerOptions,
	{
		fetchBlob,
		set,
		signal,
	}: {
		fetchBlob: (url: string) => Promise<Blob>;
		set: (state: Partial<PlayerState>) => void;
		signal: AbortSignal;
	},
): Extras {
	const { transcript_url, outputs, visibility } = video;
	let posterAsked = false;
	let captions: Promise<ShownCaptions> | undefined;
	let storyboard: Promise<readonly Picture[]> | undefined;
	const onEnd = (work: () => void) => (signal.aborted ? work() : signal.addEventListener("abort", work));
	const keep = (address: string) => {
		onEnd(() => URL.revokeObjectURL(address));
		return address;
	};

	async function addPoster(url: string): Promise<void> {
		const address = visibility === "private" ? keep(URL.createObjectURL(await fetchBlob(url))) : url;
		if (signal.aborted) return;
		element.poster = address;
		onEnd(() => element.poster === address && element.removeAttribute("poster"));
	}

	async function addStoryboard(url: string): Promise<readonly Picture[]> {
		const { fetchStoryboard } = await import("./storyboard.ts");
		const { pictures, text } = await fetchStoryboard(url, fetchBlob, keep);
		if (signal.aborted) return pictures;
		const track = document.createElement("track");
		Object.assign(track, { kind: "metadata", label: "thumbnails", default: true });
		track.src = keep(URL.createObjectURL(new Blob([text])));
		element.append(track);
		onEnd(() => track.remove());
		set({ storyboard: pictures });
		return pictures;
	}

	return {
		showPoster() {
			if (posterAsked || !outputs?.thumbnail_url || element.poster) return;
			posterAsked = true;
			addPoster(outputs.thumbnail_url).catch(() => {});
		},
		offerCaptions(languages) {
			const url = transcript_url ?? (outputs?.hls_url && new URL("../transcript.vtt", outputs.hls_url).href);
			const found = languages.length > 0 ? languages : transcript_url ? [""] : [];
			const files = given ?? found.map((language) => ({ url: url || "", language }));
			if (captions || files.length === 0) return;
			const changed = (shownCaptions: number | null) => set({ shownCaptions });
			captions = import("./captions.ts").then(({ addCaptions }) =>
				addCaptions(element, files, fetchBlob, changed, signal),
			);
			captions.then((added) => set({ captions: added.captions })).catch(() => {});
		},
		showCaptions(index) {
			captions?.then(({ show }) => show(index)).catch(() => {});
		},
		async loadStoryboard() {
			if (!outputs?.storyboard_url) return [];
			storyboard ??= addStoryboard(outputs.storyboard_url).catch((error) => {
				storyboard = undefined;
				throw error;
			});
			return storyboard;
		},
	};
}

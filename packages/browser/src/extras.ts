import type { ShownCaptions } from "./captions.ts";
import type { Chapter } from "./chapters.ts";
import type { FoundCaptions } from "./master-playlist.ts";
import type { PlayerOptions } from "./player-options.ts";
import type { PlayerState } from "./player-state.ts";
import type { Picture } from "./storyboard.ts";

/**
 * What a player shows beside the video: poster, captions, storyboard and chapters. Each but the chapters is loaded at
 * most once.
 */
export type Extras = {
	/**
	 * Shows the poster, unless the page has one of its own. A poster that is too large, or that can't be loaded, is left
	 * out. Resolves to the bytes that it takes, as soon as they are known; never rejects.
	 */
	showPoster(): Promise<number>;
	/** Offers the page's captions, or the video's: these of its playlist, of which the first one is the transcript. */
	offerCaptions(found: readonly FoundCaptions[]): void;
	showCaptions(index: number | null): void;
	/** Rejects with what the fetch rejects with; the next call tries again. */
	loadStoryboard(): Promise<readonly Picture[]>;
	/** Rejects with what the fetch rejects with. */
	loadChapters(): Promise<readonly Chapter[]>;
};

/** A larger poster is left out, in bytes: it would leave too little of 300 kB for the first picture. */
const mostPosterBytes = 210_000;
/** What a poster is taken to have if the answer does not say it, in bytes. */
const usualPosterBytes = 131_072;

/** What the player gives its extras. */
type Parts = {
	get(url: string, init?: RequestInit): Promise<Response>;
	set(state: Partial<PlayerState>): void;
	/** Keeps an object URL until the end, and returns it. */
	keep(address: string): string;
	/** Calls this at the end, or at once after it. */
	onEnd(work: () => void): void;
	signal: AbortSignal;
};

/** Creates the extras of a player. They are taken away when the signal aborts. */
export function createExtras(
	{ element, video, captions: given }: PlayerOptions,
	{ get, set, keep, onEnd, signal }: Parts,
): Extras {
	const { transcript_url, outputs, visibility } = video;
	let poster: Promise<number> | undefined;
	let captions: Promise<ShownCaptions> | undefined;
	let storyboard: Promise<readonly Picture[]> | undefined;
	const fetchBlob = async (url: string) => (await get(url)).blob();

	async function addPoster(url: string): Promise<number> {
		const isPrivate = visibility === "private";
		const head = await get(url, { method: "HEAD" }).catch((error) => {
			// The picture of another site needs no CORS, which this question needs.
			if (isPrivate) throw error;
		});
		const bytes = Number(head?.headers.get("content-length")) || usualPosterBytes;
		if (bytes > mostPosterBytes) return 0;
		const show = async () => {
			const address = isPrivate ? keep(URL.createObjectURL(await fetchBlob(url))) : url;
			if (signal.aborted) return;
			element.poster = address;
			onEnd(() => element.poster === address && element.removeAttribute("poster"));
		};
		show().catch(() => {});
		return bytes;
	}

	async function addStoryboard(url: string): Promise<readonly Picture[]> {
		const { fetchStoryboard } = await import("./storyboard.ts");
		const { pictures, text } = await fetchStoryboard(url, fetchBlob, keep);
		if (signal.aborted) return pictures;
		const src = keep(URL.createObjectURL(new Blob([text])));
		const track = document.createElement("track");
		element.append(Object.assign(track, { kind: "metadata", label: "thumbnails", default: true, src }));
		onEnd(() => track.remove());
		set({ storyboard: pictures });
		return pictures;
	}

	return {
		async showPoster() {
			const url = outputs?.poster_url ?? outputs?.thumbnail_url;
			if (url && !element.poster) poster ??= addPoster(url).catch(() => 0);
			return poster ?? 0;
		},
		offerCaptions(found) {
			// The transcript's file is known; those of others are in their playlists.
			const own = found.map((one) =>
				one.url.endsWith("/captions.m3u8")
					? { ...one, url: transcript_url ?? new URL("../transcript.vtt", one.url).href }
					: one,
			);
			const files = given ?? (own.length > 0 || !transcript_url ? own : [{ url: transcript_url, language: "" }]);
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
		async loadChapters() {
			const url = outputs?.chapters_url;
			return url ? (await import("./chapters.ts")).readChapters(await (await get(url)).text()) : [];
		},
	};
}

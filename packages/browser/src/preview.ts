import type { MasterPlaylist } from "./master-playlist.ts";
import { readMediaPlaylist } from "./master-playlist.ts";

/** The most that is read of a media file for its first picture, in bytes; playlists and poster have the rest of 300 kB. */
const mostBytes = 160 * 1024;
const step = 64 * 1024;
/** Enough of a media playlist to know where its first segment is; the whole one is read only to learn the duration. */
const headBytes = 2048;
const wholeBytes = 64 * 1024;

/** The browser's Media Source: the managed one where there is one, as on iPhones; undefined where there is none. */
export const mediaSource = (): typeof MediaSource | undefined => {
	const { ManagedMediaSource, MediaSource } = globalThis as {
		ManagedMediaSource?: typeof globalThis.MediaSource;
		MediaSource?: typeof globalThis.MediaSource;
	};
	return ManagedMediaSource ?? MediaSource;
};

/**
 * Gives an element an empty source, so that its controls work before anything is loaded. Returns how to fill it with the
 * duration and the first picture of a video, and how to take it away. Both leave the element alone once it has another
 * source.
 */
export function createPreview(element: HTMLMediaElement): Preview | undefined {
	const Source = mediaSource();
	if (Source === undefined) return undefined;
	const source = new Source();
	const address = URL.createObjectURL(source);
	const opened = new Promise<void>((resolve) => source.addEventListener("sourceopen", () => resolve(), { once: true }));
	// A managed source opens only where casting is off: Safari would ask for another source to cast.
	const before = element.disableRemotePlayback;
	if (Source !== globalThis.MediaSource) element.disableRemotePlayback = true;
	element.src = address;
	const isHere = () => element.src === address;
	return {
		async fill({ master, durationSeconds, fetchRange, signal }) {
			const variant = master.variants[0];
			if (variant === undefined) return;
			const known = durationSeconds !== null;
			const head = await fetchRange(variant.url, 0, known ? headBytes : wholeBytes);
			const { file, firstSegment, seconds } = readMediaPlaylist(new TextDecoder().decode(head), variant.url);
			const type = `video/mp4; codecs="${variant.videoCodec}"`;
			if (!file || !Source.isTypeSupported(type)) return;
			await opened;
			if (signal.aborted || !isHere()) return;
			const buffer = source.addSourceBuffer(type);
			source.duration = durationSeconds ?? seconds;
			const end = firstSegment + mostBytes;
			for (let from = 0; from < end && element.readyState < 2; ) {
				const bytes = await fetchRange(file, from, Math.min(end, Math.max(firstSegment, from) + step));
				if (signal.aborted || !isHere() || bytes.byteLength === 0) return;
				const done = new Promise((resolve) => buffer.addEventListener("updateend", resolve, { once: true }));
				buffer.appendBuffer(bytes);
				await done;
				from += bytes.byteLength;
				if (element.readyState >= 1) await decoded(element, signal);
			}
		},
		destroy() {
			URL.revokeObjectURL(address);
			element.disableRemotePlayback = before;
			if (!isHere()) return;
			element.removeAttribute("src");
			element.load();
		},
	};
}

export type Preview = {
	/** `durationSeconds` is null if it is not known; `fetchRange` resolves to the bytes from the first up to the second. */
	fill(options: {
		master: MasterPlaylist;
		durationSeconds: number | null;
		fetchRange: (url: string, from: number, to: number) => Promise<ArrayBuffer>;
		signal: AbortSignal;
	}): Promise<void>;
	destroy(): void;
};

/** Waits a moment for the picture of what was appended: what is missing for it, the decoder does not say. */
const decoded = (element: HTMLMediaElement, signal: AbortSignal) =>
	new Promise<void>((resolve) => {
		if (element.readyState >= 2) return resolve();
		element.addEventListener("loadeddata", () => resolve(), { once: true, signal });
		setTimeout(resolve, 100);
	});

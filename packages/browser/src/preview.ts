import type { Codec } from "./codec-choice.ts";
import { type MasterPlaylist, readMasterPlaylist, readMediaPlaylist } from "./master-playlist.ts";
import type { Level } from "./player-state.ts";
import { mediaSource } from "./source-kind.ts";

/** The most that is read of a media file for its first picture, in bytes. */
const mostMediaBytes = 160 * 1024;
const step = 40 * 1024;
/** Enough of a media playlist to know its file; more is read only to learn the duration. */
const headBytes = 1024;
/** Fits, with the largest poster, into what is loaded before the play. */
const longestPlaylist = 64 * 1024;

/** What a master playlist says of a video. */
export type Found = { readonly levels: readonly Level[] } & Pick<MasterPlaylist, "captions">;

/** What stands in an element before the playback, without hls.js. */
export type Preview = {
	/**
	 * Shows the duration and the first picture of a video's smallest level. `found` is called as soon as the master
	 * playlist is read. `durationSeconds` is null if it is not known. Loads no more than `mostBytes` of the level, even
	 * if that is too little for a picture. Rejects with what `get` rejects with.
	 */
	fill(options: {
		url: string;
		codec: Codec | undefined;
		durationSeconds: number | null;
		mostBytes: number;
		get: (url: string, init?: RequestInit) => Promise<Response>;
		found: (master: Found) => void;
	}): Promise<void>;
	destroy(): void;
};

/**
 * Gives an element a source that is empty at first, so that its controls work before anything is loaded. A preview
 * leaves the element alone once it has another source.
 */
export function createPreview(element: HTMLMediaElement): Preview {
	// There is one: otherwise a video plays without a preview.
	const Source = mediaSource() as typeof MediaSource;
	const source = new Source();
	const address = URL.createObjectURL(source);
	const opened = new Promise((resolve) => source.addEventListener("sourceopen", resolve, { once: true }));
	// A managed source opens only where casting is off: Safari would ask for another source to cast.
	const couldCast = !element.disableRemotePlayback;
	if (Source !== globalThis.MediaSource) element.disableRemotePlayback = true;
	element.src = address;
	const isHere = () => element.src === address;
	return {
		async fill({ url, codec, durationSeconds, mostBytes, get, found }) {
			let isWhole = false;
			const fetchRange = async (file: string, from: number, length: number) => {
				const answer = await get(file, { headers: { range: `bytes=${from}-${from + length - 1}` } });
				const bytes = await answer.arrayBuffer();
				// A bucket's answer to a page of another origin may hide how large the file is.
				const size = Number(answer.headers.get("content-range")?.split("/")[1]);
				isWhole = bytes.byteLength < length || from + length >= size;
				return answer.status === 206 ? bytes : bytes.slice(from, from + length);
			};
			const master = readMasterPlaylist(await (await get(url)).text(), url, codec);
			found(master);
			const [smallest] = master.levels;
			if (smallest === undefined) return;
			const head = await fetchRange(smallest.url, 0, durationSeconds === null ? longestPlaylist : headBytes);
			const { file, seconds } = readMediaPlaylist(new TextDecoder().decode(head), smallest.url);
			const type = `video/mp4; codecs="${smallest.videoCodec}"`;
			if (!file || !Source.isTypeSupported(type)) return;
			await opened;
			if (!isHere()) return;
			const buffer = source.addSourceBuffer(type);
			source.duration = durationSeconds ?? seconds;
			const end = Math.min(mostMediaBytes, mostBytes - head.byteLength);
			for (let from = 0; from < end && element.readyState < 2; from += step) {
				const bytes = await fetchRange(file, from, Math.min(step, end - from));
				if (!isHere()) return;
				const done = new Promise((resolve) => buffer.addEventListener("updateend", resolve, { once: true }));
				buffer.appendBuffer(bytes);
				await done;
				// A picture that takes long to be decoded is no reason to read behind the file's end.
				if (isWhole) return;
				if (element.readyState === 1) await decoded(element);
			}
		},
		destroy() {
			URL.revokeObjectURL(address);
			if (couldCast) element.disableRemotePlayback = false;
			if (!isHere()) return;
			element.removeAttribute("src");
			element.load();
		},
	};
}

/** Waits a moment for the picture of what was appended: a decoder does not say what it is missing. */
const decoded = (element: HTMLMediaElement) =>
	new Promise((resolve) => {
		element.addEventListener("loadeddata", resolve, { once: true });
		setTimeout(resolve, 150);
	});

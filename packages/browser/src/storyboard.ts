/** One small picture of a storyboard: a part of an image. Times are seconds, the rest pixels of the image. */
export type Picture = {
	readonly from: number;
	readonly to: number;
	/** The image's address, which is a `blob:` of this page. */
	readonly image: string;
	readonly x: number;
	readonly y: number;
	readonly width: number;
	readonly height: number;
};

/** A storyboard: its pictures, and WebVTT that names them, for a `metadata` track. */
type Storyboard = { readonly pictures: readonly Picture[]; readonly text: string };

/** Reads a time of WebVTT. */
export const seconds = (time: string) => time.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);

/** Reads a storyboard's WebVTT. A cue that names no part of an image is left out. */
export function readStoryboard(text: string): Picture[] {
	const lines = text.split(/\r?\n/);
	return lines.flatMap((line, at) => {
		const [from, to] = line.split(" --> ");
		const [image, part] = (lines[at + 1] ?? "").split("#xywh=");
		if (!from || !to || !image || !part) return [];
		const [x = 0, y = 0, width = 0, height = 0] = part.split(",").map(Number);
		return [{ from: seconds(from), to: seconds(to.split(" ")[0] ?? to), image, x, y, width, height }];
	});
}

/**
 * Fetches a storyboard and its images, and puts blobs in the place of the images: an image of a private video needs the
 * key. `keep` is called with each blob's address, which lives as long as the storyboard is shown.
 */
export async function fetchStoryboard(
	url: string,
	fetchBlob: (url: string) => Promise<Blob>,
	keep: (address: string) => string,
): Promise<Storyboard> {
	let text = await (await fetchBlob(url)).text();
	for (const image of new Set(readStoryboard(text).map((picture) => picture.image))) {
		const address = keep(URL.createObjectURL(await fetchBlob(new URL(image, url).href)));
		text = text.replaceAll(`${image}#`, `${address}#`);
	}
	return { pictures: readStoryboard(text), text };
}

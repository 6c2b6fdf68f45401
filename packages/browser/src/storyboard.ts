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

const seconds = (time: string) => time.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);

/**
 * Reads a storyboard's WebVTT. `image` is the address that the text gives, made absolute by the text's own address. A
 * cue that names no part of an image is left out.
 */
export function readStoryboard(text: string, url: string): Picture[] {
	const lines = text.split(/\r?\n/);
	return lines.flatMap((line, at) => {
		const [from, to] = line.split(" --> ");
		const [image, part] = (lines[at + 1] ?? "").split("#xywh=");
		if (!from || !to || !image || !part) return [];
		const [x = 0, y = 0, width = 0, height = 0] = part.split(",").map(Number);
		const href = new URL(image, url).href;
		return [{ from: seconds(from), to: seconds(to.split(" ")[0] ?? to), image: href, x, y, width, height }];
	});
}

/**
 * Fetches a storyboard and its images, as blobs. The addresses live until `keep` is called back: hand each to
 * `URL.revokeObjectURL` then.
 */
export async function loadStoryboard(
	url: string,
	fetchBlob: (url: string) => Promise<Blob>,
	keep: (address: string) => string,
): Promise<Picture[]> {
	const pictures = readStoryboard(await (await fetchBlob(url)).text(), url);
	const images = new Map<string, string>();
	for (const image of new Set(pictures.map((picture) => picture.image)))
		images.set(image, keep(URL.createObjectURL(await fetchBlob(image))));
	return pictures.map((picture) => ({ ...picture, image: images.get(picture.image) ?? picture.image }));
}

/** Returns WebVTT over the pictures, for a `metadata` track named "thumbnails", which many players' controls look for. */
export const asTrack = (pictures: readonly Picture[]): Blob =>
	new Blob(
		[
			"WEBVTT\n",
			...pictures.map(
				({ from, to, image, x, y, width, height }) =>
					`\n${time(from)} --> ${time(to)}\n${image}#xywh=${x},${y},${width},${height}\n`,
			),
		],
		{ type: "text/vtt" },
	);

const time = (value: number): string => {
	const date = new Date(Math.round(value * 1000)).toISOString();
	return `${String(Math.floor(value / 3600)).padStart(2, "0")}${date.slice(13, 23)}`;
};

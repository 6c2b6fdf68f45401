import { eachOf, type Fields, numberOf, textOf } from "../fields.ts";
import type { Format } from "../format.ts";
import type { FoundVideo } from "../found-video.ts";

/** The greatest height of which there is an MP4. */
const mostPixels = 1080;

/** Bunny Stream's videos, as `GET /library/ID/videos` lists them. */
export const bunny: Format = {
	is: (video) => "guid" in video && "videoLibraryId" in video,
	needsOrigin: true,
	read(video, { origin }) {
		const folder = `${origin}/${textOf(video.guid)}`;
		return {
			id: textOf(video.guid),
			file: fileOf(video, folder),
			title: textOf(video.title),
			seconds: numberOf(video.length),
			values: {
				collection_id: video.collectionId,
				category: video.category,
				...Object.fromEntries(eachOf(video.metaTags).map(({ property, value }) => [String(property), value])),
			},
			captions: eachOf(video.captions).map(({ srclang, label }) => ({
				language: textOf(srclang),
				label: textOf(label),
				url: `${folder}/captions/${textOf(srclang)}.vtt`,
			})),
			chapters: eachOf(video.chapters).map(({ start, title }) => ({
				start_seconds: numberOf(start) ?? 0,
				title: textOf(title) ?? "",
			})),
		};
	},
};

function fileOf(video: Fields, folder: string): FoundVideo["file"] {
	// 0: created, 5: error, 6: its upload failed.
	if ([0, 5, 6].includes(Number(video.status))) return { cannot: "Its upload or its encode has not ended well." };
	if (video.hasOriginal !== false) return { url: `${folder}/original` };
	const heights = (textOf(video.availableResolutions) ?? "").split(",").map((text) => Number.parseInt(text, 10));
	const height = Math.max(0, ...heights.filter((pixels) => pixels <= mostPixels));
	if (video.hasMP4Fallback === true && height > 0) return { url: `${folder}/play_${height}p.mp4` };
	return { cannot: "Bunny keeps neither its original nor an MP4 of it." };
}

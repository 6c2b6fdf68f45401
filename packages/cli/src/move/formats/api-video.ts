import { eachOf, fieldsOf, textOf } from "../fields.ts";
import type { Format } from "../format.ts";
import { addedCaptions } from "./added-captions.ts";

/**
 * api.video's videos, as `GET /videos` lists them (version 1). `captions` may be added: what `GET /videos/ID/captions`
 * answers.
 */
export const apiVideo: Format = {
	is: (video) => "videoId" in video && "assets" in video,
	read(video) {
		const url = textOf(fieldsOf(video.assets).mp4);
		return {
			id: textOf(video.videoId),
			file:
				url === undefined
					? { cannot: "It has no MP4: switch `mp4Support` on for it at api.video, and list the videos anew." }
					: { url },
			title: textOf(video.title),
			visibility: video.public === false ? "private" : "public",
			values: {
				description: video.description,
				tags: Array.isArray(video.tags) ? video.tags.join(", ") : undefined,
				...Object.fromEntries(eachOf(video.metadata).map(({ key, value }) => [String(key), value])),
			},
			...addedCaptions(
				video.captions,
				({ srclang }) => srclang,
				({ src }) => src,
			),
		};
	},
};

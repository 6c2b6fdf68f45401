import { eachOf, fieldsOf, numberOf, textOf } from "../fields.ts";
import type { Format } from "../format.ts";
import { addedCaptions } from "./added-captions.ts";

/**
 * A list of one's own: lines of JSON with the fields of `POST /v1/imports`, and captions. A CSV is read as such a list.
 */
export const plain: Format = {
	is: (video) => "url" in video,
	read(video) {
		const { visibility } = video;
		return {
			id: textOf(video.external_ref) ?? withoutQuery(textOf(video.url)),
			file: { url: textOf(video.url) ?? "" },
			title: textOf(video.title),
			visibility: visibility === "public" || visibility === "private" ? visibility : undefined,
			wrong:
				textOf(visibility) === undefined || visibility === "public" || visibility === "private"
					? undefined
					: "its visibility is neither public nor private",
			seconds: numberOf(video.duration_seconds),
			bytes: numberOf(video.file_size),
			contentType: textOf(video.content_type),
			uploaderRef: textOf(video.uploader_ref),
			values: fieldsOf(video.values),
			chapters: eachOf(video.chapters).map(({ start_seconds: start, title }) => ({
				start_seconds: numberOf(start) ?? 0,
				title: textOf(title) ?? "",
			})),
			...addedCaptions(video.captions, ({ language }) => language),
		};
	},
};

/** A signature in the query is a secret, and another one in the next list. */
function withoutQuery(address = ""): string | undefined {
	if (!URL.canParse(address)) return "?";
	const { origin, pathname } = new URL(address);
	return origin + pathname;
}

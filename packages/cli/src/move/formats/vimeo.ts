import { eachOf, type Fields, fieldsOf, isFields, largest, numberOf, textOf } from "../fields.ts";
import type { Format } from "../format.ts";
import type { FoundVideo } from "../found-video.ts";
import { addedCaptions } from "./added-captions.ts";

/**
 * Vimeo's videos, as `GET /me/videos` lists them (API 3.4). `texttracks` may be added: what `GET /videos/ID/texttracks`
 * answers.
 */
export const vimeo: Format = {
	is: ({ uri }) => typeof uri === "string" && uri.startsWith("/videos/"),
	read(video) {
		const { texttracks } = fieldsOf(fieldsOf(video.metadata).connections);
		const hasMissing = video.texttracks === undefined && (numberOf(fieldsOf(texttracks).total) ?? 0) > 0;
		const added = addedCaptions(
			tracksOf(video.texttracks),
			({ language }) => textOf(language)?.replace(/-x-autogen$/, ""),
			({ link }) => link,
		);
		return {
			id: textOf(video.uri)?.split("/")[2]?.split(":")[0],
			file: fileOf(video),
			title: textOf(video.name),
			visibility: ["anybody", "unlisted"].includes(String(fieldsOf(video.privacy).view)) ? "public" : "private",
			seconds: numberOf(video.duration),
			values: {
				tags: eachOf(video.tags)
					.map(({ name }) => name)
					.join(", "),
			},
			captions: added.captions ?? [],
			notes: hasMissing ? ["The list doesn't have its text tracks: add `texttracks`."] : (added.notes ?? []),
		};
	},
};

/** Returns the tracks that viewers choose, with the words for them that are used here. */
const tracksOf = (added: unknown): Fields[] =>
	eachOf(isFields(added) ? added.data : added)
		.filter(({ type }) => type === "captions" || type === "subtitles")
		.map((track) => ({ ...track, kind: track.type, label: track.display_language }));

function fileOf(video: Fields): FoundVideo["file"] {
	const state = textOf(video.status) ?? "available";
	if (state !== "available") return { cannot: `It is ${state}.` };
	const files = [...eachOf(video.download), ...eachOf(video.files)].filter(({ quality }) => quality !== "hls");
	const best =
		files.find(({ quality }) => quality === "source") ?? largest(files, ({ height }) => numberOf(height) ?? 0);
	const url = textOf(best?.link);
	if (url !== undefined) return { url };
	return {
		cannot:
			"The list has no address of its files: they are listed to a token with the scope `video_files`, on a plan that allows downloads.",
	};
}

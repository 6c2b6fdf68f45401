import { eachOf, type Fields, fieldsOf, largest, numberOf, textOf } from "../fields.ts";
import type { Format } from "../format.ts";
import type { FoundCaptions, FoundVideo } from "../found-video.ts";

/** PeerTube's privacy: 1 is public, 2 unlisted; the others are for a few. */
const open = [1, 2];

/** The videos of a PeerTube user, as `peertube/videos.json` of the user's export has them (PeerTube 6.1 to 8). */
export const peertube: Format = {
	is: (video) => "uuid" in video && ("streamingPlaylists" in video || "archiveFiles" in video),
	read(video) {
		const isOpen = open.includes(Number(video.privacy));
		const archived = fieldsOf(fieldsOf(video.archiveFiles).captions);
		return {
			id: textOf(video.uuid),
			file: fileOf(video, isOpen),
			title: textOf(video.name),
			visibility: isOpen ? "public" : "private",
			seconds: numberOf(video.duration),
			values: {
				url: video.url,
				channel: fieldsOf(video.channel).name,
				language: video.language,
				tags: Array.isArray(video.tags) ? video.tags.join(", ") : undefined,
			},
			captions: eachOf(video.captions).flatMap(({ language, fileUrl }): FoundCaptions[] => {
				const said = { language: textOf(language) };
				const [file, url] = [textOf(archived[said.language ?? ""]), textOf(fileUrl)];
				if (file !== undefined) return [{ ...said, file }];
				return url === undefined ? [] : [{ ...said, url }];
			}),
			chapters: eachOf(video.chapters).map(({ timecode, title }) => ({
				start_seconds: numberOf(timecode) ?? 0,
				title: textOf(title) ?? "",
			})),
		};
	},
};

function fileOf(video: Fields, isOpen: boolean): FoundVideo["file"] {
	if (video.isLive === true) return { cannot: "It is live." };
	if (!isOpen)
		return {
			cannot: "PeerTube gives its file to few: export it with its files, and send them by `reelmill import FOLDER`.",
		};
	const height = ({ resolution }: Fields) => numberOf(resolution);
	const best = (files: Fields[]) => textOf(largest(files, height)?.fileUrl);
	const web = best(eachOf(video.files).filter((file) => (height(file) ?? 0) > 0));
	if (web !== undefined) return { url: web };
	const files = eachOf(video.streamingPlaylists).flatMap((playlist) => eachOf(playlist.files));
	// Sound in a file of its own has the resolution 0; those with a picture then have none.
	const isSplit = files.some((file) => height(file) === 0);
	const url = isSplit ? undefined : best(files);
	if (url !== undefined) return { url };
	return {
		cannot: `PeerTube has ${isSplit ? "its picture and its sound in two files" : "no file of it"}: export it with its files, and send them by \`reelmill import FOLDER\`.`,
	};
}

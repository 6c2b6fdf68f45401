import { type Fields, fieldsOf, numberOf, textOf } from "../fields.ts";
import type { Format } from "../format.ts";
import type { FoundVideo } from "../found-video.ts";
import { addedCaptions } from "./added-captions.ts";

/**
 * Cloudflare Stream's videos, as `GET /accounts/ID/stream` lists them (API v4). `downloads` may be added: what
 * `GET …/stream/UID/downloads` answers.
 */
export const cloudflare: Format = {
	is: (video) => "uid" in video && ("readyToStream" in video || "playback" in video),
	read(video) {
		const { name, ...meta } = fieldsOf(video.meta);
		const seconds = numberOf(video.duration) ?? -1;
		return {
			id: textOf(video.uid),
			file: fileOf(video),
			title: textOf(name),
			visibility: video.requireSignedURLs === true ? "private" : "public",
			seconds: seconds > 0 ? seconds : undefined,
			values: { creator: video.creator, ...meta },
			...addedCaptions(video.captions, ({ language }) => language),
		};
	},
};

function fileOf(video: Fields): FoundVideo["file"] {
	const { state } = fieldsOf(video.status);
	if (video.readyToStream !== true) return { cannot: `It is ${textOf(state) ?? "not ready"}.` };
	const added = fieldsOf(video.downloads);
	const { status, url, percentComplete } = fieldsOf(added.default ?? added);
	if (textOf(url) !== undefined)
		return (status ?? "ready") === "ready"
			? { url: String(url) }
			: { cannot: `Its download is made to ${textOf(percentComplete) ?? "0"} %: ask for it again later.` };
	const playlist = textOf(fieldsOf(video.playback).hls)?.match(/^(https:.*)\/manifest\/video\.m3u8/);
	// In place of the id, the address needs a token that the list doesn't have.
	if (video.requireSignedURLs === true || !playlist)
		return { cannot: "The list has no address for its download: add `downloads` to it, as the guide to moving shows." };
	return { url: `${playlist[1]}/downloads/default.mp4` };
}

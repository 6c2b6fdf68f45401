import { eachOf, type Fields, fieldsOf, largest, numberOf, textOf } from "../fields.ts";
import type { Format } from "../format.ts";
import type { FoundVideo } from "../found-video.ts";

/** Mux Video's assets, as `GET /video/v1/assets` lists them (API v1). */
export const mux: Format = {
	is: (asset) => "playback_ids" in asset || "master_access" in asset,
	read(asset) {
		const { title, ...meta } = fieldsOf(asset.meta);
		const playback = eachOf(asset.playback_ids).find(({ policy }) => policy === "public");
		const base = playback === undefined ? undefined : `https://stream.mux.com/${textOf(playback.id)}`;
		const tracks = eachOf(asset.tracks).filter(({ type, text_type: text, status }) => {
			return type === "text" && text === "subtitles" && (status ?? "ready") === "ready";
		});
		return {
			id: textOf(asset.id),
			file: fileOf(asset, base),
			title: textOf(title),
			visibility: playback === undefined ? "private" : "public",
			seconds: numberOf(asset.duration),
			values: { passthrough: asset.passthrough, external_id: meta.external_id, creator_id: meta.creator_id },
			captions:
				base === undefined
					? []
					: tracks.map((track) => ({
							language: textOf(track.language_code),
							label: textOf(track.name),
							kind: track.closed_captions === true ? "captions" : undefined,
							url: `${base}/text/${textOf(track.id)}.vtt`,
						})),
			notes:
				base === undefined && tracks.length > 0
					? ["Its captions have no public address: give the asset a public playback id, or put them yourself."]
					: [],
		};
	},
};

function fileOf(asset: Fields, base: string | undefined): FoundVideo["file"] {
	const { status } = asset;
	if (status !== "ready" || asset.is_live === true)
		return { cannot: `It is ${asset.is_live === true ? "live" : (textOf(status) ?? "not ready")}.` };
	if (asset.resolution_tier === "audio-only") return { cannot: "It is sound without a picture." };
	const master = fieldsOf(asset.master);
	const url = textOf(master.url);
	if (master.status === "ready" && url !== undefined) return { url };
	const renditions = eachOf(fieldsOf(asset.static_renditions).files).filter(
		(file) => file.ext === "mp4" && (file.status ?? "ready") === "ready",
	);
	const best = largest(renditions, ({ width, height }) => (numberOf(width) ?? 0) * (numberOf(height) ?? 0));
	if (best !== undefined && base !== undefined) return { url: `${base}/${textOf(best.name)}` };
	return {
		cannot:
			'It has no address for downloads: ask for its master by PUT /video/v1/assets/ID/master-access {"master_access":"temporary"}, and list the assets anew once master.status is ready.',
	};
}

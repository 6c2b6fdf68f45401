import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { claimed, completion, once, type Service } from "../../../http/test/support/open-service.ts";

/** Where a video's files of the clip are on the delivery plane, by their names in the folder of `makeClip`. */
const places: Readonly<Record<string, string>> = {
	"master.m3u8": "hls/master.m3u8",
	"h264.m3u8": "hls/h264_180.m3u8",
	"big.m3u8": "hls/h264_360.m3u8",
	"av1.m3u8": "hls/av1_180.m3u8",
	"audio.m3u8": "hls/audio.m3u8",
	"h264.mp4": "media/h264_180.mp4",
	"big.mp4": "media/h264_360.mp4",
	"av1.mp4": "media/av1_180.mp4",
	"audio.mp4": "media/audio.m4a",
	"web.mp4": "web.mp4",
	"og.jpg": "og.jpg",
	"transcript.vtt": "transcript.vtt",
	"storyboard.vtt": "storyboard.vtt",
};
const captions =
	"#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:8\n#EXT-X-PLAYLIST-TYPE:VOD\n#EXTINF:8.0,\n../transcript.vtt\n#EXT-X-ENDLIST\n";

/** The name as a playlist of the delivery plane gives it. */
const addressOf = (name: string): string =>
	(places[name] ?? name).replace(/^hls\//, "").replace(/^media\//, "../media/");

/** Brings the clip of `makeClip` to a service as a worker does. Resolves to the id of the video. */
export async function serveClip(service: Service, auth: Record<string, string>, folder: string): Promise<string> {
	const files = new Map<string, Uint8Array>([["hls/captions.m3u8", Buffer.from(captions)]]);
	for (const [name, place] of Object.entries(places)) {
		const bytes = await readFile(join(folder, name));
		if (!name.endsWith(".m3u8")) files.set(place, bytes);
		else files.set(place, Buffer.from(bytes.toString().replaceAll(/\b\w+\.(?:mp4|m3u8)\b/g, addressOf)));
	}
	files.set("storyboard/og.jpg", await readFile(join(folder, "og.jpg")));
	files.set(
		"storyboard.vtt",
		Buffer.from(files.get("storyboard.vtt")?.toString().replaceAll("og.jpg", "storyboard/og.jpg") ?? ""),
	);
	const job = await claimed(service, auth, { visibility: "private" });
	const entries = async function* () {
		for (const [path, bytes] of files) yield { path, bytes: once(bytes) };
	};
	await service.engine.jobs.replaceOutputs(job.id, job.lock, entries());
	const made = completion(job.lock, [...files.keys()]);
	const rendition = (codec: "h264" | "av1", height: number) => ({
		...{ name: `${codec}_${height}`, codec, height },
		width: (height * 16) / 9,
		bitrate: 900_000,
	});
	await service.engine.jobs.complete(job.id, {
		...made,
		outputs: { ...made.outputs, renditions: [rendition("h264", 180), rendition("h264", 360), rendition("av1", 180)] },
		media: {
			...made.media,
			duration_seconds: 8,
			width: 640,
			height: 360,
			transcript_status: "available",
			language: "de",
		},
	});
	return job.id;
}

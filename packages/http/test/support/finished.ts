import { playlistOf } from "@reelmill/engine/testing";
import { claimed, completion, once, type Service } from "./open-service.ts";

/** One file for each operation of the delivery plane. */
export const deliveredFiles: Readonly<Record<string, string>> = {
	"hls/master.m3u8": playlistOf(1),
	"hls/h264_720.m3u8": playlistOf(1),
	"dash/manifest.mpd":
		'<MPD mediaPresentationDuration="PT1S"><Period><AdaptationSet><Representation><BaseURL>../media/h264_720.mp4</BaseURL><SegmentBase indexRange="4-6"><Initialization range="0-3"/></SegmentBase></Representation></AdaptationSet></Period></MPD>',
	"media/h264_720.mp4": "0123456789",
	"web.mp4": "0123456789",
	"og.jpg": "jpg",
	"poster.jpg": "jpg",
	"preview.webp": "webp",
	"transcript.vtt": "WEBVTT\n",
	"captions/2.vtt": "WEBVTT\n",
	"chapters.vtt": "WEBVTT\n",
	"chapters.json": "0",
	"storyboard.vtt": "WEBVTT\n",
	"storyboard/0001.jpg": "jpg",
};

/** A video that plays, with all of {@link deliveredFiles}, brought there as a worker brings it. Answers its id. */
export async function finished(
	service: Service,
	auth: Record<string, string>,
	visibility: "private" | "public" = "private",
): Promise<string> {
	const job = await claimed(service, auth, { visibility });
	const entries = async function* () {
		for (const [path, text] of Object.entries(deliveredFiles)) yield { path, bytes: once(text) };
	};
	await service.engine.jobs.replaceOutputs(job.id, job.lock, entries());
	await service.engine.jobs.complete(job.id, completion(job.lock, Object.keys(deliveredFiles)));
	return job.id;
}

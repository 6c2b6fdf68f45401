import type { CompleteRequest, Job, Rendition } from "@reelmill/contracts";
import type { FinishedMedia } from "./messages.ts";

export type MadeOutputs = {
	readonly files: ReadonlyMap<string, string>;
	readonly renditions: readonly Rendition[];
	readonly media: CompleteRequest["media"];
};

const bitrate = 2_000_000;
const defaultSeconds = 10;

/**
 * Makes what a worker would hand over for `job`: every output that its plan asks for, small, with playlists that the
 * engine accepts. Nothing in it can be played.
 */
export function makeOutputs(
	job: Job,
	{ durationSeconds, width = 1280, height = 720, transcript = hello, language = "en" }: FinishedMedia,
	declaredSeconds: number | null,
): MadeOutputs {
	const { outputs, moderation_frames: frames, transcript: wantsTranscript } = job.plan;
	const seconds = durationSeconds ?? declaredSeconds ?? defaultSeconds;
	const side = Math.min(720, width, height);
	const scale = side / Math.min(width, height);
	const rendition: Rendition = {
		name: "h264_720",
		codec: "h264",
		width: Math.round(width * scale),
		height: Math.round(height * scale),
		bitrate,
	};
	const files = new Map<string, string>();
	const says = wantsTranscript && transcript !== null;
	const madeMedia: MadeOutputs["media"] = {
		duration_seconds: seconds,
		width,
		height,
		transcript_status: wantsTranscript ? (says ? "available" : "no_speech") : "disabled",
		language: says ? language : null,
	};
	const picture = "the bytes of a picture";
	const media = "media/h264_720.mp4";
	const { poster } = job;
	if (poster !== undefined) {
		for (const file of ["og.jpg", "poster.jpg"]) files.set(file, picture);
		if (poster.preview) files.set("preview.webp", picture);
		return { files, renditions: [], media: madeMedia };
	}
	if (outputs.hls || outputs.dash) files.set(media, "the bytes of a rendition, as a test has them");
	if (outputs.hls) {
		files.set("hls/master.m3u8", masterOf(rendition));
		files.set("hls/h264_720.m3u8", playlistOf(seconds));
	}
	if (outputs.dash) files.set("dash/manifest.mpd", manifestOf(seconds, rendition));
	if (outputs.mp4_fallback) files.set("web.mp4", "the bytes of web.mp4, as a test has them");
	if (outputs.og_thumbnail) for (const file of ["og.jpg", "poster.jpg"]) files.set(file, picture);
	if (frames) files.set("frames/00001.jpg", "the bytes of a frame");
	if (says) files.set("transcript.vtt", transcript);
	return {
		files,
		renditions: files.has(media) ? [rendition] : [],
		media: madeMedia,
	};
}

const hello = "WEBVTT\n\n00:00.000 --> 00:01.000\nHello.\n";
const codecs = "avc1.640020,mp4a.40.2";

const masterOf = ({ width, height }: Rendition): string =>
	`#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=${bitrate},RESOLUTION=${width}x${height},CODECS="${codecs}"\nh264_720.m3u8\n`;

const playlistOf = (seconds: number): string =>
	`#EXTM3U\n#EXT-X-TARGETDURATION:${Math.max(1, Math.ceil(seconds))}\n#EXTINF:${seconds},\n../media/h264_720.mp4\n#EXT-X-ENDLIST\n`;

const manifestOf = (seconds: number, { width, height }: Rendition): string =>
	`<MPD mediaPresentationDuration="PT${seconds}S"><Period><AdaptationSet><Representation codecs="${codecs}" width="${width}" height="${height}"><BaseURL>../media/h264_720.mp4</BaseURL><SegmentBase indexRange="10-19"><Initialization range="0-9"/></SegmentBase></Representation></AdaptationSet></Period></MPD>`;

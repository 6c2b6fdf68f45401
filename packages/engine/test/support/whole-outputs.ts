import type { CompleteRequest, Job } from "@reelmill/contracts";
import type { Engine } from "@reelmill/engine";
import { bytesOf, completion } from "./open-engine.ts";

/** A set of outputs whose playlists are as the transcoder writes them; the media is any bytes. */
export const wholeOutputs: Readonly<Record<string, string>> = {
	"hls/master.m3u8": `#EXTM3U
#EXT-X-VERSION:7
#EXT-X-INDEPENDENT-SEGMENTS
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="Audio",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2",URI="audio.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=2000000,AVERAGE-BANDWIDTH=1850000,CODECS="avc1.64001f,mp4a.40.2",RESOLUTION=1280x720,FRAME-RATE=30.000,VIDEO-RANGE=SDR,AUDIO="audio"
h264_720.m3u8
`,
	"hls/audio.m3u8": playlist("audio.m4a", 40),
	"hls/h264_720.m3u8": playlist("h264_720.mp4", 100),
	"media/audio.m4a": "a".repeat(40),
	"media/h264_720.mp4": "v".repeat(100),
	"og.jpg": "the picture",
	"web.mp4": "the whole video",
};

function playlist(media: string, bytes: number): string {
	return `#EXTM3U
#EXT-X-VERSION:7
#EXT-X-TARGETDURATION:4
#EXT-X-PLAYLIST-TYPE:VOD
#EXT-X-MAP:URI="../media/${media}",BYTERANGE="10@0"
#EXTINF:4.000000,
#EXT-X-BYTERANGE:${bytes / 2 - 10}@10
../media/${media}
#EXTINF:3.640000,
#EXT-X-BYTERANGE:${bytes / 2}@${bytes / 2}
../media/${media}
#EXT-X-ENDLIST
`;
}

async function* entriesOf(files: Readonly<Record<string, string>>) {
	for (const [path, text] of Object.entries(files)) yield { path, bytes: bytesOf(text) };
}

/** Does a worker's part with these outputs. */
export async function finishWith(
	engine: Engine,
	job: Job,
	files: Readonly<Record<string, string>> = wholeOutputs,
	media: Partial<CompleteRequest["media"]> = {},
): Promise<void> {
	await engine.jobs.replaceOutputs(job.id, job.lock, entriesOf(files));
	const made = completion(job);
	const renditions = "mezzanine.mp4" in files ? [] : made.outputs.renditions;
	await engine.jobs.complete(job.id, {
		...made,
		outputs: { files: Object.keys(files), renditions },
		media: { ...made.media, ...media },
	});
}

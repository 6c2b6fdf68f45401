import { randomBytes } from "node:crypto";

export const segmentBytes = 2 * 1024 * 1024;
/** One CMAF file of 32 segments, which players request one by one as byte ranges. */
export const segmentFile = randomBytes(32 * segmentBytes);

/** A media playlist of 1.5 kB. */
export const playlist = Buffer.from(
	["#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-TARGETDURATION:2", '#EXT-X-MAP:URI="../media/h264_720.mp4",BYTERANGE="812@0"']
		.concat(
			Array.from(
				{ length: 19 },
				(_, index) => `#EXTINF:2.000,\n#EXT-X-BYTERANGE:${segmentBytes}@${index * segmentBytes}\n../media/h264_720.mp4`,
			),
		)
		.concat("#EXT-X-ENDLIST\n")
		.join("\n"),
);

/** The files of a video that plays, by their paths. */
export const files: Readonly<Record<string, Uint8Array>> = {
	"hls/master.m3u8": playlist,
	"media/h264_720.mp4": segmentFile,
	"web.mp4": playlist,
	"og.jpg": playlist,
};

import { buffer } from "node:stream/consumers";
import yazl from "yazl";

/** What a worker declares when it completes a job. */
export type Completion = {
	readonly outputs: {
		readonly files: readonly (string | { readonly path: string; readonly size: number })[];
		readonly renditions: readonly object[];
	};
	readonly media: {
		readonly duration_seconds: number;
		readonly width: number;
		readonly height: number;
		readonly transcript_status: "disabled";
		readonly language: null;
	};
};
/** Outputs, and what is declared about them. */
export type Outputs = { readonly files: Readonly<Record<string, string>>; readonly completion: Completion };

const mediaBytes = 600;
const head = ["#EXTM3U", "#EXT-X-VERSION:7"];

function playlistOf(rangeEnd: number): string {
	const media = "../media/h264_720.mp4";
	const lines = [
		...head,
		"#EXT-X-TARGETDURATION:1",
		"#EXT-X-MEDIA-SEQUENCE:0",
		"#EXT-X-PLAYLIST-TYPE:VOD",
		"#EXT-X-INDEPENDENT-SEGMENTS",
	];
	return `${[...lines, `#EXT-X-MAP:URI="${media}",BYTERANGE="100@0"`, "#EXTINF:1.000000,", `#EXT-X-BYTERANGE:${rangeEnd - 100}@100`, media, "#EXT-X-ENDLIST"].join("\n")}\n`;
}

/** Returns small outputs in the form of real ones, which name the video and the attempt. */
export function outputsOf(video: string, lock: string): Outputs {
	const stream =
		'#EXT-X-STREAM-INF:BANDWIDTH=5000,AVERAGE-BANDWIDTH=4800,CODECS="avc1.64001f",RESOLUTION=128x72,FRAME-RATE=10.000,VIDEO-RANGE=SDR';
	const files = {
		"web.mp4": `video ${video} made by ${lock}`,
		"media/h264_720.mp4": `media of ${video} made by ${lock} `.padEnd(mediaBytes, "."),
		"hls/h264_720.m3u8": playlistOf(mediaBytes),
		"hls/master.m3u8": `${[...head, "#EXT-X-INDEPENDENT-SEGMENTS", `# ${video} made by ${lock}`, stream, "h264_720.m3u8"].join("\n")}\n`,
	};
	const renditions = [{ name: "h264_720", codec: "h264", width: 128, height: 72, bitrate: 4800 }];
	const media = { duration_seconds: 1, width: 128, height: 72, transcript_status: "disabled", language: null } as const;
	return { files, completion: { outputs: { files: Object.keys(files), renditions }, media } };
}

/** How a worker that holds a valid lock may lie, each time about one thing. */
export const lies = {
	"an empty file": (truth) => ({ ...truth, files: { ...truth.files, "media/h264_720.mp4": "" } }),
	"a wrong size": (truth) =>
		said(truth, {
			outputs: {
				...truth.completion.outputs,
				files: [...truth.completion.outputs.files, { path: "web.mp4", size: 5_000_000 }],
			},
		}),
	"a broken playlist": (truth) => ({
		...truth,
		files: { ...truth.files, "hls/h264_720.m3u8": "this is no playlist\n" },
	}),
	"a range too far": (truth) => ({ ...truth, files: { ...truth.files, "hls/h264_720.m3u8": playlistOf(1_000_000) } }),
	"a mad duration": (truth) => said(truth, { media: { ...truth.completion.media, duration_seconds: 1_000_000_000 } }),
	"mad dimensions": (truth) =>
		said(truth, { media: { ...truth.completion.media, width: 1_000_000_000, height: 1_000_000_000 } }),
} as const satisfies Record<string, (truth: Outputs) => Outputs>;

const said = (truth: Outputs, what: Partial<Completion>): Outputs => ({
	...truth,
	completion: { ...truth.completion, ...what },
});

export async function archiveOf(files: Readonly<Record<string, string | Uint8Array>>): Promise<Buffer> {
	const zip = new yazl.ZipFile();
	for (const [path, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), path, { compress: false });
	zip.end();
	return buffer(zip.outputStream);
}

import { audioSampleRate } from "../plan/ladder.ts";
import type { Run } from "../run/programs.ts";
import type { Rational, Size } from "../types.ts";

/** The properties of a finished MP4 that decide whether another MP4 can follow it. */
export type JoinableStreams = {
	readonly video: Size & {
		readonly seconds: number;
		readonly frameRate: Rational;
		readonly timescale: number;
		readonly settings: string;
	};
	readonly audio: {
		readonly seconds: number;
		readonly channels: number;
		/** How many samples at the beginning an edit list hides. */
		readonly hiddenSamples: number;
		readonly settings: string;
	} | null;
};

type Stream = { readonly codec_type: string } & { readonly [field: string]: string | number | undefined };

/** Returns how many samples at the beginning of the sound an edit list hides: those that the encoder put in front. */
async function hiddenSamples({ programs, signal }: Run, path: string): Promise<number> {
	const first = ["-select_streams", "a:0", "-read_intervals", "%+#1", "-show_entries", "packet=pts_time"];
	const query = ["-v", "error", ...first, "-of", "csv=p=0", "-f", "mov", "-i", path];
	const { stdout } = await programs.run("ffprobe", query, { signal, reads: [path] });
	return Math.max(0, Math.round(-Number.parseFloat(stdout.toString("latin1")) * audioSampleRate));
}

/**
 * Reads an MP4 with one H.264 stream and at most one AAC stream. Two streams with equal `settings` can be decoded by
 * one decoder without setting it up again.
 * @throws {Error} when there is no picture
 */
export async function readJoinable({ programs, signal }: Run, path: string): Promise<JoinableStreams> {
	const query = ["-v", "error", "-show_streams", "-show_data_hash", "sha256", "-of", "json", "-f", "mov", "-i", path];
	const { stdout } = await programs.run("ffprobe", query, { signal, reads: [path] });
	const { streams } = JSON.parse(stdout.toString("utf8")) as { streams: Stream[] };
	const video = streams.find(({ codec_type }) => codec_type === "video");
	const audio = streams.find(({ codec_type }) => codec_type === "audio");
	if (video === undefined) throw new Error(`${path} holds no picture.`);
	const [numerator = 0, denominator = 1] = String(video.r_frame_rate).split("/").map(Number);
	const seconds = (stream: Stream): number => Number(stream.duration);
	const settings = (stream: Stream, ...fields: string[]): string =>
		["codec_name", "extradata_hash", ...fields].map((field) => stream[field]).join(" ");
	return {
		video: {
			width: Number(video.width),
			height: Number(video.height),
			seconds: seconds(video),
			frameRate: { numerator, denominator },
			timescale: Number(String(video.time_base).split("/")[1]),
			settings: settings(video, "width", "height"),
		},
		audio:
			audio === undefined
				? null
				: {
						seconds: seconds(audio),
						channels: Number(audio.channels),
						hiddenSamples: await hiddenSamples({ programs, signal }, path),
						settings: settings(audio, "sample_rate", "channels"),
					},
	};
}

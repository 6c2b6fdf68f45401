import type { Container, Rational, SourceAudio, SourceVideo } from "../types.ts";

type Entry = Record<string, unknown> & {
	disposition?: Record<string, number>;
	side_data_list?: Record<string, unknown>[];
};

export type Streams = {
	readonly count: number;
	readonly video: Omit<
		SourceVideo,
		"endSeconds" | "frameRate" | "variableFrameRate" | "packets" | "bytesBySecond"
	> | null;
	readonly audio: Omit<SourceAudio, "startSeconds" | "endSeconds"> | null;
	/** Of the whole file, where its header says so. */
	readonly declaredSeconds: number | null;
	/** Of each stream whose header says so, by its index. */
	readonly declaredTrackSeconds: ReadonlyMap<number, number>;
	readonly startSeconds: number | null;
};

const text = (value: unknown): string => (typeof value === "string" && value !== "" ? value : "unknown");
const number = (value: unknown): number | null => {
	const parsed = typeof value === "number" ? value : Number.parseFloat(String(value));
	return Number.isFinite(parsed) ? parsed : null;
};

const ratio = (value: unknown): Rational => {
	const [numerator = 0, denominator = 0] = text(value).split(":").map(Number);
	const usable = numerator > 0 && denominator > 0 && numerator / denominator >= 0.1 && numerator / denominator <= 10;
	return usable ? { numerator, denominator } : { numerator: 1, denominator: 1 };
};

/** ffmpeg takes what is nearer to a quarter turn than this for one, and so do players. */
const nearDegrees = 1;

/**
 * What the display matrix asks for. ffprobe gives counter-clockwise degrees, from -180 to 180 (far from them where the
 * matrix is no rotation), and the matrix as lines of an address and three numbers.
 */
function orientation(entry: Entry): Pick<SourceVideo, "rotation" | "matrix"> {
	const data = entry.side_data_list?.find((one) => one.rotation !== undefined);
	const told = number(data?.rotation) ?? 0;
	const degrees = Math.abs(told) > 360 ? 0 : -told;
	const quarters = Math.round(degrees / 90);
	if (Math.abs(degrees - 90 * quarters) > nearDegrees) return { rotation: 0, matrix: "tilted" };
	const rotation = ((((quarters * 90) % 360) + 360) % 360) as SourceVideo["rotation"];
	const downwards = number(text(data?.displaymatrix).trim().split("\n")[1]?.trim().split(/\s+/)[2]) ?? 1;
	return rotation === 0 && downwards < 0 ? { rotation, matrix: "upended" } : { rotation };
}

/** ffmpeg takes channels of which nothing is said for a usual layout, where there is one of so many. */
const usualLayouts = [1, 2, 3, 4, 5, 6, 7, 8, 16, 24];

function mixing(entry: Entry): Pick<SourceAudio, "unmixable"> {
	const layout = text(entry.channel_layout);
	if (layout.startsWith("ambisonic")) return { unmixable: "ambisonic" };
	const isUnknown = layout === "unknown" || layout.endsWith(" channels");
	return isUnknown && !usualLayouts.includes(number(entry.channels) ?? 0) ? { unmixable: "unknown" } : {};
}

const first = (entries: Entry[]): Entry | undefined =>
	entries.find((entry) => entry.disposition?.default === 1) ?? entries[0];

/**
 * An AVI says how many frames it has. Its duration is counted anew by ffprobe where the index is missing, of those that
 * are there.
 */
function trackSeconds({ duration, nb_frames, time_base }: Entry, isCounted: boolean): number | null {
	const [numerator = 0, denominator = 0] = text(time_base).split("/").map(Number);
	const seconds = isCounted ? ((number(nb_frames) ?? 0) * numerator) / denominator : (number(duration) ?? 0);
	return Number.isFinite(seconds) && seconds > 0 ? seconds : null;
}

/** What ffprobe says where no header tells a length: it then makes one up. */
const guesses = "Estimating duration from bitrate";

/**
 * Reads ffprobe's JSON and picks the picture and the sound that play by default; cover art is no picture, a codec that
 * ffmpeg doesn't know no sound.
 * @param said What ffprobe said beside it, warnings included.
 */
export function parseStreams(json: string, said: string, container: Container): Streams {
	const {
		frames = [],
		streams = [],
		format = {},
	} = JSON.parse(json) as { frames?: Entry[]; streams?: Entry[]; format?: Record<string, unknown> };
	const video = first(streams.filter((entry) => entry.codec_type === "video" && entry.disposition?.attached_pic !== 1));
	const fields = frames.some((frame) => frame.stream_index === video?.index && frame.interlaced_frame === 1);
	const audio = first(
		streams.filter(
			(entry) =>
				entry.codec_type === "audio" && text(entry.codec_name) !== "unknown" && (number(entry.channels) ?? 0) > 0,
		),
	);
	const isGuessed = said.includes(guesses);
	return {
		count: streams.length,
		startSeconds: number(format.start_time),
		declaredSeconds: isGuessed ? null : number(format.duration),
		declaredTrackSeconds: new Map(
			isGuessed
				? []
				: streams.flatMap((entry) =>
						[trackSeconds(entry, container === "avi")].flatMap((seconds) =>
							seconds === null ? [] : [[Number(entry.index), seconds]],
						),
					),
		),
		video:
			video === undefined
				? null
				: {
						index: Number(video.index),
						codec: text(video.codec_name),
						width: number(video.width) ?? 0,
						height: number(video.height) ?? 0,
						...orientation(video),
						sampleAspectRatio: ratio(video.sample_aspect_ratio),
						interlaced: fields || ["tt", "bb", "tb", "bt"].includes(text(video.field_order)),
						pixelFormat: text(video.pix_fmt),
						colour: {
							matrix: text(video.color_space),
							transfer: text(video.color_transfer),
							primaries: text(video.color_primaries),
							range: text(video.color_range),
						},
					},
		audio:
			audio === undefined
				? null
				: {
						index: Number(audio.index),
						codec: text(audio.codec_name),
						channels: number(audio.channels) ?? 0,
						...mixing(audio),
						sampleRate: number(audio.sample_rate) ?? 0,
					},
	};
}

import type { Container, Rational, SourceAudio, SourceProgramme, SourceVideo } from "../types.ts";
import { colourOf } from "./colours.ts";
import type { PlacedStream } from "./continued-streams.ts";
import { type ProgrammeEntry, programmeOf, readProgrammes } from "./programmes.ts";
import { soundKind } from "./sound-kinds.ts";
import { cleanTitle, languageTag } from "./tags.ts";

/** Of so many tracks of sound at most a video keeps each. */
export const mostSoundTracks = 4;

type Entry = Record<string, unknown> & {
	disposition?: Record<string, number>;
	side_data_list?: Record<string, unknown>[];
	tags?: Record<string, unknown>;
};

/** What the header of a track of pictures says. */
export type StreamVideo = Omit<
	SourceVideo,
	| "startSeconds"
	| "endSeconds"
	| "frameRate"
	| "motionRate"
	| "variableFrameRate"
	| "unevenGaps"
	| "packets"
	| "packetsBeforeKey"
	| "bytesBySecond"
>;

/** What the header of a track of sound says. */
export type StreamAudio = Omit<SourceAudio, "startSeconds" | "endSeconds">;

export type Streams = {
	readonly count: number;
	/** The pictures and sounds of all programmes by the numbers that the file gives them (PID); none if it gives none. */
	readonly numbered: readonly (Omit<PlacedStream, "first" | "last"> & { readonly index: number })[];
	/** The numbers of the tables of programmes (PMT). */
	readonly tables: readonly number[];
	/** The indexes of the streams of which ffprobe decoded a frame. */
	readonly decoded: ReadonlySet<number>;
	/** Whether ffprobe knows the codec of a picture or a sound, but found nothing of it that can be decoded. */
	readonly areUnknown: boolean;
	/** The tracks of pictures: the one that plays by default first; then the others in the order of the file. */
	readonly videos: readonly StreamVideo[];
	/** The one that plays by default first; then the others in the order of the file, and those of a kind last. */
	readonly sounds: readonly StreamAudio[];
	/** The programme that the tracks belong to, if the file has others with pictures. */
	readonly programme: SourceProgramme | null;
	/** The length of the whole file; `null` if its header doesn't say it. */
	readonly declaredSeconds: number | null;
	/** The length of each stream whose header says it, by the stream's index. */
	readonly declaredTrackSeconds: ReadonlyMap<number, number>;
	readonly startSeconds: number | null;
	/** The indexes of the pictures whose colours are Dolby Vision's alone. */
	readonly dolbyAlone: readonly number[];
	/** The index of the stream that begins first; `null` if no stream says when it does. */
	readonly earliest: number | null;
};

const text = (value: unknown): string => (typeof value === "string" && value !== "" ? value : "unknown");
const number = (value: unknown): number | null => {
	const parsed = typeof value === "number" ? value : Number.parseFloat(String(value));
	return Number.isFinite(parsed) ? parsed : null;
};

const ratio = (value: unknown): Rational | null => {
	const [numerator = 0, denominator = 0] = text(value).split(":").map(Number);
	const usable = numerator > 0 && denominator > 0 && numerator / denominator >= 0.1 && numerator / denominator <= 10;
	return usable ? { numerator, denominator } : null;
};

/**
 * Reads the shape of pixels that ffprobe prints of a stream or a frame. Takes them for square if the file declares no
 * shape that they can have.
 */
export function pixelShape(
	entry: Readonly<Record<string, unknown>>,
): Pick<SourceVideo, "sampleAspectRatio" | "pixelShape"> {
	const declared = ratio(entry.sample_aspect_ratio);
	if (declared !== null) return { sampleAspectRatio: declared };
	const size = `${entry.width}x${entry.height}`;
	return {
		sampleAspectRatio: { numerator: 1, denominator: 1 },
		...(rarelySquare.includes(size) ? { pixelShape: "guessed" as const } : {}),
	};
}

/** The sizes of discs, tapes and broadcasts, whose pixels are not square. */
const rarelySquare = [
	...["720x576", "720x480", "720x486", "704x576", "704x480", "544x576", "544x480"],
	...["480x576", "480x480", "352x576", "352x480", "1440x1080"],
];

/** ffmpeg and players take an angle that is nearer to a quarter turn than this for a quarter turn. */
const nearDegrees = 1;

/**
 * Reads what the display matrix asks for. ffprobe prints counter-clockwise degrees from -180 to 180, or a number far
 * beyond if the matrix is no rotation. It prints the matrix as lines of an address and three numbers.
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

/**
 * Returns the decoder that reads transparency where ffmpeg's own doesn't, and the format of its pictures. WebM keeps
 * transparency beside the pictures, and says so by a tag.
 */
function transparency({ codec_name, tags }: Entry): Pick<SourceVideo, "decoder" | "pixelFormat"> | null {
	const decoder = codec_name === "vp8" ? "libvpx" : codec_name === "vp9" ? "libvpx-vp9" : null;
	const isMarked = (tags?.alpha_mode ?? tags?.ALPHA_MODE) === "1";
	return decoder !== null && isMarked ? { decoder, pixelFormat: "yuva420p" } : null;
}

/** Says whether a picture is of Dolby Vision without a layer that others show: no player but Dolby's has its colours. */
const isDolbyAlone = (entry: Entry): boolean =>
	entry.side_data_list?.some(
		(data) => number(data.dv_profile) !== null && number(data.dv_bl_signal_compatibility_id) === 0,
	) ?? false;

/** The numbers of channels for which ffmpeg assumes a layout if the file names none. */
const usualLayouts = [1, 2, 3, 4, 5, 6, 7, 8, 16, 24];

/** Says whether ffmpeg can mix the channels that ffprobe prints of a stream or a frame. */
export function mixing(entry: Readonly<Record<string, unknown>>): Pick<SourceAudio, "unmixable"> {
	const layout = text(entry.channel_layout);
	if (layout.startsWith("ambisonic")) return { unmixable: "ambisonic" };
	const isUnknown = layout === "unknown" || layout.endsWith(" channels");
	return isUnknown && !usualLayouts.includes(number(entry.channels) ?? 0) ? { unmixable: "unknown" } : {};
}

/** Puts the first entry that plays by default in front. */
function defaultFirst(entries: readonly Entry[]): Entry[] {
	const first = entries.find((entry) => entry.disposition?.default === 1);
	return first === undefined ? [...entries] : [first, ...entries.filter((entry) => entry !== first)];
}

/**
 * Reads the declared length of a stream; `null` if there is none. With `isCounted` it comes from the number of frames
 * that the header declares, as for an AVI: without an index ffprobe takes the duration from the frames that are there.
 */
function trackSeconds({ duration, nb_frames, time_base }: Entry, isCounted: boolean): number | null {
	const [numerator = 0, denominator = 0] = text(time_base).split("/").map(Number);
	const seconds = isCounted ? ((number(nb_frames) ?? 0) * numerator) / denominator : (number(duration) ?? 0);
	return Number.isFinite(seconds) && seconds > 0 ? seconds : null;
}

/** What ffprobe says if no header has a length. It then guesses one. */
const guesses = "Estimating duration from bitrate";

function videoOf(entry: Entry, frames: readonly Entry[]): StreamVideo {
	const fields = frames.some((frame) => frame.stream_index === entry.index && frame.interlaced_frame === 1);
	return {
		index: Number(entry.index),
		codec: text(entry.codec_name),
		width: number(entry.width) ?? 0,
		height: number(entry.height) ?? 0,
		...orientation(entry),
		...pixelShape(entry),
		interlaced: fields || ["tt", "bb", "tb", "bt"].includes(text(entry.field_order)),
		pixelFormat: text(entry.pix_fmt),
		...transparency(entry),
		colour: colourOf(entry),
	};
}

function isUnknown(entry: Entry): boolean {
	if (text(entry.codec_name) === "unknown" || entry.disposition?.attached_pic === 1) return false;
	return entry.codec_type === "video"
		? (number(entry.width) ?? 0) < 1 || text(entry.pix_fmt) === "unknown"
		: entry.codec_type === "audio" && (number(entry.channels) ?? 0) < 1;
}

function soundOf(entry: Entry): StreamAudio {
	const kind = soundKind(entry.disposition);
	return {
		index: Number(entry.index),
		codec: text(entry.codec_name),
		channels: number(entry.channels) ?? 0,
		...mixing(entry),
		sampleRate: number(entry.sample_rate) ?? 0,
		language: languageTag(entry.tags?.language),
		title: cleanTitle(entry.tags?.title),
		...(kind === undefined ? {} : { kind }),
	};
}

/**
 * Returns the tracks of sound that can be decoded. Ordinary sound comes before sound for some viewers, whatever plays by
 * default.
 */
function soundsOf(entries: readonly Entry[]): StreamAudio[] {
	const heard = entries.filter(
		(entry) =>
			entry.codec_type === "audio" && text(entry.codec_name) !== "unknown" && (number(entry.channels) ?? 0) > 0,
	);
	const isOrdinary = (entry: Entry) => soundKind(entry.disposition) === undefined;
	const [first, ...further] = [
		...defaultFirst(heard.filter(isOrdinary)),
		...defaultFirst(heard.filter((entry) => !isOrdinary(entry))),
	];
	// ffmpeg knows codecs by their names that it can't decode. Of such a track no decoder says what its samples are.
	const usable = further.filter((entry) => text(entry.sample_fmt) !== "unknown");
	return [...(first === undefined ? [] : [first]), ...usable].map(soundOf);
}

/**
 * Reads ffprobe's JSON and lists the pictures and sounds in the order in which they play. Cover art is no picture, and
 * a codec that ffmpeg doesn't know is no sound. If the file has several programmes, only the tracks of the first
 * picture's are listed.
 * @param said what ffprobe wrote to standard error, with its warnings
 */
export function parseStreams(json: string, said: string, container: Container): Streams {
	const {
		frames = [],
		programs = [],
		streams = [],
		format = {},
	} = JSON.parse(json) as {
		frames?: Entry[];
		programs?: ProgrammeEntry[];
		streams?: Entry[];
		format?: Record<string, unknown>;
	};
	const shown = defaultFirst(
		streams.filter((entry) => entry.codec_type === "video" && entry.disposition?.attached_pic !== 1),
	);
	const programmes = readProgrammes(programs);
	const first = shown.find((entry) => !isUnknown(entry)) ?? shown[0];
	const programme = programmeOf(programmes, Number(first?.index));
	const others = programme === undefined ? [] : programmes.filter((one) => one !== programme);
	const isElsewhere = ({ index }: Entry) =>
		programme?.streams.includes(Number(index)) === false && programmeOf(others, Number(index)) !== undefined;
	const own = streams.filter((entry) => !isElsewhere(entry));
	const isGuessed = said.includes(guesses);
	const starts = own.flatMap(({ index, start_time }) => {
		const seconds = number(start_time);
		return seconds === null ? [] : [{ index: Number(index), seconds }];
	});
	const [earliest] = starts.sort((one, other) => one.seconds - other.seconds);
	return {
		count: streams.length,
		areUnknown: own.some(isUnknown),
		decoded: new Set(frames.map(({ stream_index }) => Number(stream_index))),
		numbered: streams.flatMap((entry) => {
			const [id, type] = [Number(entry.id), entry.codec_type];
			if (Number.isNaN(id) || (type !== "video" && type !== "audio")) return [];
			const programme = programmeOf(programmes, Number(entry.index))?.name;
			return [{ index: Number(entry.index), id, type, codec: text(entry.codec_name), programme } as const];
		}),
		tables: programs.map(({ pmt_pid }) => Number(pmt_pid)).filter((table) => table > 0),
		// Each programme has a clock of its own. ffmpeg counts from the earliest of the streams that it reads.
		startSeconds: others.length === 0 ? number(format.start_time) : (earliest?.seconds ?? null),
		dolbyAlone: shown.filter(isDolbyAlone).map(({ index }) => Number(index)),
		earliest: earliest?.index ?? null,
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
		videos: shown.filter((entry) => own.includes(entry)).map((entry) => videoOf(entry, frames)),
		sounds: soundsOf(own),
		programme:
			programme === undefined || others.length === 0
				? null
				: { name: programme.name, others: others.map(({ name }) => name) },
	};
}

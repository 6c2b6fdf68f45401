import { ProgramError } from "../errors.ts";
import type { Programs, RunOptions } from "../run/programs.ts";
import type { ColourRun, Container, PictureShape } from "../types.ts";
import { type SoundRun, shapeName } from "./choose-lasting.ts";
import { colourOf, isHighRange } from "./colours.ts";
import { withoutRepeats } from "./lasting.ts";
import { byLine } from "./lines.ts";
import { mayJump } from "./packet-clock.ts";
import type { PacketScan } from "./scan-packets.ts";
import { mixing, pixelShape, type StreamAudio, type StreamVideo } from "./streams.ts";

/** What a source has in turn. Seconds are timestamps of the file. */
export type Changes = {
	/** The shapes of the pictures; none if they weren't looked at, and one if they stay as they are. */
	readonly shapes: readonly PictureShape[];
	/** The colours of the pictures, if some of them are HDR and others aren't; otherwise none. */
	readonly colours: readonly ColourRun[];
	/** The channels of each track of sound that was looked at, by the stream's index. */
	readonly sounds: ReadonlyMap<number, readonly SoundRun[]>;
};

type Looked = {
	readonly container: Container;
	readonly video: StreamVideo;
	readonly sounds: readonly StreamAudio[];
	readonly packets: ReadonlyMap<number, PacketScan>;
	/** Whether the clock doesn't jump, so that the times of pieces of sound can be taken as they are. */
	readonly isSteady: boolean;
};

/** Pixels that a slow decoder of key frames makes a second. A limit of processor time follows from it. */
const slowestPixels = 20e6;
/** How much faster than it plays a slow decoder of sound is. */
const slowestSound = 50;
/** A file whose colours change more often is damaged, and is read as its header says: each change is a part of a filter. */
const mostColours = 100;

/** The containers in which a track of sound may change its channels: broadcasts and streams that were recorded. */
const maySoundChange = (container: Container): boolean => mayJump(container) || container === "flv";

const entries =
	"stream_index,best_effort_timestamp_time,width,height,sample_aspect_ratio,color_range,color_space,color_primaries,color_transfer,channels,channel_layout,nb_samples";

/** How many key frames in a row may be missing among the decoded ones. */
const mostMissing = 50;
/** How far the times of a packet and of its frame may differ by rounding. */
const toleranceSeconds = 0.001;

/**
 * Looks for what changes midway: the size of the pictures and the shape of their pixels, by the key frames of the whole
 * file; the channels of sound where they may change. Nothing but key frames is decoded of the picture. If the decoder
 * fails or takes too long, nothing is known to change: a fault of the source shows later, when all is decoded.
 * @throws the signal's reason when aborted
 */
export async function findChanges(
	programs: Programs,
	input: readonly string[],
	options: RunOptions,
	{ container, video, sounds, packets, isSteady }: Looked,
): Promise<Changes> {
	const keys = packets.get(video.index)?.keys ?? [];
	const heard = new Map(maySoundChange(container) ? sounds.map((sound) => [sound.index, sound]) : []);
	if (keys.length < 2 && heard.size === 0) return { shapes: [], colours: [], sounds: new Map() };

	// What is shown before the first key frame has the shape that the header says.
	const startSeconds = packets.get(video.index)?.startSeconds ?? 0;
	const isKeyed = (keys[0]?.seconds ?? startSeconds) - startSeconds < toleranceSeconds;
	const shapes: PictureShape[] = isKeyed ? [] : [{ fromSeconds: startSeconds, ...headerShape(video) }];
	const colours: ColourRun[] = isKeyed ? [] : [{ fromSeconds: startSeconds, colour: video.colour }];
	let key = 0;
	const takePicture = (entry: Record<string, string>) => {
		const seconds = Number(entry.best_effort_timestamp_time);
		// Both come in the order of decoding. A key frame that can't be decoded is missing among the frames.
		const ahead = keys.slice(key, key + mostMissing);
		const passed = ahead.findIndex(({ pts }) => Math.abs(pts - seconds) < toleranceSeconds);
		if (passed < 0) return;
		key += passed + 1;
		const [width, height] = [Number(entry.width), Number(entry.height)];
		const fromSeconds = ahead[passed]?.seconds ?? seconds;
		shapes.push({ fromSeconds, width, height, ...pixelShape(entry) });
		colours.push({ fromSeconds, colour: colourOf(entry) });
	};
	const runs = new Map<number, { seconds: number; readonly found: SoundRun[] }>();
	const takeSound = (entry: Record<string, string>, { index, sampleRate }: StreamAudio) => {
		const track = runs.get(index) ?? { seconds: packets.get(index)?.startSeconds ?? 0, found: [] };
		const channels = Number(entry.channels);
		const told = Number(entry.best_effort_timestamp_time);
		if (isSteady && Number.isFinite(told)) track.seconds = told;
		if (track.found.at(-1)?.channels !== channels)
			track.found.push({ fromSeconds: track.seconds, channels, ...mixing(entry) });
		track.seconds += Number(entry.nb_samples) / sampleRate;
		runs.set(index, track);
	};
	const take = (line: string) => {
		const entry = Object.fromEntries(line.split("|").map((field) => field.split("=") as [string, string]));
		const index = Number(entry.stream_index);
		const sound = heard.get(index);
		if (index === video.index) takePicture(entry);
		else if (sound !== undefined) takeSound(entry, sound);
	};
	const picture = heard.size === 0 ? ["-select_streams", String(video.index)] : [];
	const selected = keys.length < 2 ? ["-select_streams", "a"] : picture;
	// Where sound is looked at, all that the file holds is decoded.
	const decoded = heard.size === 0 ? [] : [...packets.values()];
	const soundSeconds = decoded.reduce((sum, scan) => sum + lengthOf(scan), 0);
	const cpuSeconds =
		(options.limits?.cpuSeconds ?? 0) +
		Math.ceil((keys.length * video.width * video.height) / slowestPixels + soundSeconds / slowestSound);
	const decode = ["-v", "error", "-threads", "1", "-skip_frame", "nokey", ...selected];
	const limits = options.limits && { ...options.limits, cpuSeconds };
	try {
		const print = ["-show_entries", `frame=${entries}`, "-of", "compact=p=0"];
		await programs.run("ffprobe", [...decode, ...print, ...input], { ...options, limits, onOutput: byLine(take) });
	} catch (error) {
		if (!(error instanceof ProgramError)) throw error;
		return { shapes: [], colours: [], sounds: new Map() };
	}
	const ranges = withoutRepeats(colours, ({ colour }) => (isHighRange(colour) ? colour.transfer : "SDR"));
	const areMixed =
		ranges.some(({ colour }) => isHighRange(colour)) && ranges.some(({ colour }) => !isHighRange(colour));
	return {
		shapes: withoutRepeats(shapes, shapeName),
		colours: areMixed && ranges.length <= mostColours ? ranges : [],
		sounds: new Map([...runs].map(([index, { found }]) => [index, found])),
	};
}

const headerShape = ({ width, height, sampleAspectRatio, pixelShape }: StreamVideo) => ({
	...{ width, height, sampleAspectRatio },
	...(pixelShape === undefined ? {} : { pixelShape }),
});

const lengthOf = ({ startSeconds, endSeconds }: PacketScan): number => endSeconds - startSeconds;

import { MediaError } from "../errors.ts";
import type { Programs, RunOptions } from "../run/programs.ts";
import { byLine } from "./lines.ts";
import { measureMotionRate, regularGaps } from "./motion-rate.ts";
import { type ClockJump, followClock, type Part } from "./packet-clock.ts";

/** What the packets of one stream show. Seconds are timestamps of the file. */
export type PacketScan = {
	readonly count: number;
	/** How many packets are decoded. It includes those that an edit list hides. */
	readonly decoded: number;
	readonly startSeconds: number;
	readonly endSeconds: number;
	/** Frames per second: the rate that nine in ten gaps have, or else the average. */
	readonly rate: number;
	/** Frames per second where the picture moves. */
	readonly motionRate: number;
	/** The share of the gaps between frames that differ from the usual one. */
	readonly unevenGaps: number;
	/** The bytes of each whole second of timestamps. */
	readonly bytesBySecond: ReadonlyMap<number, number>;
	/**
	 * The key frames in the order of the file: the timestamps as they are written, and where they come to stand. None if
	 * there are more than four a second, as in sound and in files of cameras, where every picture is one.
	 */
	readonly keys: readonly { readonly pts: number; readonly seconds: number }[];
	/** How many packets come before the first key frame: all if none is marked as one. */
	readonly beforeKey: number;
};

/** What the packets of one stream show within one part of the file, by that part's clock. */
type Tally = {
	count: number;
	start: number;
	end: number;
	lastStart: number;
	lastHasDuration: boolean;
	/** The times of pictures or sounds, for the gaps between them. */
	times: number[];
	keys: { pts: number; seconds: number }[];
	isDense: boolean;
	beforeKey: number;
	bytes: Map<number, number>;
};

const average = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Puts what a stream has of each part behind one another. There must be a part. */
function joined(tallies: ReadonlyMap<Part | null, Tally>, shifts: ReadonlyMap<Part, number>): Tally {
	const [[onlyPart, only] = []] = tallies;
	const shiftOf = (part: Part | null | undefined) => (part ? (shifts.get(part) ?? 0) : 0);
	if (only !== undefined && tallies.size === 1 && shiftOf(onlyPart) === 0) return only;
	const whole: Tally = {
		...{ count: 0, start: Number.POSITIVE_INFINITY, end: Number.NEGATIVE_INFINITY },
		...{ lastStart: Number.NEGATIVE_INFINITY, lastHasDuration: false },
		...{ times: [], keys: [], isDense: false, beforeKey: only?.beforeKey ?? 0, bytes: new Map() },
	};
	let last = 0;
	for (const [part, tally] of tallies) {
		const shift = shiftOf(part);
		// What lies between two recordings is no gap of either: the next one's times follow by its own usual gap.
		const gap = (tally.lastStart - tally.start) / Math.max(1, tally.times.length - 1);
		const move = whole.count === 0 ? 0 : last + gap - tally.start;
		for (const time of tally.times) whole.times.push(time + move);
		last = tally.lastStart + move;
		for (const { pts, seconds } of tally.keys) whole.keys.push({ pts, seconds: seconds + shift });
		for (const [second, size] of tally.bytes) {
			const shifted = second + Math.round(shift);
			whole.bytes.set(shifted, (whole.bytes.get(shifted) ?? 0) + size);
		}
		whole.count += tally.count;
		whole.start = Math.min(whole.start, tally.start + shift);
		whole.end = Math.max(whole.end, tally.end + shift);
		if (tally.lastStart + shift >= whole.lastStart)
			Object.assign(whole, { lastStart: tally.lastStart + shift, lastHasDuration: tally.lastHasDuration });
		whole.isDense ||= tally.isDense;
	}
	return whole;
}

const finish = ({ times, count, start, ...tally }: Tally, hidden: number): PacketScan => {
	times.sort((a, b) => a - b);
	const gaps = times.slice(1).map((time, n) => time - (times[n] as number));
	const regular = regularGaps(gaps);
	const gap = gaps.length === 0 ? 0 : average(regular ?? gaps);
	// If the duration of the last packet is unknown, it lasts as long as the others.
	const end = tally.lastHasDuration ? tally.end : Math.max(tally.end, tally.lastStart + gap);
	const uneven = gaps.filter((one) => Math.abs(one - gap) > Math.max(0.002, gap / 5));
	const unevenGaps = gaps.length === 0 ? 0 : uneven.length / gaps.length;
	const rate = regular === null || gap === 0 ? count / (end - start) : 1 / gap;
	const motionRate = measureMotionRate(times) ?? rate;
	const [startSeconds, endSeconds, bytesBySecond, decoded] = [start, end, tally.bytes, count + hidden];
	const keys = tally.isDense ? [] : tally.keys;
	const { beforeKey } = tally;
	return { count, decoded, startSeconds, endSeconds, rate, motionRate, unevenGaps, bytesBySecond, keys, beforeKey };
};

/** How many key frames a stream may have so far: some at once after losses, and a few a second. */
const mostKeys = ({ start, end }: Tally): number => 30 + 4 * (end - start);

/** More packets than ten hours of pictures and sound have. Each costs time and memory here. */
const mostPackets = 5_000_000;

/** What the packets of a file show. */
export type FileScan = {
	/** By the stream's index. */
	readonly streams: ReadonlyMap<number, PacketScan>;
	/** At which bytes of the file each stream's first and last packets begin. By the stream's index. */
	readonly places: ReadonlyMap<number, { readonly first: number; readonly last: number }>;
	/** Where the clock of each followed stream jumps: none if it doesn't. */
	readonly jumps: readonly ClockJump[];
};

type Jumping = {
	readonly streams: readonly number[];
	/** Default: true. */
	readonly ahead?: boolean;
	readonly sound?: number | undefined;
	/** The streams of text that go along with them (default: none). */
	readonly texts?: readonly number[];
	/** Whether only what comes before the clock jumps is counted (default: false). */
	readonly isFirstAlone?: boolean;
};

/**
 * Counts the packets of every stream without decoding one. Packets that an edit list hides only count as decoded.
 * @param jumping the indexes of the streams whose clock may jump midway, ahead too or only back, of the sound that
 * goes on without a gap, and of texts. The times of pictures and sounds are those without the jumps.
 * @throws {MediaError} `invalid_media` when there are more packets than any video needs
 */
export async function scanPackets(
	programs: Programs,
	input: readonly string[],
	options: RunOptions,
	jumping: Jumping = { streams: [] },
): Promise<FileScan> {
	const streams = new Map<number, Map<Part | null, Tally>>();
	const places = new Map<number, { readonly first: number; readonly last: number }>();
	const clock = followClock(jumping.ahead);
	let packets = 0;
	const hidden = new Map<number, number>();
	const hiddenKeys = new Set<string>();
	const take = (line: string) => {
		const [index = "", ptsTime = "", dtsTime = "", duration = "", size = "", at = "", flags = ""] = line.split(",");
		if (index === "") return;
		packets += 1;
		if (packets > mostPackets)
			throw new MediaError("invalid_media", `The file holds more than ${mostPackets} packets.`);
		const stream = Number(index);
		const place = Number(at);
		if (!Number.isNaN(place)) places.set(stream, { first: places.get(stream)?.first ?? place, last: place });
		if (flags.includes("D")) {
			hidden.set(stream, (hidden.get(stream) ?? 0) + 1);
			if (flags.startsWith("K")) hiddenKeys.add(index);
			return;
		}
		const [pts, dts, length] = [ptsTime, dtsTime, duration].map(Number.parseFloat) as [number, number, number];
		const part = jumping.streams.includes(stream) ? clock.follow(stream, { pts, dts, duration: length }) : null;
		if (jumping.texts?.includes(stream)) clock.accompany(stream, pts);
		const tallies = streams.get(stream) ?? new Map<Part | null, Tally>();
		const before = tallies.get(part);
		// If only the decoding time is known (AVI, the end of an MPEG-PS), the packet follows the one that is shown last, or
		// comes later if pictures were dropped in between.
		const following = before === undefined ? Number.NaN : before.lastStart + length;
		const start = [pts, Math.max(following, dts), following, dts].find((time) => !Number.isNaN(time));
		if (start === undefined) return;
		const tally: Tally = before ?? {
			count: 0,
			start,
			end: start,
			lastStart: start,
			lastHasDuration: false,
			times: [],
			keys: [],
			isDense: false,
			beforeKey: 0,
			bytes: new Map(),
		};
		tally.count += 1;
		tally.start = Math.min(tally.start, start);
		tally.end = Math.max(tally.end, start + (Number.isNaN(length) ? 0 : length));
		if (start >= tally.lastStart)
			Object.assign(tally, { lastStart: start, lastHasDuration: !Number.isNaN(length) && length > 0 });
		tally.times.push(start);
		if (flags.startsWith("K")) {
			if (tally.keys.length >= mostKeys(tally)) tally.isDense = true;
			else tally.keys.push({ pts: start, seconds: start });
		} else if (tally.keys.length === 0 && !hiddenKeys.has(index)) tally.beforeKey += 1;
		const second = Math.floor(start);
		tally.bytes.set(second, (tally.bytes.get(second) ?? 0) + Number(size));
		streams.set(stream, tallies.set(part, tally));
	};
	const fields = "packet=stream_index,pts_time,dts_time,duration_time,size,pos,flags";
	await programs.run("ffprobe", ["-v", "error", "-show_entries", fields, "-of", "csv=p=0", ...input], {
		...options,
		onOutput: byLine(take),
	});
	if (jumping.isFirstAlone)
		for (const [stream, tallies] of streams) {
			const first = new Map([...tallies].filter(([part]) => part === null || part.before === null));
			if (first.size === 0) streams.delete(stream);
			else streams.set(stream, first);
		}
	const { shifts, jumps } = clock.finish(jumping.sound);
	const scans = [...streams].map(
		([stream, tallies]) => [stream, finish(joined(tallies, shifts), hidden.get(stream) ?? 0)] as const,
	);
	return { streams: new Map(scans), places, jumps: jumping.isFirstAlone ? [] : jumps };
}

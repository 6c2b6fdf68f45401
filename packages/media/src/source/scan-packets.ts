import { MediaError } from "../errors.ts";
import type { Programs, RunOptions } from "../run/programs.ts";
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
	bytes: Map<number, number>;
};

const average = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Moves times behind others by their usual gap. What lies between two recordings is no gap of either. */
function following(times: readonly number[], later: readonly number[]): number[] {
	const [first, last] = [Math.min(...times), Math.max(...times)];
	const move = last + (last - first) / Math.max(1, times.length - 1) - Math.min(...later);
	return later.map((time) => time + move);
}

/** Puts what a stream has of each part behind one another. */
function joined(tallies: ReadonlyMap<Part | null, Tally>, shifts: ReadonlyMap<Part, number>): Tally {
	const shifted = [...tallies].map(([part, tally]): Tally => {
		const shift = part === null ? 0 : (shifts.get(part) ?? 0);
		if (shift === 0) return tally;
		return {
			...tally,
			start: tally.start + shift,
			end: tally.end + shift,
			lastStart: tally.lastStart + shift,
			bytes: new Map([...tally.bytes].map(([second, bytes]) => [second + Math.round(shift), bytes])),
		};
	});
	return shifted.reduce((whole, { bytes, ...part }) => {
		for (const [second, size] of whole.bytes) bytes.set(second, (bytes.get(second) ?? 0) + size);
		const last = part.lastStart >= whole.lastStart ? part : whole;
		return {
			count: whole.count + part.count,
			start: Math.min(whole.start, part.start),
			end: Math.max(whole.end, part.end),
			lastStart: last.lastStart,
			lastHasDuration: last.lastHasDuration,
			times: [...whole.times, ...following(whole.times, part.times)],
			bytes,
		};
	});
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
	return { count, decoded, startSeconds, endSeconds, rate, motionRate, unevenGaps, bytesBySecond };
};

/** More packets than ten hours of pictures and sound have. Each costs time and memory here. */
const mostPackets = 5_000_000;

/** Ten times as long as a packet's line. */
const longestLine = 4096;

/** What the packets of a file show. */
export type FileScan = {
	/** By the stream's index. */
	readonly streams: ReadonlyMap<number, PacketScan>;
	/** Where the clock of each followed stream jumps: none if it doesn't. */
	readonly jumps: readonly ClockJump[];
};

/**
 * Counts the packets of every stream without decoding one. Packets that an edit list hides only count as decoded.
 * @param jumping the indexes of the streams whose clock may jump midway: that of the picture, then those of sounds.
 * Their times are those without the jumps.
 * @throws {MediaError} `invalid_media` when there are more packets than any video needs
 */
export async function scanPackets(
	programs: Programs,
	input: readonly string[],
	options: RunOptions,
	jumping: readonly number[] = [],
): Promise<FileScan> {
	const streams = new Map<number, Map<Part | null, Tally>>();
	const clock = followClock();
	let packets = 0;
	const hidden = new Map<number, number>();
	const take = (line: string) => {
		const [index = "", ptsTime = "", dtsTime = "", duration = "", size = "", flags = ""] = line.split(",");
		if (index === "") return;
		packets += 1;
		if (packets > mostPackets)
			throw new MediaError("invalid_media", `The file holds more than ${mostPackets} packets.`);
		const stream = Number(index);
		if (flags.includes("D")) {
			hidden.set(stream, (hidden.get(stream) ?? 0) + 1);
			return;
		}
		const [pts, dts, length] = [ptsTime, dtsTime, duration].map(Number.parseFloat) as [number, number, number];
		const part = jumping.includes(stream) ? clock.follow(stream, { pts, dts, duration: length }) : null;
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
			bytes: new Map(),
		};
		tally.count += 1;
		tally.start = Math.min(tally.start, start);
		tally.end = Math.max(tally.end, start + (Number.isNaN(length) ? 0 : length));
		if (start >= tally.lastStart)
			Object.assign(tally, { lastStart: start, lastHasDuration: !Number.isNaN(length) && length > 0 });
		tally.times.push(start);
		const second = Math.floor(start);
		tally.bytes.set(second, (tally.bytes.get(second) ?? 0) + Number(size));
		streams.set(stream, tallies.set(part, tally));
	};
	let rest = "";
	const onOutput = (chunk: Buffer) => {
		const lines = (rest + chunk.toString("latin1")).split("\n");
		rest = lines.pop() ?? "";
		if (rest.length > longestLine) throw new Error(`ffprobe printed a line of more than ${longestLine} characters.`);
		lines.forEach(take);
	};
	const fields = "packet=stream_index,pts_time,dts_time,duration_time,size,flags";
	await programs.run("ffprobe", ["-v", "error", "-show_entries", fields, "-of", "csv=p=0", ...input], {
		...options,
		onOutput,
	});
	const { shifts, jumps } = clock.finish(jumping[1]);
	const scans = [...streams].map(
		([stream, tallies]) => [stream, finish(joined(tallies, shifts), hidden.get(stream) ?? 0)] as const,
	);
	return { streams: new Map(scans), jumps };
}

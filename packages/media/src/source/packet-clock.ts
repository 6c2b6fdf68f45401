import type { Container } from "@reelmill/contracts/containers";

/**
 * Says whether a container's clock may jump midway. That happens in containers for broadcasts, after a loss of signal
 * or if the file is several recordings one after another, as an Ogg may be too.
 */
export const mayJump = (container: Container): boolean => ["mpegts", "mpeg", "ogg"].includes(container);

/**
 * Says whether a file may be several recordings one behind another, each with a clock that begins anew. In a Matroska and
 * an FLV they come to be so by mistake: nothing but a clock that goes back tells.
 */
export const mayBeginAnew = (container: Container): boolean =>
	mayJump(container) || container === "matroska" || container === "flv";

/** How many seconds a packet may be ahead of its stream and of its part's clock before that is a jump. */
const mostAhead = 10;
/** How many seconds a packet may be behind the one before it in its stream. */
const mostBehindDecoded = 0.1;
/** The same where ffmpeg guesses decoding times: pictures are shown in another order than they are written in. */
const mostBehindGuessed = 0.75;
/** More parts than this are damage, and no recordings one behind another: what follows stays in the last one. */
const mostParts = 1000;
/** How many seconds a stream may go on with the clock before, after another one has left it for the next recording. */
const mostApart = 1;
/** Sound goes on without a gap from part to part if it begins and ends with them, to so many seconds. */
const nearSeconds = 0.1;

/** What a stream has of a part: its last packet's decoding time and the one that follows, and when it is presented. */
type InPart = { last: number; next: number; start: number; end: number; longestGap: number };

/** A part of a file that has one clock: one of several recordings, or what comes before and after a loss of signal. */
export type Part = {
	/** The presentation times of its first and last moment, of all streams that are followed. */
	start: number;
	end: number;
	/** The decoding time that came last. */
	latest: number;
	readonly streams: Map<number, InPart>;
	/** The part before, and its time at which this one began; `null` in the first part. */
	readonly before: { readonly part: Part; readonly at: number } | null;
	/** Whether this is no part that follows the whole one before, but a slip of the clock within it. */
	isSlip: boolean;
	/** The last decoding times of all streams in the parts before. */
	readonly lasts: ReadonlyMap<number, number>;
	/** Whether a stream goes on with the clock before, so that this is no next recording. Its times stay as they are. */
	isRefuted: boolean;
};

/** A packet's times in seconds, `NaN` where it has none. */
export type PacketTimes = { readonly pts: number; readonly dts: number; readonly duration: number };

/** From a packet on, a stream's times are to be moved. */
export type ClockJump = {
	/** The stream's index. */
	readonly stream: number;
	/** How many packets of the stream come before. */
	readonly packet: number;
	/** The seconds to add to the file's times, from this packet to the next jump of the stream. */
	readonly shiftSeconds: number;
};

export type PacketClock = {
	/** Takes the next packet of the file and returns the part that it belongs to. */
	follow(stream: number, packet: PacketTimes): Part;
	/**
	 * Takes the next packet of a stream of text, which has too few packets to tell the clock. It belongs to the recording
	 * in which it stands.
	 */
	accompany(stream: number, seconds: number): void;
	/**
	 * Returns the seconds to add to the times of each part, so that the parts follow one another, and where each stream
	 * comes to another part. A stream that is shorter than another in a part waits for it: picture and sound stay
	 * together. The sound of the stream `sound` doesn't wait for less than 0.1 s: a picture may be shown a little longer
	 * or shorter, but programs that decode sound don't fill so small a gap.
	 */
	finish(sound?: number): { readonly shifts: ReadonlyMap<Part, number>; readonly jumps: readonly ClockJump[] };
};

/**
 * Follows the clock of packets in the order of the file. A stream goes to another part when its times jump. Which one
 * is told by the clock: the streams of a file come to the same part one after another, and those that came later
 * finish the part before it. If a clock may only go back, a part is one only if every stream that goes on comes to it.
 * @param jumpsAhead whether a clock that is far ahead is another one. If there is one stream alone, it is so only if its
 * packets came closer together before: pictures may stand for long.
 */
export function followClock(jumpsAhead = true): PacketClock {
	const mostBehind = jumpsAhead ? mostBehindDecoded : mostBehindGuessed;
	const parts: Part[] = [];
	const places = new Map<number, Part>();
	const counts = new Map<number, number>();
	const changes: { readonly stream: number; readonly packet: number; readonly part: Part }[] = [];
	/** The parts that are recordings as far as is known, in their order. */
	const recordings: Part[] = [];
	const texts: { readonly stream: number; readonly packet: number; part: Part | undefined }[] = [];
	let unplaced = 0;

	const create = (dts: number, before: Part["before"], isSlip: boolean): Part => {
		const lasts = new Map<number, number>();
		for (const [stream, place] of places) lasts.set(stream, place.streams.get(stream)?.last ?? place.latest);
		const [streams, own] = [new Map<number, InPart>(), { start: dts, end: dts, latest: dts }];
		const part: Part = { ...own, streams, before, isSlip, lasts, isRefuted: false };
		parts.push(part);
		recordings.push(part);
		return part;
	};
	const removeRecording = (part: Part) => {
		const at = recordings.indexOf(part);
		if (at > 0) recordings.splice(at, 1);
	};

	/** Where a clock may only go back: returns the part before if a stream comes back to it and was alone in leaving it. */
	const comesBack = (stream: number, dts: number, place: Part, { last }: InPart): Part | null => {
		const part = place.before?.part;
		const own = part?.streams.get(stream);
		if (part === undefined || own === undefined) return null;
		const isShared = part.streams.size > 1 && [...part.streams.keys()].every((one) => place.streams.has(one));
		const isUnusual = dts - last > Math.max(mostBehind, 2 * own.longestGap);
		const isNear = dts + mostBehind >= own.last && Math.abs(dts - own.next) <= mostAhead;
		return !isShared && isUnusual && isNear ? part : null;
	};
	/** Where a clock may only go back: returns the recording that a stream comes to whose own times didn't go back. */
	const follows = (dts: number, place: Part): Part | null => {
		const latest = recordings.at(-1) ?? place;
		const isLeft = latest !== place && place.latest - dts > mostApart;
		return isLeft && Math.abs(dts - latest.latest) < Math.abs(dts - place.latest) ? latest : null;
	};
	/** Takes a part for no recording if a stream stays where it was before that part began. */
	const refute = (stream: number, dts: number, place: Part) => {
		if (recordings.at(-1) === place) return;
		for (const part of recordings.slice(recordings.indexOf(place) + 1)) {
			if (dts - (part.lasts.get(stream) ?? dts) <= mostApart) continue;
			part.isRefuted = true;
			removeRecording(part);
		}
	};

	const enter = (stream: number, dts: number): Part => {
		const place = places.get(stream);
		const known = place?.streams.get(stream);
		const fits = (part: Part) => {
			const own = part.streams.get(stream);
			if (!jumpsAhead && !recordings.includes(part)) return false;
			return Math.abs(dts - part.latest) <= mostAhead && (own === undefined || dts + mostBehind >= own.last);
		};
		if (place !== undefined && known !== undefined) {
			const isUnusual = counts.size > 1 || (known.longestGap > 0 && dts - known.last > 2 * known.longestGap);
			const isAhead = jumpsAhead && isUnusual && Math.abs(dts - known.next) > mostAhead && !fits(place);
			if (dts + mostBehind >= known.last && !isAhead) {
				if (jumpsAhead) return place;
				const back = comesBack(stream, dts, place, known);
				if (back === null) return follows(dts, place) ?? place;
				place.isSlip = true;
				removeRecording(place);
				return back;
			}
		} else if (!jumpsAhead && parts.length > 0) return recordings.at(-1) as Part;
		if (parts.length >= mostParts) return place ?? (parts.at(-1) as Part);
		const distance = (part: Part) => Math.abs(dts - part.latest);
		const [nearest] = parts.filter(fits).sort((one, other) => distance(one) - distance(other));
		if (nearest !== undefined) {
			if (place !== undefined && parts.indexOf(nearest) < parts.indexOf(place)) place.isSlip = true;
			return nearest;
		}
		const from = place ?? parts.at(-1);
		const before = from === undefined ? null : { part: from, at: known?.next ?? from.latest };
		// A stream that begins on a clock of its own begins where the others are.
		return create(dts, before, place === undefined && from !== undefined);
	};

	const count = (stream: number): number => {
		const packet = counts.get(stream) ?? 0;
		counts.set(stream, packet + 1);
		return packet;
	};
	/** Text that lies between two recordings, and fits the one before by its times no longer, is of the next one. */
	const placeTexts = () => {
		for (const text of texts.slice(unplaced)) text.part ??= recordings.at(-1);
		unplaced = texts.length;
	};
	const textJumps = (shifts: ReadonlyMap<Part, number>): ClockJump[] => {
		placeTexts();
		const lasting = new Map<number, number>();
		return texts.flatMap(({ stream, packet, part: own }) => {
			let part = own;
			while (part?.isSlip && part.before !== null) part = part.before.part;
			const shiftSeconds = (part && shifts.get(part)) ?? 0;
			if ((lasting.get(stream) ?? 0) === shiftSeconds) return [];
			lasting.set(stream, shiftSeconds);
			return [{ stream, packet, shiftSeconds }];
		});
	};

	return {
		accompany(stream, seconds) {
			const latest = recordings.at(-1);
			const isNear = latest !== undefined && Math.abs(seconds - latest.latest) <= mostApart;
			texts.push({ stream, packet: count(stream), part: isNear ? latest : undefined });
		},
		follow(stream, { pts, dts, duration }) {
			const place = places.get(stream);
			const guessed = jumpsAhead ? pts : (place?.streams.get(stream)?.last ?? pts);
			const decoding = Number.isNaN(dts) ? guessed : dts;
			const part = Number.isNaN(decoding) ? (place ?? parts.at(-1) ?? enter(stream, 0)) : enter(stream, decoding);
			const packet = count(stream);
			if (texts.length > unplaced) placeTexts();
			if (part !== place) changes.push({ stream, packet, part });
			places.set(stream, part);
			if (Number.isNaN(decoding)) return part;
			if (!jumpsAhead) refute(stream, decoding, part);
			const length = Number.isNaN(duration) ? 0 : duration;
			const shown = Number.isNaN(pts) ? decoding : pts;
			part.latest = decoding;
			part.start = Math.min(part.start, shown);
			part.end = Math.max(part.end, shown + length);
			const { start, end, last, longestGap } = part.streams.get(stream) ?? {
				...{ start: shown, end: shown, last: decoding, longestGap: 0 },
			};
			part.streams.set(stream, {
				last: decoding,
				next: decoding + length,
				start: Math.min(start, shown),
				end: Math.max(end, shown + length),
				longestGap: Math.max(longestGap, decoding - last),
			});
			return part;
		},
		finish(sound) {
			const shifts = new Map<Part, number>();
			let end = Number.NEGATIVE_INFINITY;
			let heardEnd = Number.NEGATIVE_INFINITY;
			for (const part of parts) {
				const { before, start } = part;
				if (part.isSlip && before !== null) {
					shifts.set(part, (shifts.get(before.part) ?? 0) + before.at - start);
					continue;
				}
				if (part.isRefuted && before !== null) {
					shifts.set(part, shifts.get(before.part) ?? 0);
					end = Math.max(end, part.end + (shifts.get(part) ?? 0));
					continue;
				}
				const heard = sound === undefined ? undefined : part.streams.get(sound);
				const isNear = heard !== undefined && end - heardEnd < nearSeconds && heard.start - start < nearSeconds;
				const shift = before === null ? 0 : isNear ? heardEnd - heard.start : end - start;
				shifts.set(part, shift);
				end = Math.max(end, part.end + shift);
				if (heard !== undefined) heardEnd = heard.end + shift;
			}
			const jumps = changes
				.map(({ part, ...change }) => ({ ...change, shiftSeconds: shifts.get(part) ?? 0 }))
				.filter(({ packet, shiftSeconds }) => packet > 0 || shiftSeconds !== 0);
			if (jumps.every(({ shiftSeconds }) => shiftSeconds === 0)) return { shifts, jumps: [] };
			return { shifts, jumps: [...jumps, ...textJumps(shifts)] };
		},
	};
}

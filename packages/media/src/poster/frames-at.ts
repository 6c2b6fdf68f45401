import { open } from "node:fs/promises";
import { join } from "node:path";
import { topLevelBoxes } from "../mp4/boxes.ts";
import { openFragments, writeFragments } from "../mp4/fragments.ts";
import type { ByteRange } from "../mp4/track.ts";
import type { Run } from "../run/programs.ts";

/** Brings bytes of a file to their place in it before they are read. */
export type NeedBytes = (range: ByteRange) => Promise<void>;

/** Some frames of a finished track, in a file that has them. */
export type FoundFrames = {
	readonly path: string;
	/** When the wanted frame is shown, in seconds of that file. */
	readonly seconds: number;
	/** When what follows it begins there; null if none was wanted. */
	readonly from: number | null;
};

/** What is looked for: the frame that is shown at a moment, and frames from there on. */
export type WantedFrames = {
	/** In seconds from the video's beginning. */
	readonly atSeconds: number;
	/** How many seconds of frames are wanted (default: 0). They end with the video, so they may begin before the frame. */
	readonly lastingSeconds?: number;
};

type Finished = Run & {
	/** A finished MP4 file as `processVideo` made it. Of its bytes only those that were needed are looked at. */
	readonly source: string;
	readonly size: number;
	readonly need: NeedBytes;
	/** An existing folder for a file that is needed in between. */
	readonly folder: string;
};

/** Boxes at the beginning of a finished file are in this many bytes, but for the index of a plain MP4. */
const head = 65_536;
/** Moments are told to a thousandth. */
const tolerance = 0.0005;

/**
 * Finds the frame of a finished file that is shown at a moment: the last one if it is after all. Of a rendition, only its
 * index and the groups of pictures with the wanted frames are needed; of a plain MP4 its index, and the bytes between.
 * @throws {Error} when the file has another form than ours
 */
export async function framesAt(finished: Finished, wanted: WantedFrames): Promise<FoundFrames> {
	const { source, size, need } = finished;
	const file = await open(source);
	try {
		await need({ offset: 0, length: Math.min(head, size) });
		const moov = (await topLevelBoxes(file, size, "moov")).at(-1);
		if (moov?.type !== "moov") throw new Error("The finished file has no index in front.");
		const end = moov.offset + moov.length;
		await need({ offset: 0, length: Math.min(end + 16, size) });
		const next = Buffer.alloc(8);
		await file.read(next, 0, 8, end);
		if (next.toString("latin1", 4, 8) !== "sidx") return await ofPlain(finished, wanted);
		await need({ offset: end, length: next.readUInt32BE(0) });
	} finally {
		await file.close();
	}
	return ofFragments(finished, wanted);
}

async function ofFragments(
	{ source, need, folder }: Finished,
	{ atSeconds, lastingSeconds = 0 }: WantedFrames,
): Promise<FoundFrames> {
	const file = await openFragments(source);
	try {
		const { fragments, timescale } = file;
		const last = fragments.at(-1);
		if (last === undefined) throw new Error("The finished track has no frames.");
		const at = (atSeconds + tolerance) * timescale;
		const lasting = lastingSeconds * timescale;
		const from = Math.max(0, Math.min(at, last.startTicks + last.ticks - lasting));
		const shown = fragments.findLast(({ startTicks }) => startTicks <= at) ?? last;
		const needed = fragments.filter(
			(fragment) =>
				fragment === shown ||
				(lasting > 0 && fragment.startTicks < from + lasting && fragment.startTicks + fragment.ticks > from),
		);
		for (const { offset, length } of needed) await need({ offset, length });
		let decoded = shown.startTicks;
		const times = (await file.samples(shown)).map(({ ticks, composition }) => {
			const time = decoded + composition;
			decoded += ticks;
			return time;
		});
		const first = Math.min(...times);
		const moment = times.reduce((best, time) => (time <= at && time > best ? time : best), first);
		const path = join(folder, "frames.mp4");
		await writeFragments(path, file, needed);
		const begins = needed[0]?.startTicks ?? 0;
		return {
			path,
			seconds: (moment - begins) / timescale,
			from: lasting > 0 ? Math.max(0, from - begins) / timescale : null,
		};
	} finally {
		await file.close();
	}
}

type Packet = { readonly time: number; readonly offset: number; readonly end: number; readonly isKey: boolean };

/** A frame is decoded after at most so many later ones. */
const reordered = 16;
/** These take no longer, in seconds: fewer than four frames a second are no film. */
const marginSeconds = 4;

/** The index of a plain MP4 tells where its packets are; ffprobe reads it, and the packets' own bytes don't matter to it. */
async function listPackets({ programs, signal, source }: Finished, intervals?: string): Promise<Packet[]> {
	const query = ["-select_streams", "v:0", "-show_entries", "packet=pts_time,pos,size,flags", "-of", "json"];
	const within = intervals === undefined ? [] : ["-read_intervals", intervals];
	// A parser would look into packets, which are not there, to tell key frames.
	const args = ["-v", "fatal", "-fflags", "+noparse+nofillin", "-f", "mov", "-i", source, ...within, ...query];
	const { stdout } = await programs.run("ffprobe", args, { signal, reads: [source] });
	const told = JSON.parse(String(stdout)) as {
		readonly packets?: readonly { pts_time?: string; pos?: string; size?: string; flags?: string }[];
	};
	return (told.packets ?? []).map(({ pts_time, pos, size, flags }) => {
		const offset = Number(pos);
		return { time: Number(pts_time), offset, end: offset + Number(size), isKey: flags?.startsWith("K") === true };
	});
}

async function ofPlain(finished: Finished, { atSeconds, lastingSeconds = 0 }: WantedFrames): Promise<FoundFrames> {
	const { source, need } = finished;
	const at = atSeconds + tolerance;
	const [opening] = await listPackets(finished, "%+#1");
	if (opening === undefined) throw new Error("The finished file has no frames.");
	const begins = Math.max(0, at - lastingSeconds);
	const near = await listPackets(finished, `${begins.toFixed(3)}%${(at + lastingSeconds + marginSeconds).toFixed(3)}`);
	const packets = near.some(({ time }) => time <= at) ? near : await listPackets(finished);
	const last = packets.reduce((latest, { time }) => Math.max(latest, time), 0);
	const moment = packets.reduce((best, { time }) => (time <= at && time > best ? time : best), 0);
	const from = Math.max(0, Math.min(moment, last - lastingSeconds));
	const begin = packets.findLastIndex(({ time, isKey }) => isKey && time <= from);
	const end = packets.findLastIndex(({ time }) => time <= Math.max(moment, from + lastingSeconds)) + reordered;
	const needed = packets.slice(Math.max(0, begin), end + 1);
	const offset = Math.min(...needed.map((packet) => packet.offset));
	await need({ offset: opening.offset, length: opening.end - opening.offset });
	await need({ offset, length: Math.max(...needed.map((packet) => packet.end)) - offset });
	return { path: source, seconds: moment, from: lastingSeconds > 0 ? from : null };
}

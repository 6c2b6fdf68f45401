import { join } from "node:path";
import { findBox } from "../mp4/boxes.ts";
import {
	type FileFragment,
	type Fragment,
	type FragmentedFile,
	fragmentOf,
	openFragments,
	type Sample,
	writeFragments,
} from "../mp4/fragments.ts";
import type { Run } from "../run/programs.ts";
import { type CutTrack, encodePieces, type Frames } from "./encode-piece.ts";

/** What became of the frames of a cut, counted from the beginning of the source. */
export type CutPictures = {
	/** The frames that were encoded; all others are the source's packets. */
	readonly encoded: readonly Frames[];
	/** Whether all were encoded, because one decoder can't decode new and old ones without being set up again. */
	readonly whole: boolean;
};

/**
 * Both ends are encoded at once, as two groups of pictures, if the first has this many. An encoder whose groups are
 * shorter sets decoders up in another way.
 */
const leastGroup = 8;

/** A group of pictures of an open track, and its frames. */
type Group = Frames & { readonly fragment: FileFragment };

/**
 * Writes these frames of a finished track as a track of its own. What lies between the first key frame and the last
 * picture that no later one is needed for are the source's packets. The frames before are encoded anew, and at most
 * those of a last group of pictures behind it.
 * @param folder an existing folder for files that are needed in between
 */
export async function cutPictures(
	run: Run & { readonly folder: string },
	track: CutTrack,
	frames: Frames,
	target: string,
): Promise<CutPictures> {
	const opened: FragmentedFile[] = [];
	const open = async (path: string) => {
		const file = await openFragments(path);
		opened.push(file);
		return file;
	};
	let pieces = 0;
	const encode = async (frames: readonly Frames[], options?: { readonly isOneGroup: boolean }) => {
		const path = join(run.folder, `${track.rendition.name}-${++pieces}.mp4`);
		await encodePieces(run, track, { frames, ...options }, path);
		return open(path);
	};
	try {
		const source = await open(track.path);
		const ticks = (source.timescale * track.frameRate.denominator) / track.frameRate.numerator;
		const groups = source.fragments.map((fragment): Group => {
			const first = Math.round(fragment.startTicks / ticks);
			return { fragment, first, end: first + Math.round(fragment.ticks / ticks) };
		});
		const { begin, kept, broken } = divide(groups, frames);
		const samples = broken === undefined ? [] : await source.samples(broken.fragment);
		const closed = broken === undefined ? 0 : closedPrefix(samples, frames.end - broken.first);
		const from = broken === undefined ? frames.end : broken.first + closed;
		const front = begin > frames.first ? [{ first: frames.first, end: begin }] : [];
		const back = from < frames.end ? [{ first: from, end: frames.end }] : [];
		const encoded: Frames[] = [...front, ...back];
		const isTogether = encoded.length === 2 && begin - frames.first >= leastGroup;
		const files: FragmentedFile[] = [];
		for (const piece of isTogether ? [encoded] : encoded.map((one) => [one]))
			files.push(await encode(piece, { isOneGroup: piece[0] === front[0] }));
		const made = files.flatMap((file) => file.fragments.map((fragment) => ({ file, fragment })));
		const fragments: Fragment[] = made.slice(0, front.length).map(({ fragment }) => fragment);
		fragments.push(...kept.map(({ fragment }) => fragment));
		if (broken !== undefined) {
			const tail: Sample[] = samples.slice(0, closed);
			for (const { file, fragment } of made.slice(front.length)) tail.push(...(await file.samples(fragment)));
			fragments.push(fragmentOf(tail));
		}
		const settings = decoderOf(source.initialisation);
		if (files.every(({ initialisation }) => decoderOf(initialisation).equals(settings))) {
			await writeFragments(target, source, fragments);
			return { encoded, whole: false };
		}
		// The key frames stay where those of the other renditions are.
		const all = [
			...(begin > frames.first ? [{ first: frames.first, end: begin }] : []),
			...(begin < frames.end ? [{ first: begin, end: frames.end }] : []),
		];
		const anew: FragmentedFile[] = [];
		for (const piece of all) anew.push(await encode([piece], { isOneGroup: piece.end === begin }));
		const [first] = anew as [FragmentedFile];
		await writeFragments(
			target,
			first,
			anew.flatMap((file) => file.fragments),
		);
		return { encoded: [frames], whole: true };
	} finally {
		for (const file of opened) await file.close();
	}
}

/**
 * Divides a cut: what begins before `begin` is encoded, `kept` are whole groups, and the cut ends within `broken`. No
 * key frame follows a frame that is encoded alone, which is one as well: two in a row could be taken for one. The group
 * of the second is then encoded with the first.
 */
function divide(groups: readonly Group[], frames: Frames) {
	const inside = groups.filter(({ first }) => first >= frames.first && first < frames.end);
	const old = inside[0]?.first === frames.first + 1 ? inside.slice(1) : inside;
	return {
		begin: old[0]?.first ?? frames.end,
		kept: old.filter(({ end }) => end <= frames.end),
		broken: old.find(({ end }) => end > frames.end),
	};
}

/**
 * Returns how many samples at the beginning of a group show exactly its first frames, of which at most so many are
 * wanted: none of them needs a later one, and none is shown after a frame that is missing. Returns 0 if the wanted
 * frames follow the key frame alone: two key frames in a row could be taken for one.
 */
function closedPrefix(samples: readonly Sample[], wanted: number): number {
	let decoded = 0;
	const shown = samples.map(({ ticks, composition }) => {
		const at = decoded + composition;
		decoded += ticks;
		return at;
	});
	const order = shown.toSorted((a, b) => a - b);
	let closed = 0;
	let latest = Number.NEGATIVE_INFINITY;
	for (let count = 1; count <= wanted; count += 1) {
		latest = Math.max(latest, shown[count - 1] as number);
		if (latest === order[count - 1]) closed = count;
	}
	return closed === 1 && wanted > 1 ? 0 : closed;
}

const table = ["moov", "trak", "mdia", "minf", "stbl"].map((type) => ({ type }));
const entries = [
	{ type: "avc1", configuration: "avcC" },
	{ type: "av01", configuration: "av1C" },
];

/** Returns how the decoder of an initialisation is set up. */
function decoderOf(initialisation: Buffer): Buffer {
	for (const { type, configuration } of entries) {
		const path = [...table, { type: "stsd", skip: 8 }, { type, skip: 78 }, { type: configuration }];
		const found = findBox(initialisation, path);
		if (found !== null) return found;
	}
	throw new Error("The track's codec is not one that is made here.");
}

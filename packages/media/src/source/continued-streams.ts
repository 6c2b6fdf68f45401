/** Packets of a stream go on under the number (PID) of another one, as the same picture or sound of a next recording. */
export type Continuation = { readonly from: number; readonly to: number };

/** A stream of pictures or sound, and at which bytes of the file its first and last packets begin. */
export type PlacedStream = {
	readonly type: "video" | "audio";
	readonly codec: string;
	/** Its number in the file. */
	readonly id: number;
	readonly first: number;
	readonly last: number;
};

const overlap = (one: PlacedStream, other: PlacedStream): boolean => one.first <= other.last && other.first <= one.last;
const isBehind = (one: PlacedStream, other: PlacedStream): boolean =>
	one.codec === other.codec && one.first > other.last;

/**
 * Finds the streams that only go on with what streams before them had: in a file that is several recordings one behind
 * another, each recording may have numbers of its own. The pictures of one codec that follow one another are one
 * picture, and so are the sounds beside them, in the order of their recordings.
 * @param streams in the order of the file's headers
 */
export function findContinuations(streams: readonly PlacedStream[]): Continuation[] {
	// What has a single packet is a still picture, and no recording.
	const pictures = streams.filter(({ type, first, last }) => type === "video" && first < last);
	pictures.sort((one, other) => one.first - other.first);
	const [base, ...later] = pictures;
	if (base === undefined) return [];
	const found: Continuation[] = [];
	const soundsBeside = (picture: PlacedStream) =>
		streams.filter((stream) => stream.type === "audio" && overlap(stream, picture));
	const ends = [base, ...soundsBeside(base)];
	for (const picture of later) {
		if (!isBehind(picture, ends[0] as PlacedStream)) continue;
		const goingOn = [picture, ...soundsBeside(picture)];
		for (const [n, stream] of goingOn.entries()) {
			const before = ends[n];
			if (before === undefined || !isBehind(stream, before)) continue;
			found.push({ from: stream.id, to: before.id });
			ends[n] = { ...stream, id: before.id };
		}
	}
	return found;
}

/** Returns the pictures that go on, and what goes on with them. */
export const continuedPictures = <One extends PlacedStream>(
	streams: readonly One[],
	continuations: readonly Continuation[],
): One[] =>
	streams.filter(({ type, id }) => type === "video" && continuations.some(({ from, to }) => id === from || id === to));

/** Returns the sounds beside the pictures that go on, without those that only go on with them. */
export function soundsAtFirst<One extends PlacedStream>(
	streams: readonly One[],
	continuations: readonly Continuation[],
): One[] {
	const pictures = continuedPictures(streams, continuations);
	const [base] = pictures.filter(({ id }) => continuations.some(({ to }) => id === to));
	return streams.filter(
		(stream) =>
			stream.type === "audio" &&
			base !== undefined &&
			overlap(stream, base) &&
			continuations.every(({ from }) => stream.id !== from),
	);
}

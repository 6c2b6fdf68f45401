/** Packets of a stream go on under the number (PID) of another one, as the same picture or sound of a next recording. */
export type Continuation = { readonly from: number; readonly to: number };

/** A stream of pictures or sound, and at which bytes of the file its first and last packets begin. */
export type PlacedStream = {
	readonly type: "video" | "audio";
	readonly codec: string;
	/** Its number in the file. */
	readonly id: number;
	/** The name of its programme; `undefined` if it belongs to none. */
	readonly programme?: string | undefined;
	readonly first: number;
	readonly last: number;
};

const overlap = (one: PlacedStream, other: PlacedStream): boolean => one.first <= other.last && other.first <= one.last;
const areTogether = (one: PlacedStream, other: PlacedStream): boolean =>
	one.programme === undefined || other.programme === undefined || one.programme === other.programme;
const isBehind = (one: PlacedStream, other: PlacedStream): boolean =>
	one.codec === other.codec && one.first > other.last;

/**
 * Finds the streams that only go on with what streams before them had: in a file that is several recordings one behind
 * another, each recording may have numbers of its own. The pictures of one codec that follow one another are one
 * picture, and so are the sounds beside them, in the order of their recordings. The sounds of other programmes and those
 * that go through are none of them.
 * @param streams in the order of the file's headers
 * @param chosenId the number of the picture that is shown (default: that of the first picture in the file)
 */
export function findContinuations(streams: readonly PlacedStream[], chosenId?: number): Continuation[] {
	// What has a single packet is a still picture, and no recording.
	const pictures = streams.filter(({ type, first, last }) => type === "video" && first < last);
	pictures.sort((one, other) => one.first - other.first);
	const chosen = pictures.find(({ id }) => id === chosenId) ?? pictures[0];
	const base = chosen && pictures.find((picture) => areTogether(picture, chosen));
	if (base === undefined) return [];
	const later = pictures.filter((picture) => picture !== base);
	const found: Continuation[] = [];
	const soundsBeside = (picture: PlacedStream) =>
		streams.filter((one) => one.type === "audio" && overlap(one, picture) && areTogether(one, picture));
	let shown = base;
	const heard = soundsBeside(base);
	for (const picture of later) {
		if (!isBehind(picture, shown)) continue;
		found.push({ from: picture.id, to: base.id });
		// A sound that goes through both has its number in both.
		const ended = [...heard.entries()].filter(([, sound]) => !overlap(sound, picture));
		const begun = soundsBeside(picture).filter((sound) => !overlap(sound, shown));
		for (const [n, sound] of begun.entries()) {
			const [place, before] = ended[n] ?? [];
			if (place === undefined || before === undefined || !isBehind(sound, before)) continue;
			found.push({ from: sound.id, to: before.id });
			heard[place] = { ...sound, id: before.id };
		}
		shown = picture;
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

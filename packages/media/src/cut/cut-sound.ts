import {
	type FragmentedFile,
	fragmentOf,
	hidingTicks,
	openFragments,
	type Sample,
	writeFragments,
} from "../mp4/fragments.ts";

/** A stretch of a track of sound, in seconds. */
type Stretch = { readonly startSeconds: number; readonly seconds: number };

/**
 * Writes a stretch of a finished track of sound as a track of its own, without an encode. It begins a packet earlier,
 * since a decoder needs it, and an edit list hides what lies before the stretch, to the sample. The last packet is
 * whole, though it is listed as no longer than the stretch. Returns how many samples are hidden.
 */
export async function cutSound(path: string, { startSeconds, seconds }: Stretch, target: string): Promise<number> {
	const source = await openFragments(path);
	try {
		const start = source.hiddenTicks + Math.round(startSeconds * source.timescale);
		const end = start + Math.round(seconds * source.timescale);
		const { samples, before } = await packetsOf(source, start, end);
		const hidden = start - before;
		const groups = Array.from({ length: Math.ceil(samples.length / packetsInGroup(source)) }, (_, n) =>
			samples.slice(n * packetsInGroup(source), (n + 1) * packetsInGroup(source)),
		);
		await writeFragments(
			target,
			{ ...source, initialisation: hidingTicks(source.initialisation, hidden), hiddenTicks: hidden },
			groups.map(fragmentOf),
		);
		return hidden;
	} finally {
		await source.close();
	}
}

/** How many ticks a packet of AAC lasts. */
const packetTicks = 1024;
/** Two seconds, as the encoder makes them. */
const packetsInGroup = ({ timescale }: FragmentedFile): number => Math.ceil((2 * timescale) / packetTicks);

/** Returns the packets of a stretch of ticks with the one before it, and how many ticks are before them in the track. */
async function packetsOf(source: FragmentedFile, start: number, end: number) {
	const samples: Sample[] = [];
	let before: number | null = null;
	for (const fragment of source.fragments) {
		if (fragment.startTicks + fragment.ticks + packetTicks <= start || fragment.startTicks >= end) continue;
		let at = fragment.startTicks;
		for (const sample of await source.samples(fragment)) {
			// The packet before the one that has the first sample.
			if (at + sample.ticks + packetTicks > start && at < end) {
				before ??= at;
				samples.push({ ...sample, ticks: Math.min(sample.ticks, end - at) });
			}
			at += sample.ticks;
		}
	}
	if (before === null) throw new Error("The stretch has no sound.");
	return { samples, before };
}

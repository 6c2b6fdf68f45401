import { createReadStream } from "node:fs";

/** A part of a recording, in seconds from its start. */
export type Stretch = { readonly startSeconds: number; readonly endSeconds: number };

const samplesPerSecond = 16_000;
const wavHeaderBytes = 44;
const frameSamples = 800;
const frameSeconds = frameSamples / samplesPerSecond;
/** -60 dB of full scale in 16 bits. A recording of anything is louder. */
const silentPeak = 33;
/** What is 40 dB below the loud parts of a recording is its background. */
const quietShare = 0.01;
/** A pause within a sentence is shorter. */
const shortestQuietSeconds = 1;

/** Returns the highest sample of each 50 ms of a WAV file of 16,000 Hz, one channel and 16 bits. */
async function peaksOf(wav: string, signal: AbortSignal | undefined): Promise<number[]> {
	const peaks: number[] = [];
	let [odd, peak, samples] = [Buffer.alloc(0), 0, 0];
	for await (const chunk of createReadStream(wav, { start: wavHeaderBytes, signal }) as AsyncIterable<Buffer>) {
		const bytes = odd.length > 0 ? Buffer.concat([odd, chunk]) : chunk;
		const even = bytes.length - (bytes.length % 2);
		for (let at = 0; at < even; at += 2) {
			peak = Math.max(peak, Math.abs(bytes.readInt16LE(at)));
			samples += 1;
			if (samples < frameSamples) continue;
			peaks.push(peak);
			[peak, samples] = [0, 0];
		}
		odd = Buffer.from(bytes.subarray(even));
	}
	if (samples > 0) peaks.push(peak);
	return peaks;
}

/**
 * Returns the stretches of at least a second in which a recording is quiet: 40 dB below its loud parts, or silent. The
 * recording is a WAV file of 16,000 Hz, one channel and 16 bits.
 * @returns `null` if all of it is silence; a model would make up words for it
 * @throws the signal's reason when aborted, and an error when the file can't be read
 */
export async function quietStretches(wav: string, signal?: AbortSignal): Promise<Stretch[] | null> {
	const peaks = await peaksOf(wav, signal);
	const loud = Uint16Array.from(peaks).sort()[Math.floor(peaks.length * 0.95)] ?? 0;
	if (!peaks.some((peak) => peak >= silentPeak)) return null;
	const quiet: Stretch[] = [];
	let first = 0;
	const close = (end: number) => {
		const stretch = { startSeconds: first * frameSeconds, endSeconds: end * frameSeconds };
		if (stretch.endSeconds - stretch.startSeconds >= shortestQuietSeconds) quiet.push(stretch);
		first = end + 1;
	};
	for (const [n, peak] of peaks.entries()) if (peak >= Math.max(silentPeak, loud * quietShare)) close(n);
	close(peaks.length);
	return quiet;
}

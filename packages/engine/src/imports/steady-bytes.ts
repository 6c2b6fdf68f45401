import { type Bytes, ImportSourceError, type Stopwatch } from "../ports/index.ts";
import { within } from "../system/index.ts";

/** An origin has to send so many bytes in a minute of waiting for it. */
const leastBytes = 65_536;
const minuteMilliseconds = 60_000;

/** Settles as `work`, or rejects if the origin is silent for too long. */
export const unlessSilent = <T>(clock: Stopwatch, seconds: number, work: Promise<T>): Promise<T> =>
	within(clock, seconds * 1000, work, () => {
		throw new ImportSourceError("source_unavailable", `The origin sent nothing for ${seconds} s.`);
	});

/**
 * Yields the bytes, and throws if the origin falls silent or sends less than 64 KiB in a minute. Only the time counts in
 * which it was waited for.
 */
export async function* steady(
	bytes: Bytes,
	{ clock, silenceSeconds }: { readonly clock: Stopwatch; readonly silenceSeconds: number },
): AsyncGenerator<Uint8Array> {
	const iterator = bytes[Symbol.asyncIterator]();
	let [waited, came] = [0, 0];
	while (true) {
		const begunAt = clock.elapsed();
		const { done, value } = await unlessSilent(clock, silenceSeconds, iterator.next());
		if (done) return;
		waited += clock.elapsed() - begunAt;
		came += value.length;
		if (waited >= minuteMilliseconds) {
			if (came < leastBytes)
				throw new ImportSourceError("source_unavailable", "The origin sends less than 64 KiB in a minute.");
			[waited, came] = [0, 0];
		}
		yield value;
	}
}

/** Leaves out the first `count` bytes. */
export async function* after(count: number, bytes: Bytes): AsyncGenerator<Uint8Array> {
	let left = count;
	for await (const chunk of bytes) {
		if (chunk.length > left) yield chunk.subarray(left);
		left = Math.max(0, left - chunk.length);
	}
}

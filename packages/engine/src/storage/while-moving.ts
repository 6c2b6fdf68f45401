import { type Bytes, type Clock, StorageError } from "../ports/index.ts";

const tickMilliseconds = 1000;
const patienceTicks = 6;

/**
 * What `store` comes to with these bytes; a {@link StorageError} where for 6 s it neither takes the next of them,
 * though they are there, nor ends. The time that it waits for the bytes to come counts for nothing. Work that is given
 * up has its signal aborted, gets no more bytes, and goes on until its adapter ends it: `onLeft` is told of that.
 */
export async function whileMoving<T>(
	bytes: Bytes,
	clock: Clock,
	store: (bytes: Bytes, givenUp: AbortSignal) => Promise<T>,
	onLeft: (work: Promise<unknown>) => void = () => undefined,
): Promise<T> {
	const [over, givingUp] = [new AbortController(), new AbortController()];
	let moved = true;
	let waitsForBytes = false;
	const iterator = bytes[Symbol.asyncIterator]();
	const watched: Bytes = {
		[Symbol.asyncIterator]: () => ({
			async next() {
				givingUp.signal.throwIfAborted();
				waitsForBytes = true;
				try {
					return await iterator.next();
				} finally {
					[moved, waitsForBytes] = [true, false];
				}
			},
			async return() {
				await iterator.return?.();
				return { done: true, value: undefined };
			},
		}),
	};
	const watch = async (onSilent: (error: StorageError) => void): Promise<void> => {
		for (let idle = 0; idle < patienceTicks; ) {
			await clock.sleep(tickMilliseconds, over.signal);
			if (over.signal.aborted) return;
			idle = moved || waitsForBytes ? 0 : idle + 1;
			moved = false;
		}
		onSilent(new StorageError("unreachable", "The disk didn't answer in time"));
	};
	let ended = false;
	const work = store(watched, givingUp.signal).finally(() => {
		ended = true;
		over.abort();
	});
	try {
		return await Promise.race([work, new Promise<never>((_, reject) => void watch(reject))]);
	} catch (error) {
		if (!ended) {
			givingUp.abort(error);
			onLeft(work);
		}
		throw error;
	}
}

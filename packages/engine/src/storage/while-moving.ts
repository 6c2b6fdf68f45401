import { type Bytes, type Clock, StorageError } from "../ports/index.ts";
import { race } from "../system/index.ts";

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
	const givingUp = new AbortController();
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
	const silence = async (signal: AbortSignal): Promise<never> => {
		for (let idle = 0; idle < patienceTicks && !signal.aborted; ) {
			await clock.sleep(tickMilliseconds, signal);
			idle = moved || waitsForBytes ? 0 : idle + 1;
			moved = false;
		}
		throw new StorageError("unreachable", "The disk didn't answer in time");
	};
	let ended = false;
	const work = store(watched, givingUp.signal).finally(() => {
		ended = true;
	});
	try {
		return await race(work, silence);
	} catch (error) {
		if (!ended) {
			givingUp.abort(error);
			onLeft(work);
		}
		throw error;
	}
}

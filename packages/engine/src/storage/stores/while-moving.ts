import { type Bytes, type Clock, StorageError } from "../../ports/index.ts";
import { race } from "../../system/index.ts";

const tickMilliseconds = 1000;
const patienceTicks = 6;

/**
 * Settles as `store` does with these bytes, for as long as they move. The time that `store` waits for bytes to come
 * doesn't count. Work that is given up has its signal aborted, gets no more bytes, and goes on until its adapter ends
 * it: `onLeft` is told of it.
 *
 * @throws {StorageError} when for 6 s the store neither takes the next bytes, although they are there, nor ends.
 */
export async function whileMoving<T>(
	bytes: Bytes,
	clock: Clock,
	store: (bytes: Bytes, signal: AbortSignal) => Promise<T>,
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

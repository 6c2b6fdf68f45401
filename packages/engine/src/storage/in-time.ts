import { type Stopwatch, StorageError } from "../ports/index.ts";
import { within } from "../system/index.ts";

/** With what else one request does, this stays below the 10 s that a viewer, a HEAD or an operator waits at most. */
const answerMilliseconds = 6000;

/**
 * What `work` comes to, or a {@link StorageError} after 6 s: somebody waits for it. Work that is given up goes on until
 * its adapter ends it.
 */
export type InTime = <T>(work: Promise<T>) => Promise<T>;

export function createInTime(clock: Stopwatch): InTime {
	return (work) =>
		within(clock, answerMilliseconds, work, () => {
			throw new StorageError("unreachable", "The storage didn't answer in time");
		});
}

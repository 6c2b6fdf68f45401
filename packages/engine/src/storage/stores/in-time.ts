import { type Stopwatch, StorageError } from "../../ports/index.ts";
import { within } from "../../system/index.ts";

/**
 * With whatever else one request does, this stays below the 10 s that a viewer, a HEAD or an operator waits at most.
 */
const answerMilliseconds = 6000;

/**
 * Settles as `work` does, for work that somebody waits for. Work that is given up goes on until its adapter ends it.
 *
 * @throws {StorageError} when the work takes longer than 6 s.
 */
export type InTime = <T>(work: Promise<T>) => Promise<T>;

export function createInTime(clock: Stopwatch): InTime {
	return (work) =>
		within(clock, answerMilliseconds, work, () => {
			throw new StorageError("unreachable", "The storage didn't answer in time");
		});
}

import { type Stopwatch, unavailableIn } from "../ports/index.ts";

const pauseMilliseconds = 250;

/**
 * Does `work`, which others wait for: it gives something back, or tells what came of something. If the database fails
 * it, it is repeated four times a second, until it is done or `milliseconds` of the clock have passed. Then this rejects
 * with the last error, and others wait until what they wait for ends by itself. Any other error is thrown at once.
 */
export async function untilDone<T>(clock: Stopwatch, milliseconds: number, work: () => Promise<T>): Promise<T> {
	const begunAt = clock.elapsed();
	while (true) {
		try {
			return await work();
		} catch (error) {
			const isOver = clock.elapsed() - begunAt + pauseMilliseconds > milliseconds;
			if (isOver || unavailableIn(error) !== "database") throw error;
			await clock.sleep(pauseMilliseconds);
		}
	}
}

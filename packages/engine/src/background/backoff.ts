import { LRUCache } from "lru-cache";
import { atMost } from "../caches/index.ts";
import type { Stopwatch } from "../ports/index.ts";

/** Storages that failed, and are left alone for 5 s. Each further failure doubles the time, up to 5 min. */
export type Backoff = {
	/** Returns whether the storage is to be left alone now. */
	isHeld(id: string): boolean;
	/** Returns all storages that are to be left alone now. */
	held(): string[];
	failed(id: string): void;
	/** Ends the backoff: the next failure waits 5 s again. */
	worked(id: string): void;
};

const firstMilliseconds = 5000;
const longestMilliseconds = 300_000;

export function createBackoff(clock: Stopwatch): Backoff {
	const waits = new LRUCache<string, { until: number; milliseconds: number }>(atMost(10_000));
	const isHeld = (id: string): boolean => (waits.peek(id)?.until ?? 0) > clock.elapsed();
	return {
		isHeld,
		held: () => [...waits.keys()].filter(isHeld),
		failed(id) {
			const milliseconds = Math.min((waits.get(id)?.milliseconds ?? firstMilliseconds / 2) * 2, longestMilliseconds);
			waits.set(id, { until: clock.elapsed() + milliseconds, milliseconds });
		},
		worked: (id) => void waits.delete(id),
	};
}

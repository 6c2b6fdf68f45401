import { LRUCache } from "lru-cache";
import type { Stopwatch } from "../ports/index.ts";

/** Storages that failed and are left alone for a while: 5 s, doubled with each failure after that up to 5 min. */
export type Backoff = {
	isHeld(id: string): boolean;
	held(): string[];
	failed(id: string): void;
	worked(id: string): void;
};

const firstMilliseconds = 5000;
const longestMilliseconds = 300_000;

export function createBackoff(clock: Stopwatch): Backoff {
	const waits = new LRUCache<string, { until: number; milliseconds: number }>({ max: 10_000 });
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

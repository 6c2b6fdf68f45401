/**
 * Returns the options of an `LRUCache` of at most `max` entries that is empty at first. With the option `max` the
 * library makes room for all of them at once: 25 ms and 5 MB for the caches of an engine.
 */
export const atMost = (max: number): { maxSize: number; sizeCalculation: () => number } => ({
	maxSize: max,
	sizeCalculation: () => 1,
});

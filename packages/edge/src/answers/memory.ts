/** A small memory that forgets what was noted first. */
export function createMemory<Value>(max: number) {
	const known = new Map<string, Value>();
	return {
		get: (key: string): Value | undefined => known.get(key),
		/** Notes the value, and returns it. */
		set(key: string, value: Value): Value {
			const [oldest] = known.keys();
			if (oldest !== undefined && known.size >= max) known.delete(oldest);
			known.delete(key);
			known.set(key, value);
			return value;
		},
	};
}

/** Long enough that a flood of wrong keys doesn't reach the service. */
const briefMilliseconds = 2000;
/** What is noted may name a key of 5,000 characters, and a worker has 128 MB in all. */
const mostBrief = 2000;

/** A memory of 2,000 things that forgets after 2 s. */
export function createBriefMemory<Value>(monotonic: () => number) {
	const known = createMemory<{ readonly value: Value; readonly endsAt: number }>(mostBrief);
	return {
		get(key: string): Value | undefined {
			const found = known.get(key);
			return found !== undefined && found.endsAt > monotonic() ? found.value : undefined;
		},
		set: (key: string, value: Value): void => void known.set(key, { value, endsAt: monotonic() + briefMilliseconds }),
	};
}

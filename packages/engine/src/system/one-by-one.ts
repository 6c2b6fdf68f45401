/**
 * Creates a function that runs work on the same thing one by one, in order of arrival, and settles as the work does.
 * Work on other things doesn't wait for it. Other processes know nothing of it.
 */
export function createOneByOne(): <T>(thing: string, work: () => Promise<T>) => Promise<T> {
	const last = new Map<string, Promise<void>>();
	return async (thing, work) => {
		const before = last.get(thing);
		const result = before === undefined ? work() : before.then(work);
		const ended = result.then(
			() => undefined,
			() => undefined,
		);
		last.set(thing, ended);
		try {
			return await result;
		} finally {
			if (last.get(thing) === ended) last.delete(thing);
		}
	};
}

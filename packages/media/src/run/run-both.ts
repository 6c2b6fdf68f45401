/**
 * Runs all tasks at once and waits until all have ended. When one fails or `signal` aborts, the others are aborted.
 * Returns the results in the order of the tasks.
 * @throws the first failure, or the signal's reason; every task has ended by then
 */
export async function runAll<T>(
	tasks: readonly ((signal: AbortSignal) => Promise<T>)[],
	signal?: AbortSignal,
): Promise<T[]> {
	const stop = new AbortController();
	const all = signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]);
	const failing = (error: unknown) => {
		stop.abort(error);
		throw error;
	};
	const runs = tasks.map((task) => task(all).catch(failing));
	await Promise.allSettled(runs);
	all.throwIfAborted();
	return Promise.all(runs);
}

/** Runs two tasks at once, as {@link runAll} does, and returns both results. */
export async function runBoth<First, Second>(
	first: (signal: AbortSignal) => Promise<First>,
	second: (signal: AbortSignal) => Promise<Second>,
	signal?: AbortSignal,
): Promise<[First, Second]> {
	return (await runAll<First | Second>([first, second], signal)) as [First, Second];
}

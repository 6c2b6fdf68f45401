/**
 * Runs all tasks at once and waits for all. Once one fails, or `signal` aborts, the others are aborted and waited for;
 * rejects with what failed first.
 */
export async function together<T>(
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

/** Runs `side` beside `main`, as `together` does. */
export async function beside<Main, Side>(
	main: (signal: AbortSignal) => Promise<Main>,
	side: (signal: AbortSignal) => Promise<Side>,
	signal?: AbortSignal,
): Promise<[Main, Side]> {
	return (await together<Main | Side>([main, side], signal)) as [Main, Side];
}

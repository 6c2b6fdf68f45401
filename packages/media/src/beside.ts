/** Runs `side` beside `main` and waits for both. Once either fails, or `signal` aborts, the other is aborted and waited for; rejects with what failed first. */
export async function beside<Main, Side>(
	main: (signal: AbortSignal) => Promise<Main>,
	side: (signal: AbortSignal) => Promise<Side>,
	signal?: AbortSignal,
): Promise<[Main, Side]> {
	const stop = new AbortController();
	const both = signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]);
	const failing = (error: unknown) => {
		stop.abort(error);
		throw error;
	};
	const runs = [main(both).catch(failing), side(both).catch(failing)] as const;
	await Promise.allSettled(runs);
	both.throwIfAborted();
	return Promise.all(runs);
}

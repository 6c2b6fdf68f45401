/**
 * Works through items in their order, `atOnce` at a time. One that rejects stops the others by the signal that `work`
 * gets, which `signal` aborts as well. Rejects with its error, once all have ended.
 */
export async function workThrough<T extends object>(
	items: readonly T[],
	{ atOnce, signal }: { readonly atOnce: number; readonly signal: AbortSignal },
	work: (item: T, signal: AbortSignal) => Promise<void>,
): Promise<void> {
	const waiting = [...items].reverse();
	const stop = new AbortController();
	const either = AbortSignal.any([signal, stop.signal]);
	const lane = async () => {
		for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) await work(item, either);
	};
	const lanes = Array.from({ length: atOnce }, () =>
		lane().catch((error: unknown) => {
			waiting.length = 0;
			stop.abort(error);
			throw error;
		}),
	);
	await Promise.allSettled(lanes);
	await Promise.all(lanes);
}

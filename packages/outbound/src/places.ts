/** Work that takes a place each, of which there is a number. */
export type Places = {
	/**
	 * Runs `work` once it has a place, and gives what that gives. Its signal aborts with `signal`, and where another
	 * needs the place and no work has held one for longer; then, and where it still waits when `signal` aborts, it
	 * rejects with a TimeoutError, whatever the work does.
	 */
	hold<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
};

type Held = { readonly since: number; readonly giveWay: AbortController };

/**
 * At most `most` places; whoever has held one for `yieldMilliseconds` gives way to those who wait, the longest first.
 */
export function createPlaces({ most, yieldMilliseconds }: { most: number; yieldMilliseconds: number }): Places {
	/** In the order in which they were taken. */
	const held = new Set<Held>();
	const waiting = new Set<() => void>();
	let timer: NodeJS.Timeout | undefined;

	const enter = (): Held => {
		const own = { since: performance.now(), giveWay: new AbortController() };
		held.add(own);
		return own;
	};
	const admit = (): void => {
		clearTimeout(timer);
		for (const next of waiting) {
			if (held.size < most) {
				waiting.delete(next);
				next();
				continue;
			}
			const [oldest] = held;
			if (oldest === undefined) return;
			const left = oldest.since + yieldMilliseconds - performance.now();
			if (left > 0) {
				timer = setTimeout(admit, Math.ceil(left));
				return;
			}
			leave(oldest);
			oldest.giveWay.abort(timeout());
			waiting.delete(next);
			next();
		}
	};
	const leave = (own: Held): void => {
		held.delete(own);
	};
	const wait = (signal: AbortSignal): Promise<Held> =>
		new Promise((resolve, reject) => {
			const next = () => {
				signal.removeEventListener("abort", onAbort);
				resolve(enter());
			};
			const onAbort = () => {
				waiting.delete(next);
				reject(signal.reason);
			};
			signal.addEventListener("abort", onAbort, { once: true });
			waiting.add(next);
			admit();
		});

	return {
		async hold(signal, work) {
			signal.throwIfAborted();
			const own = held.size < most && waiting.size === 0 ? enter() : await wait(signal);
			const { promise: over, reject } = Promise.withResolvers<never>();
			const stop = AbortSignal.any([signal, own.giveWay.signal]);
			const onStop = () => reject(stop.reason);
			stop.addEventListener("abort", onStop, { once: true });
			try {
				return await Promise.race([work(stop), over]);
			} finally {
				stop.removeEventListener("abort", onStop);
				leave(own);
				admit();
			}
		},
	};
}

const timeout = (): DOMException => new DOMException("Another name needs the place", "TimeoutError");

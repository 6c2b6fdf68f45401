/** A bounded number of slots, each of which one piece of work holds while it runs. */
export type WorkSlots = {
	/**
	 * Runs `work` once it has a slot, and returns its result. The signal that `work` gets aborts with `signal`, and when
	 * other work needs the slot and no work has held one for longer. In both cases, and if `signal` aborts before there
	 * is a slot, this rejects with a TimeoutError, whatever the work does.
	 */
	run<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
};

type Held = { readonly since: number; readonly giveWay: AbortController };

/**
 * Makes `most` slots. Work that has held one for `yieldMilliseconds` gives way to work that waits, the oldest first.
 */
export function createWorkSlots({ most, yieldMilliseconds }: { most: number; yieldMilliseconds: number }): WorkSlots {
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
		async run(signal, work) {
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

const timeout = (): DOMException => new DOMException("Another name needs the slot", "TimeoutError");

import { ConnectionError } from "./connection-error.ts";

/** How often it is looked whether the machine slept, and the gap that says so. */
const lookMilliseconds = 5000;
const sleptMilliseconds = 20_000;

export type StallWatch = {
	/** Aborts with a ConnectionError when nothing has moved for too long, and with the outer signal. */
	readonly signal: AbortSignal;
	/** Says that something has moved. */
	moved(): void;
	/** Ends the watch. */
	end(): void;
};

/**
 * Watches that something moves. A machine that slept has lost its connections and often isn't told: after a gap in time
 * something must move within five seconds.
 */
export function watchForStall(stallSeconds: number, outer: AbortSignal | undefined): StallWatch {
	const stalled = new AbortController();
	let timer: ReturnType<typeof setTimeout> | undefined;
	let looked = Date.now();
	const within = (milliseconds: number) => {
		clearTimeout(timer);
		timer = setTimeout(() => {
			const message = `The upload did not move for ${milliseconds / 1000} s.`;
			stalled.abort(new ConnectionError("timeout", message, { cause: undefined }));
		}, milliseconds);
	};
	const looking = setInterval(() => {
		const before = looked;
		looked = Date.now();
		if (looked - before > sleptMilliseconds) within(Math.min(lookMilliseconds, stallSeconds * 1000));
	}, lookMilliseconds);
	const abort = () => stalled.abort(outer?.reason);
	outer?.addEventListener("abort", abort, { once: true });
	if (outer?.aborted) abort();
	within(stallSeconds * 1000);
	return {
		signal: stalled.signal,
		moved: () => within(stallSeconds * 1000),
		end() {
			clearTimeout(timer);
			clearInterval(looking);
			outer?.removeEventListener("abort", abort);
		},
	};
}

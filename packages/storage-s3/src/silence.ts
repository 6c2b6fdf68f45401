export type Silence = {
	/** Aborts, as if a connection had timed out, once nothing has moved for so long. */
	readonly signal: AbortSignal;
	/** Something has: the time begins anew. */
	moved(): void;
	/** It doesn't matter any more. */
	end(): void;
};

/** Listens for `milliseconds` of silence, from now on. */
export function createSilence(milliseconds: number): Silence {
	const over = new AbortController();
	let isOver = false;
	let moves = 0;
	// In a process that was starved or stopped itself, timers come before the answers that lie there to be read.
	const giveUp = () => {
		const before = moves;
		setImmediate(() => setImmediate(() => isOver || moves !== before || over.abort(timedOut())));
	};
	const timer = setTimeout(giveUp, milliseconds);
	return {
		signal: over.signal,
		moved() {
			moves++;
			if (!isOver) timer.refresh();
		},
		end() {
			isOver = true;
			clearTimeout(timer);
		},
	};
}

export const timedOut = (): Error =>
	Object.assign(new Error("The server didn't answer in time"), { code: "ETIMEDOUT" });

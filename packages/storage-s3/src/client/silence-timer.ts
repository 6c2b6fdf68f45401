export type SilenceTimer = {
	/** Aborts with a timeout once nothing has moved for the given time. */
	readonly signal: AbortSignal;
	/** Restarts the time, because something has moved. */
	moved(): void;
	/** Stops the timer. */
	end(): void;
};

/** Starts a timer that aborts after `milliseconds` without a move. */
export function createSilenceTimer(milliseconds: number): SilenceTimer {
	const over = new AbortController();
	let isOver = false;
	let moves = 0;
	// After a process was starved or stopped, its timers run before the answers that already wait to be read.
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

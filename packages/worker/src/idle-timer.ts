/** Calls `onIdle` when it was not touched for so long. */
export function idleTimer(milliseconds: number, onIdle: () => void): { touch(): void; stop(): void } {
	let timer = setTimeout(onIdle, milliseconds);
	return {
		touch() {
			clearTimeout(timer);
			timer = setTimeout(onIdle, milliseconds);
		},
		stop: () => clearTimeout(timer),
	};
}

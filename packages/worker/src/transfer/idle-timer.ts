/** Calls `onIdle` once so many milliseconds have passed since the last `touch`. */
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

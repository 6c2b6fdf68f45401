const windowSeconds = 6;

/**
 * Measures bytes per second over the last six seconds. `add` takes the total so far and returns the speed; null while
 * too little is known. If the total falls because bytes were lost, the measurement begins again.
 */
export function createSpeedometer(now: () => number = () => performance.now()): { add(bytes: number): number | null } {
	let marks: { at: number; bytes: number }[] = [];
	return {
		add(bytes) {
			const at = now() / 1000;
			if (bytes < (marks.at(-1)?.bytes ?? 0)) marks = [];
			marks = [...marks.filter((mark) => at - mark.at <= windowSeconds), { at, bytes }];
			const first = marks[0];
			return first === undefined || at - first.at < 0.25 ? null : (bytes - first.bytes) / (at - first.at);
		},
	};
}

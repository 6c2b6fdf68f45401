const windowSeconds = 6;

/**
 * Bytes per second over the last six seconds. `add` takes the total so far and gives the speed, or null while there is
 * too little to tell. A total that goes back (bytes that were lost and are sent again) starts the measurement anew.
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

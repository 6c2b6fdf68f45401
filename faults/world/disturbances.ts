import type { Disturbance } from "../history/entries.ts";
import type { History } from "../history/history.ts";

/** Records what the driver has broken, from `begin` until the function that it returns is called. */
export function createDisturbances(history: History) {
	let last = 0;
	return {
		begin(disturbance: Disturbance): () => void {
			const id = ++last;
			history.add({ kind: "begins", id, disturbance });
			let ended = false;
			return () => {
				if (!ended) history.add({ kind: "ends", id });
				ended = true;
			};
		},
	};
}
export type Disturbances = ReturnType<typeof createDisturbances>;

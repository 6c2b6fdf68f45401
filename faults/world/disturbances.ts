import type { Disturbance } from "../history/entries.ts";
import type { History } from "../history/history.ts";

/** Writes down what is wrong by our own doing, from `begin` to the end that it answers. */
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

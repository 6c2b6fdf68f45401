import type { History } from "../history/history.ts";

/** What was opened, to be closed in the opposite order. */
export type Closing = {
	/** Adds a function that closes something. */
	add(close: () => Promise<unknown>): void;
	/** Waits until something is open, and adds its `close`. */
	opened<T extends { close(): Promise<unknown> }>(opening: Promise<T>): Promise<T>;
	/** Closes everything. Calling it twice closes nothing twice. A failure is recorded, and the others are closed. */
	close(): Promise<void>;
};

export function createClosing(history: History): Closing {
	const closers: (() => Promise<unknown>)[] = [];
	return {
		add: (close) => void closers.push(close),
		async opened(opening) {
			const part = await opening;
			closers.push(() => part.close());
			return part;
		},
		async close() {
			while (closers.length > 0)
				await closers
					.pop()?.()
					.catch((error: unknown) => history.add({ kind: "noted", text: `could not be closed: ${error}` }));
		},
	};
}

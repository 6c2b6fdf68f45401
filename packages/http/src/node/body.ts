import type { IncomingMessage } from "node:http";

/** A request body that did not come whole: its client went away, or sent nothing for too long. */
export class BodyInterrupted extends Error {
	override readonly name = "BodyInterrupted";
}

const events = ["readable", "end", "error", "close"] as const;

/**
 * The body's bytes as they come. Throws {@link BodyInterrupted} when the client goes away, or sends nothing for `idleMilliseconds`:
 * a limit on pauses and not on the whole, so that a steady slow upload lives. Leaving the iteration early leaves the request open, so it can be answered.
 */
export async function* bodyOf(request: IncomingMessage, idleMilliseconds: number): AsyncGenerator<Uint8Array> {
	let wake = () => {};
	const changed = () => wake();
	for (const event of events) request.on(event, changed);
	const somethingHappens = () =>
		new Promise<boolean>((resolve) => {
			const timer = setTimeout(() => resolve(false), idleMilliseconds);
			wake = () => {
				clearTimeout(timer);
				resolve(true);
			};
		});
	try {
		while (true) {
			const chunk: Uint8Array | null = request.read();
			if (chunk !== null) yield chunk;
			else if (request.readableEnded) return;
			else if (request.destroyed) throw new BodyInterrupted("The client went away.");
			else if (!(await somethingHappens())) throw new BodyInterrupted("The body stopped coming.");
		}
	} finally {
		for (const event of events) request.off(event, changed);
	}
}

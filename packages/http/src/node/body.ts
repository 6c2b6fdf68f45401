import type { IncomingMessage } from "node:http";

/** A request body that did not come whole: its client went away, or sent nothing for too long. */
export class BodyInterrupted extends Error {
	override readonly name = "BodyInterrupted";
}

const events = ["readable", "end", "error", "close"] as const;
/** Bytes of a client that is gone lie in the system's buffers for the next read. */
const lastReadMilliseconds = 10;

/**
 * Gives a chunk's memory back at once, for a body's reader that is done with it; one that shares its memory with others
 * is left. The garbage collector, which counts that memory but finds little else to free, would go through the whole
 * heap eight times in 200 MB.
 */
export function freeChunk({ buffer, byteLength }: Uint8Array): void {
	if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

/**
 * The body's bytes as they come, each chunk the caller's to keep or to free. Throws {@link BodyInterrupted} when the
 * client goes away, or sends nothing for `idleMilliseconds`: a limit on pauses and not on the whole, so that a steady
 * slow upload lives. So it does shortly after `letGo` aborts, with what had arrived by then: because another asks for
 * what this request holds, or its time is up. Leaving the iteration early leaves the request open, so it can be
 * answered.
 */
export async function* bodyOf(
	request: IncomingMessage,
	idleMilliseconds: number,
	letGo?: AbortSignal,
): AsyncGenerator<Uint8Array> {
	let wake = () => {};
	const changed = () => wake();
	let isOver = false;
	let lastRead: NodeJS.Timeout | undefined;
	const onLetGo = () => {
		lastRead = setTimeout(() => {
			isOver = true;
			changed();
		}, lastReadMilliseconds);
	};
	if (letGo?.aborted) onLetGo();
	else letGo?.addEventListener("abort", onLetGo, { once: true });
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
			if (isOver)
				throw new BodyInterrupted(
					letGo?.reason?.name === "TimeoutError"
						? "The body took too long."
						: "Another request asks for what this one holds.",
				);
			const chunk: Uint8Array | null = request.read();
			if (chunk !== null) yield chunk;
			else if (request.readableEnded) return;
			else if (request.destroyed) throw new BodyInterrupted("The client went away.");
			else if (!(await somethingHappens())) throw new BodyInterrupted("The body stopped coming.");
		}
	} finally {
		clearTimeout(lastRead);
		letGo?.removeEventListener("abort", onLetGo);
		for (const event of events) request.off(event, changed);
	}
}

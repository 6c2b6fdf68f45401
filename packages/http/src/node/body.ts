import type { IncomingMessage } from "node:http";

/** Thrown when a request's body does not arrive whole: its client left, or sent nothing for too long. */
export class BodyInterrupted extends Error {
	override readonly name = "BodyInterrupted";
}

const events = ["readable", "end", "error", "close"] as const;
/** How long bytes that have already arrived may take from the system's buffers to the next read. */
const lastReadMilliseconds = 10;

/**
 * Frees the memory of a chunk that is no longer needed. Does nothing if the chunk shares its memory with others.
 * Without it the garbage collector, which counts this memory but finds little else to free, goes through the whole heap
 * eight times in 200 MB.
 */
export function freeChunk({ buffer, byteLength }: Uint8Array): void {
	if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

/**
 * Yields the body's bytes as they arrive. Each chunk belongs to the caller, who may keep or free it. The limit is on
 * pauses, not on the whole body, so that a slow but steady upload succeeds. If the caller stops early, the request
 * stays open and can still be answered.
 *
 * @throws {BodyInterrupted} when the client leaves, or sends nothing for `idleMilliseconds`. Also shortly after
 * `signal` aborts, once the bytes that had arrived are yielded: another request needs what this one holds, or its time
 * is over.
 */
export async function* bodyOf(
	request: IncomingMessage,
	idleMilliseconds: number,
	signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
	let wake = () => {};
	const changed = () => wake();
	let isOver = false;
	let lastRead: NodeJS.Timeout | undefined;
	const onAbort = () => {
		lastRead = setTimeout(() => {
			isOver = true;
			changed();
		}, lastReadMilliseconds);
	};
	if (signal?.aborted) onAbort();
	else signal?.addEventListener("abort", onAbort, { once: true });
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
					signal?.reason?.name === "TimeoutError"
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
		signal?.removeEventListener("abort", onAbort);
		for (const event of events) request.off(event, changed);
	}
}

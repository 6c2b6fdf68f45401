import type { Bytes } from "./object-storage.ts";

/**
 * Reads `bytes` one chunk at a time. `next` rejects as soon as `signal` aborts, even if the source hangs.
 *
 * @example
 * ```ts
 * import { interruptible } from "@reelmill/engine";
 *
 * const stop = new AbortController();
 * async function* source() {
 * 	yield Buffer.from("first");
 * 	await new Promise(() => undefined); // hangs
 * }
 * const chunks = interruptible(source(), stop.signal);
 * console.log(String((await chunks.next()).value)); // => first
 * setImmediate(() => stop.abort(new Error("stopped")));
 * await chunks.next().catch((error) => console.log(error.message)); // => stopped
 * chunks.leave();
 * ```
 */
export function interruptible(
	bytes: Bytes,
	signal: AbortSignal | undefined,
): { next(): Promise<IteratorResult<Uint8Array>>; leave(): void } {
	const iterator = bytes[Symbol.asyncIterator]();
	let interrupt: ((reason: unknown) => void) | undefined;
	const onAbort = () => interrupt?.(signal?.reason);
	signal?.addEventListener("abort", onAbort, { once: true });
	return {
		next: () =>
			new Promise((resolve, reject) => {
				if (signal?.aborted) return reject(signal.reason);
				interrupt = reject;
				iterator.next().then(resolve, reject);
			}),
		/** Lets the source free what it holds. It is not awaited, because a generator that hangs would never return. */
		leave() {
			signal?.removeEventListener("abort", onAbort);
			Promise.resolve(iterator.return?.()).catch(() => {});
		},
	};
}

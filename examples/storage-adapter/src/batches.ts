import type { Bytes } from "@reelmill/engine/ports";

const batchBytes = 1024 * 1024;

/**
 * Hands `bytes` to `each` in batches of about a megabyte, all that came before it answers. It answers why they ended
 * early (they threw, or `signal` aborted, which is heeded while they hang, too), or null where they came to their end.
 * Rejects when `each` throws.
 */
export async function takeBatches(
	bytes: Bytes,
	signal: AbortSignal | undefined,
	each: (batch: Buffer) => void,
): Promise<{ readonly reason: unknown } | null> {
	const iterator = bytes[Symbol.asyncIterator]();
	let interrupt: (reason: unknown) => void = () => {};
	const onAbort = () => interrupt(signal?.reason);
	signal?.addEventListener("abort", onAbort);
	// A promise of its own for each step: racing all of them against one promise of the signal would keep every chunk in
	// memory until the end.
	const next = () =>
		new Promise<IteratorResult<Uint8Array>>((resolve, reject) => {
			if (signal?.aborted) return reject(signal.reason);
			interrupt = reject;
			iterator.next().then(resolve, reject);
		});

	let parts: Uint8Array[] = [];
	let length = 0;
	const flush = () => {
		if (length > 0) each(Buffer.concat(parts));
		parts = [];
		length = 0;
	};
	try {
		for (;;) {
			const step = await next().catch((reason: unknown) => ({ reason }));
			if ("reason" in step || step.done) {
				flush();
				return "reason" in step ? step : null;
			}
			parts.push(step.value);
			length += step.value.length;
			if (length >= batchBytes) flush();
		}
	} finally {
		signal?.removeEventListener("abort", onAbort);
		// Not awaited: a source that hangs would never answer.
		void Promise.resolve(iterator.return?.()).catch(() => {});
	}
}

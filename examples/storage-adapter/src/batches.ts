import type { Bytes } from "@reelmill/engine/ports";

const batchBytes = 1024 * 1024;

/**
 * Passes `bytes` to `each` in batches of about a megabyte. Everything that came is passed on before it resolves.
 * Resolves with the reason why the bytes ended early (they threw, or `signal` aborted, even while they hang), or with
 * null if they came to their end. Rejects if `each` throws.
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
	// Each step has a promise of its own. Racing all steps against one promise of the signal would keep every chunk in
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

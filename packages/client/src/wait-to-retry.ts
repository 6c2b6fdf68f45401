/**
 * Waits for some seconds. In a browser it ends at once when the browser is online again, and not before that.
 * @throws the signal's reason when the wait was aborted
 */
export async function waitToRetry(seconds: number, signal: AbortSignal | undefined): Promise<void> {
	signal?.throwIfAborted();
	const waited = new AbortController();
	try {
		await new Promise<void>((resolve, reject) => {
			const once = { once: true, signal: waited.signal };
			const timer = setTimeout(() => {
				if (globalThis.navigator?.onLine !== false) resolve();
			}, seconds * 1000);
			waited.signal.addEventListener("abort", () => clearTimeout(timer));
			signal?.addEventListener("abort", () => reject(signal.reason), once);
			if (typeof globalThis.addEventListener === "function")
				globalThis.addEventListener("online", () => resolve(), once);
		});
	} finally {
		waited.abort();
	}
}

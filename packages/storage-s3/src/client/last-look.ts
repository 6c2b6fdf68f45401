/**
 * Makes the signal that ends every question asked of a bucket after a request has failed. It aborts `milliseconds`
 * after the first call; every call returns the same signal. Together with the client's `progressMilliseconds`, a caller
 * that stores bytes then waits less than 10 s.
 */
export function createLastLook(milliseconds: number): () => AbortSignal {
	let looking: AbortSignal | undefined;
	return () => {
		looking ??= AbortSignal.timeout(milliseconds);
		return looking;
	};
}

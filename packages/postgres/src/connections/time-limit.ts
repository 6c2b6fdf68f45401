/** Returns what `promise` resolves with, or rejects with `code` after `milliseconds`; `promise` itself goes on. */
export async function withTimeLimit<T>(
	milliseconds: number,
	promise: PromiseLike<T>,
	code: "CONNECT_TIMEOUT" | "ETIMEDOUT",
): Promise<T> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<never>((_, reject) => {
		const giveUp = () => reject(Object.assign(new Error("no answer came in time"), { code }));
		// After a process was starved or stopped, its timers run before the answers that already wait to be read.
		timer = setTimeout(() => setImmediate(() => setImmediate(giveUp)), milliseconds);
	});
	return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

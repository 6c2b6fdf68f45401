/** What `promise` comes to, or after so long a rejection with `code`; `promise` goes on. */
export async function within<T>(
	milliseconds: number,
	promise: PromiseLike<T>,
	code: "CONNECT_TIMEOUT" | "ETIMEDOUT",
): Promise<T> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<never>((_, reject) => {
		const giveUp = () => reject(Object.assign(new Error("no answer came in time"), { code }));
		// In a process that was starved or stopped itself, timers come before the answers that lie there to be read.
		timer = setTimeout(() => setImmediate(() => setImmediate(giveUp)), milliseconds);
	});
	return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/**
 * Load this before a server's program: it answers each message of its parent with the memory that is used after garbage
 * collection.
 */
export type Memory = { readonly heapBytes: number; readonly externalBytes: number; readonly residentBytes: number };

const collect = (globalThis as { gc?: () => void }).gc;

process.on("message", () => {
	collect?.();
	setTimeout(() => {
		collect?.();
		const { heapUsed, external, rss } = process.memoryUsage();
		process.send?.({ heapBytes: heapUsed, externalBytes: external, residentBytes: rss } satisfies Memory);
	}, 200);
});
process.channel?.unref();

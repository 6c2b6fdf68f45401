/** Takes a lock alone, takes it together with other sharers, or releases it. */
export type LockOperation = "exclusive" | "shared" | "unlock";

/**
 * Locks an open file by its descriptor, without waiting. Returns null on success, otherwise the error's name, such as
 * `EWOULDBLOCK` if another process holds the lock.
 */
export type Flock = (descriptor: number, operation: LockOperation) => string | null;

/** The numbers are the same on Linux and macOS. */
const withoutWaiting = 4;
const operations: Readonly<Record<LockOperation, number>> = {
	shared: 1 | withoutWaiting,
	exclusive: 2 | withoutWaiting,
	unlock: 8,
};

/** Returns this system's flock(2). If it can't be called, rejects with an error that says what to do. */
export async function openFlock(): Promise<Flock> {
	try {
		const { default: koffi } = await import("koffi");
		const flock = koffi.load(null).func("int flock(int descriptor, int operation)");
		const names = new Map(Object.entries(koffi.os.errno).map(([name, number]) => [number, name]));
		// Another name of the same number.
		names.set(koffi.os.errno.EAGAIN as number, "EWOULDBLOCK");
		return (descriptor, operation) =>
			flock(descriptor, operations[operation]) === 0 ? null : (names.get(koffi.errno()) ?? `error ${koffi.errno()}`);
	} catch (cause) {
		throw new Error(
			`Files can't be locked: the package koffi has no binary for ${process.platform}-${process.arch}, or it was not installed.`,
			{ cause },
		);
	}
}

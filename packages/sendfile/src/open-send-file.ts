import { createIsResident } from "./residency.ts";

/**
 * Sends `length` bytes of an open file, from `position` on, to a connection. Both are given by their descriptors.
 * Returns how many bytes the system took.
 *
 * It never throws, and never waits for the connection or a disk. It returns fewer bytes if the connection is full, and
 * 0 if not all of the bytes are in the system's memory or something is wrong. Both descriptors must be open during the
 * call, and the connection's must be non-blocking, as Node's are.
 */
export type SendFile = (connection: number, file: number, position: number, length: number) => number;

/**
 * Opens this system's sendfile(2); returns null if it isn't available: not Linux, a Linux before 6.5, a sandbox that
 * forbids cachestat(2), or no binary of koffi for the processor.
 *
 * @example
 * ```ts
 * import { openSendFile } from "@reelmill/sendfile";
 *
 * const sendFile = await openSendFile();
 * console.log(sendFile === null || sendFile(-1, -1, 0, 1) === 0); // => true
 * ```
 */
export async function openSendFile(): Promise<SendFile | null> {
	if (process.platform !== "linux") return null;
	const koffi = await import("koffi").catch(() => null);
	if (koffi === null) return null;
	const program = koffi.default.load(null);
	const isResident = createIsResident(program);
	if (isResident === null) return null;
	const sendfile = program.func("intptr_t sendfile(int connection, int file, int64_t *offset, size_t count)");
	const offset = new BigInt64Array(1);
	return (connection, file, position, length) => {
		if (length <= 0 || !isResident(file, position, length)) return 0;
		offset[0] = BigInt(position);
		return Math.max(0, Number(sendfile(connection, file, offset, length)));
	};
}

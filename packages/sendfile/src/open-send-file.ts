import { createIsResident } from "./residency.ts";

/**
 * Sends `length` bytes of an open file from `position` on to a connection, each given by its descriptor, and answers
 * how many the system took. It never throws, and never waits for the connection or for a disk: where the connection is
 * full, fewer; where not all of the bytes are in the system's memory, or something is wrong, 0. Both descriptors must
 * be open while it is called, and the connection's non-blocking, as those of Node are.
 */
export type SendFile = (connection: number, file: number, position: number, length: number) => number;

/**
 * sendfile(2) of this system; null where it is not to be had: not Linux, a Linux before 6.5, a sandbox that forbids
 * cachestat(2), or no binary of koffi for the processor.
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

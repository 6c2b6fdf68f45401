import { readSync, writeSync } from "node:fs";
import type { SendFile } from "@reelmill/http";

/**
 * Keeps what SendFile promises, without the system's call, on every system: takes at most `most` bytes at a time, and
 * now and then none, as from a file that isn't in memory.
 */
export function sendingLittle(most = 100_000): SendFile & { readonly sent: () => number } {
	const bytes = Buffer.alloc(most);
	let [calls, sum] = [0, 0];
	const sendFile: SendFile = (connection, file, position, length) => {
		if (++calls % 5 === 0) return 0;
		try {
			const count = writeSync(connection, bytes, 0, readSync(file, bytes, 0, Math.min(length, most), position));
			sum += count;
			return count;
		} catch {
			return 0;
		}
	};
	return Object.assign(sendFile, { sent: () => sum });
}

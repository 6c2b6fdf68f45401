/** Memory that files are read into on their way to a client. */
export type ReadBuffers = {
	/** Returns a buffer for one answer. It may hold old bytes. */
	take(): Buffer;
	/** Takes back a buffer of `take`. Nothing may read from the buffer any more. */
	give(buffer: Buffer): void;
};

const wholeBytes = 512 * 1024;
/** Enough for a viewer that pauses. */
export const smallBytes = 64 * 1024;

/**
 * Creates the buffers of a server. The first `wholes` answers at a time get 512 KiB each, and each further one 64 KiB:
 * if there are more, most of them belong to viewers that pause, and pausing should cost little memory.
 */
export function createReadBuffers(wholes = 64): ReadBuffers {
	const free: Buffer[] = [];
	let taken = 0;
	return {
		take() {
			if (taken >= wholes) return Buffer.allocUnsafeSlow(smallBytes);
			taken++;
			return free.pop() ?? Buffer.allocUnsafeSlow(wholeBytes);
		},
		give(buffer) {
			if (buffer.length !== wholeBytes) return;
			taken--;
			free.push(buffer);
		},
	};
}

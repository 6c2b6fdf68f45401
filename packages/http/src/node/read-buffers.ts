/** Memory that answers are read into on their way out. */
export type ReadBuffers = {
	/** A buffer for one answer at a time. Its bytes are what they were. */
	take(): Buffer;
	/** Gives back what `take` gave, once nothing reads from it any more. */
	give(buffer: Buffer): void;
};

const wholeBytes = 512 * 1024;
/** As many as a viewer that pauses need hold. */
export const smallBytes = 64 * 1024;

/**
 * Of so many answers each has a buffer of 512 KiB; of more, which are mostly viewers that pause, each further one has
 * 64 KiB, so that pausing costs little.
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

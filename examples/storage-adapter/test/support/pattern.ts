const period = 251;

/** The byte at a position is the position modulo a prime, so that a byte in a wrong place shows. */
export const patternOf = (start: number, length: number): Buffer =>
	Buffer.from(Uint8Array.from({ length }, (_, index) => (start + index) % period));

export async function* pattern(start: number, length: number): AsyncGenerator<Uint8Array> {
	yield patternOf(start, length);
}

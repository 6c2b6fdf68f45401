const pieces = 16;
const pieceBytes = 64 * 1024;

/**
 * Tells a file by its size and by 1 MiB of its bytes, spread over all of it, so that the same file is known again after
 * a reload, whatever the picker calls it. Not a cryptographic hash: `crypto.subtle` is missing on plain http, and
 * nobody gains by making their own two files collide.
 * @throws the platform's error where the file can't be read
 */
export async function fingerprint(file: Blob): Promise<string> {
	const step = Math.max(pieceBytes, (file.size - pieceBytes) / (pieces - 1));
	const starts = Array.from({ length: pieces }, (_, index) => Math.floor(index * step)).filter(
		(start) => start < file.size,
	);
	const samples = await Promise.all(
		starts.map(async (start) => new Uint8Array(await file.slice(start, start + pieceBytes).arrayBuffer())),
	);
	return `${file.size}-${hash(samples, 0x811c9dc5)}${hash(samples, 0x01000193)}`;
}

/** FNV-1a, 32 bits, as eight hex digits. */
function hash(samples: Uint8Array[], seed: number): string {
	let value = seed;
	for (const sample of samples) for (const byte of sample) value = Math.imul(value ^ byte, 0x01000193);
	return (value >>> 0).toString(16).padStart(8, "0");
}

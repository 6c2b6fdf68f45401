const pieces = 16;
const pieceBytes = 64 * 1024;

/**
 * Makes a name of a file from its size, the name and time that the system gives it, and 1 MiB of its bytes, spread over
 * the file, so that the same file is recognised after a reload. A file that was edited in place has another time. It is
 * no cryptographic hash: `crypto.subtle` is missing on plain http, and nobody gains from two files of their own with
 * the same name.
 * @throws the platform's error when the file can't be read
 */
export async function fingerprint(file: Blob): Promise<string> {
	const step = Math.max(pieceBytes, (file.size - pieceBytes) / (pieces - 1));
	const starts = Array.from({ length: pieces }, (_, index) => Math.floor(index * step)).filter(
		(start) => start < file.size,
	);
	const { name = "", lastModified = 0 } = file as Partial<File>;
	const samples = await Promise.all([
		new TextEncoder().encode(`${name}\n${lastModified}\n`),
		...starts.map(async (start) => new Uint8Array(await file.slice(start, start + pieceBytes).arrayBuffer())),
	]);
	return `${file.size}-${hash(samples, 0x811c9dc5)}${hash(samples, 0x01000193)}`;
}

/** Computes the 32-bit FNV-1a hash as eight hex digits. */
function hash(samples: Uint8Array[], seed: number): string {
	let value = seed;
	for (const sample of samples) for (const byte of sample) value = Math.imul(value ^ byte, 0x01000193);
	return (value >>> 0).toString(16).padStart(8, "0");
}

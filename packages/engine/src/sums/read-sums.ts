const line = /^([0-9a-f]{64}) {2}([A-Za-z0-9._/-]{1,512})$/;

/**
 * Reads a file of sums: SHA-256 in hexadecimal by path. Returns `null` if the text isn't what `renderOutputSums` writes.
 * Pure.
 */
export function readSums(text: string): ReadonlyMap<string, string> | null {
	const sums = new Map<string, string>();
	for (const each of text.replace(/\n$/, "").split("\n")) {
		const [, sum, path] = line.exec(each) ?? [];
		if (sum === undefined || path === undefined || sums.has(path)) return null;
		sums.set(path, sum);
	}
	return sums;
}

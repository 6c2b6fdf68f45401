import { open } from "node:fs/promises";

/** The most bytes in front of the object that has the length. */
const mostHeaderBytes = 65_536;

/** The identifier of the File Properties Object. */
const fileProperties = Buffer.from("a1dcab8c47a9cf118ee400c00c205365", "hex");

/** The first bit of the flags. It says that the length was not known when the header was written. */
const broadcast = 1;

/**
 * Reads the length in the header of an ASF or WMV; `null` if it has none, as that of a broadcast. ffprobe believes this
 * length only if the file is as large as its header says, which a file that was cut off isn't.
 */
export async function asfSeconds(path: string): Promise<number | null> {
	const file = await open(path);
	try {
		const bytes = Buffer.alloc(mostHeaderBytes);
		const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
		const at = bytes.indexOf(fileProperties);
		if (at < 0 || at + 92 > bytesRead || (bytes.readUInt32LE(at + 88) & broadcast) !== 0) return null;
		// Units of 100 ns, and of milliseconds. A player waits for the second before it begins.
		const seconds = Number(bytes.readBigUInt64LE(at + 64)) / 1e7 - Number(bytes.readBigUInt64LE(at + 80)) / 1000;
		return seconds > 0 ? seconds : null;
	} finally {
		await file.close();
	}
}

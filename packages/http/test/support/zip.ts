import { ZipFile } from "yazl";

export type ZipContents = Record<string, string | Uint8Array | { bytes: string; mode: number }>;

/** A well-formed archive of these files. */
export async function zipOf(files: ZipContents): Promise<Buffer> {
	const zip = new ZipFile();
	for (const [name, value] of Object.entries(files)) {
		const { bytes, mode } = typeof value === "object" && "mode" in value ? value : { bytes: value, mode: 0o100644 };
		zip.addBuffer(Buffer.from(bytes as string), name, { mode, mtime: new Date("2026-01-31") });
	}
	zip.end();
	const parts: Buffer[] = [];
	for await (const part of zip.outputStream) parts.push(part as Buffer);
	return Buffer.concat(parts);
}

/**
 * The archive with every `from` in it made `to`, which has the same length: names that no honest writer would write.
 */
export function forge(zip: Buffer, from: string, to: string): Buffer {
	return Buffer.from(zip.toString("latin1").replaceAll(from, to), "latin1");
}

/**
 * The archive with a number of its first directory entry changed: 2 bytes at `offset` of the entry (APPNOTE 4.3.12).
 */
export function forgeField(zip: Buffer, offset: number, change: (value: number) => number): Buffer {
	const forged = Buffer.from(zip);
	const entry = forged.indexOf(Buffer.from("PK\u0001\u0002", "latin1"));
	forged.writeUInt16LE(change(forged.readUInt16LE(entry + offset)), entry + offset);
	return forged;
}

/** The bytes at the end of {@link manyEntries}, from its ZIP64 record on; the number of entries is at 32 of them. */
export const endBytes = 56 + 20 + 22;

/**
 * A ZIP64 archive whose directory names so many empty files (APPNOTE 4.3). Made by hand: a library would take its time.
 */
export function manyEntries(count: number): Buffer {
	const [local, central, name] = [30, 46, 8];
	const start = local + name;
	const zip = Buffer.alloc(start + count * (central + name) + endBytes);
	zip.write("PK\u0003\u0004", 0, "latin1");
	zip.writeUInt16LE(name, 26);
	zip.write("f0000000", local);
	for (let number = 0, at = start; number < count; number++, at += central + name) {
		zip.writeUInt32LE(0x02014b50, at);
		zip.writeUInt16LE(name, at + 28);
		zip.write(`f${String(number).padStart(7, "0")}`, at + central, "latin1");
	}
	const end = start + count * (central + name);
	zip.writeUInt32LE(0x06064b50, end);
	zip.writeBigUInt64LE(44n, end + 4);
	for (const at of [24, 32]) zip.writeBigUInt64LE(BigInt(count), end + at);
	zip.writeBigUInt64LE(BigInt(count * (central + name)), end + 40);
	zip.writeBigUInt64LE(BigInt(start), end + 48);
	zip.writeUInt32LE(0x07064b50, end + 56);
	zip.writeBigUInt64LE(BigInt(end), end + 64);
	zip.writeUInt32LE(1, end + 72);
	zip.writeUInt32LE(0x06054b50, end + 76);
	zip.fill(0xff, end + 84, end + 96);
	return zip;
}

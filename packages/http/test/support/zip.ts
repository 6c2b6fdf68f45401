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

/** The archive with every `from` in it made `to`, which has the same length: names that no honest writer would write. */
export function forge(zip: Buffer, from: string, to: string): Buffer {
	return Buffer.from(zip.toString("latin1").replaceAll(from, to), "latin1");
}

/** The archive with a number of its first directory entry changed: 2 bytes at `offset` of the entry (APPNOTE 4.3.12). */
export function forgeField(zip: Buffer, offset: number, change: (value: number) => number): Buffer {
	const forged = Buffer.from(zip);
	const entry = forged.indexOf(Buffer.from("PK\u0001\u0002", "latin1"));
	forged.writeUInt16LE(change(forged.readUInt16LE(entry + offset)), entry + offset);
	return forged;
}

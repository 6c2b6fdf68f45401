import type { DatabaseSync } from "node:sqlite";
import type { ByteRange } from "@reelmill/engine/ports";
import type { SqliteFile } from "./sqlite-file.ts";

/** Where the bytes of an object or an upload are: chunks under a random name that is never used again. */
export type Content = { readonly content: string; readonly size: number };

export function addChunk(database: DatabaseSync, content: string, position: number, bytes: Uint8Array): void {
	database.prepare("insert into chunks (content, position, bytes) values (?, ?, ?)").run(content, position, bytes);
}

export function removeChunks(database: DatabaseSync, content: string): void {
	database.prepare("delete from chunks where content = ?").run(content);
}

/**
 * Checks a range.
 *
 * @throws {RangeError} when `range` starts past the end.
 */
export function checkRange(size: number, range: ByteRange | undefined): void {
	if (range && (range.start < 0 || range.start >= size || range.end < range.start))
		throw new RangeError(`The range ${range.start}-${range.end} isn't within ${size} bytes`);
}

/** Reads the bytes, or those of `range`, one chunk at a time. Holds nothing between two chunks. */
export async function* readChunks(
	file: SqliteFile,
	{ content, size }: Content,
	range?: ByteRange,
): AsyncGenerator<Uint8Array> {
	const end = range ? Math.min(range.end + 1, size) : size;
	for (let at = range?.start ?? 0; at < end; ) {
		const found = file.look((database) =>
			database
				.prepare(
					"select position, bytes from chunks where content = ? and position <= ? order by position desc limit 1",
				)
				.get(content, at),
		) as { position: number; bytes: Uint8Array } | undefined;
		const bytes = found?.bytes.subarray(at - found.position, end - found.position) ?? new Uint8Array();
		if (bytes.length === 0) throw new Error("What was read was replaced or removed meanwhile");
		yield bytes;
		at += bytes.length;
	}
}

import { type BigIntStats, constants } from "node:fs";
import { open, stat } from "node:fs/promises";
import type { ByteRange, Bytes } from "@reelmill/engine/ports";
import type { DiskLanes } from "./disk-lanes.ts";

const readBytes = 512 * 1024;

/** Returns the file's state; null if there is no file of that name. */
export async function fileAt(path: string): Promise<BigIntStats | null> {
	try {
		const found = await stat(path, { bigint: true });
		return found.isFile() ? found : null;
	} catch (error) {
		if (isMissing(error)) return null;
		throw error;
	}
}

export const isMissing = (error: unknown): boolean =>
	["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "");

/** Returns null if `error` says that there is no such file; otherwise throws it. */
export function nullIfMissing(error: unknown): null {
	if (isMissing(error)) return null;
	throw error;
}

/**
 * Reads the first `size` bytes of a file, or those of them that `range` names. The first read opens the file, so that
 * an answer that nobody reads holds nothing. The read throws if the file isn't `same` by then.
 */
export async function* bytesOf(
	lanes: Pick<DiskLanes, "read">,
	path: string,
	size: number,
	range: ByteRange | undefined,
	same: (now: BigIntStats) => boolean,
): Bytes & AsyncGenerator<Uint8Array> {
	const file = await lanes.read(() => open(path, constants.O_RDONLY));
	try {
		if (!same(await file.stat({ bigint: true }))) throw new Error("The file was replaced before it was read");
		const end = Math.min(size, range ? range.end + 1 : Number.POSITIVE_INFINITY);
		for (let at = range?.start ?? 0; at < end; ) {
			const { buffer, bytesRead } = await lanes.read(() =>
				file.read(Buffer.allocUnsafeSlow(Math.min(readBytes, end - at)), 0, undefined, at),
			);
			if (bytesRead === 0) throw new Error("The file ended before its size");
			at += bytesRead;
			yield buffer.subarray(0, bytesRead);
		}
	} finally {
		await file.close();
	}
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

import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ReelmillError } from "@reelmill/contracts";
import type { Bytes } from "@reelmill/engine";

/**
 * Writes `bytes` to a new file in `directory` and calls `use` with its path; the file is gone when this resolves or rejects.
 * Throws `zip_too_large` beyond `limit` bytes, and what `bytes` or `use` throws.
 */
export async function withSpooled<T>(
	bytes: Bytes,
	{ directory, name, limit }: { directory: string; name: string; limit: number },
	use: (path: string) => Promise<T>,
): Promise<T> {
	const path = join(directory, name);
	let size = 0;
	const meter = new Transform({
		transform(chunk: Uint8Array, _encoding, done) {
			size += chunk.byteLength;
			if (size > limit) done(new ReelmillError("zip_too_large"));
			else done(null, chunk);
		},
	});
	try {
		await pipeline(Readable.from(bytes, { objectMode: false }), meter, createWriteStream(path, { flags: "wx", mode: 0o600 }));
		return await use(path);
	} finally {
		await rm(path, { force: true });
	}
}

import type { ByteRange, Bytes, ObjectStorage } from "@reelmill/engine/ports";

export type Objects = Map<string, Buffer>;

/** The bytes that came, and why they ended early if they did. */
export async function take(
	bytes: Bytes,
	signal: AbortSignal | undefined,
	each: (chunk: Uint8Array) => void,
): Promise<unknown> {
	const iterator = bytes[Symbol.asyncIterator]();
	const aborted = Promise.withResolvers<never>();
	aborted.promise.catch(() => {});
	signal?.addEventListener("abort", () => aborted.reject(signal.reason));
	try {
		for (;;) {
			signal?.throwIfAborted();
			const next = await Promise.race([iterator.next(), aborted.promise]);
			if (next.done) return null;
			each(next.value);
		}
	} catch (error) {
		return error;
	}
}

export async function* inParts(bytes: Buffer): AsyncGenerator<Uint8Array> {
	for (let at = 0; at < bytes.length; at += 300_000) yield bytes.subarray(at, at + 300_000);
}

export function cut(bytes: Buffer, range: ByteRange | undefined): Buffer {
	if (range && range.start >= bytes.length) throw new RangeError("past the end");
	return range ? bytes.subarray(range.start, range.end + 1) : bytes;
}

const part = "(?!\\.\\.?(?:/|$))[A-Za-z0-9._-]+";
function check(value: string, pattern: string): void {
	if (!new RegExp(`^${pattern}$`).test(value)) throw new TypeError("not a key");
}

/** Memory has no URLs to sign. */
export const noPresign = async (): Promise<never> => {
	throw new TypeError("memory makes no presigned URLs");
};

/**
 * A correct adapter in memory. The suite must pass it, which shows that the suite requires no more than the port
 * promises.
 */
export function createMemoryObjectStorage(objects: Objects): ObjectStorage {
	const keysUnder = (prefix: string): string[] => {
		check(prefix, `(?:${part}/)+`);
		return [...objects.keys()].filter((key) => key.startsWith(prefix)).sort();
	};
	return {
		capabilities: { presign: false, download: true },
		presign: noPresign,
		async put(key, bytes, { signal } = {}) {
			check(key, `${part}(?:/${part})*`);
			const chunks: Uint8Array[] = [];
			const failure = await take(bytes, signal, (chunk) => chunks.push(chunk.slice()));
			if (failure) throw failure;
			const whole = Buffer.concat(chunks);
			objects.set(key, whole);
			return { key, size: whole.length };
		},
		async get(key, range) {
			check(key, `${part}(?:/${part})*`);
			const found = objects.get(key);
			return found ? { size: found.length, bytes: inParts(cut(found, range)) } : null;
		},
		async head(key) {
			check(key, `${part}(?:/${part})*`);
			const found = objects.get(key);
			return found ? { key, size: found.length } : null;
		},
		async delete(key) {
			check(key, `${part}(?:/${part})*`);
			objects.delete(key);
		},
		async copy(from, to) {
			for (const key of [from, to]) check(key, `${part}(?:/${part})*`);
			const found = objects.get(from);
			if (found === undefined) return null;
			objects.set(to, found);
			return { key: to, size: found.length };
		},
		async *list(prefix) {
			for (const key of keysUnder(prefix)) yield { key, size: objects.get(key)?.length ?? 0 };
		},
		async deletePrefix(prefix) {
			for (const key of keysUnder(prefix)) objects.delete(key);
		},
	};
}

import { createHash, randomBytes } from "node:crypto";
import type { Bytes } from "@reelmill/engine/ports";

/** Yields `bytes` in chunks of `size`. */
export async function* chunks(bytes: Uint8Array, size = 64 * 1024): AsyncGenerator<Uint8Array> {
	for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Yields `bytes`, then throws. */
export async function* thenThrow(bytes: Uint8Array, message = "the client went away"): AsyncGenerator<Uint8Array> {
	yield* chunks(bytes);
	throw new Error(message);
}

/** Yields `bytes`, then nothing for ever. `reached` resolves when all of `bytes` were taken. */
export function thenSilence(bytes: Uint8Array): { readonly bytes: Bytes; readonly reached: Promise<void> } {
	const { promise: reached, resolve } = Promise.withResolvers<void>();
	async function* stream(): AsyncGenerator<Uint8Array> {
		yield* chunks(bytes);
		resolve();
		await new Promise(() => {});
	}
	return { bytes: stream(), reached };
}

export async function collect(bytes: Bytes): Promise<Buffer> {
	const parts: Uint8Array[] = [];
	for await (const part of bytes) parts.push(new Uint8Array(part));
	return Buffer.concat(parts);
}

export const random = (length: number): Buffer => randomBytes(length);
export const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
export const text = (value: string): AsyncIterable<Uint8Array> => chunks(Buffer.from(value));

/** Rejects if `promise` isn't settled within `milliseconds`: for promises that nothing may hold up. */
export async function within<T>(milliseconds: number, promise: Promise<T>): Promise<T> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<never>((_, reject) => {
		timer = setTimeout(() => reject(new Error(`not settled within ${milliseconds} ms`)), milliseconds);
	});
	return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Takes all items. */
export const drain = async (items: AsyncIterable<unknown>): Promise<void> => {
	for await (const _ of items);
};

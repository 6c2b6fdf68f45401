import { isReelmillError, ReelmillError } from "@reelmill/contracts";
import { type Bytes, type ObjectStorage, StorageError } from "../../ports/index.ts";
import type { InTime } from "../stores/in-time.ts";
import { readable } from "./readable.ts";

/** An object that was recorded when its video was completed. */
export type Recorded = {
	readonly key: string;
	/** In bytes, as recorded. */
	readonly size: number;
	/** An object that is recorded as larger is not read at all. */
	readonly largest: number;
	/** Returns whether these bytes are of the type that the object's name says. */
	readonly isOfType: (bytes: Uint8Array) => boolean;
};

type Found = { readonly size: number; readonly bytes: Bytes };

const differs = (message: string) =>
	new ReelmillError("storage_unavailable", { cause: new StorageError("failed", message) });

/**
 * Returns the bytes of an object that has `size` bytes by its record: all of them, or the `length` of a range. Nothing
 * but what was recorded is passed on: the read throws as well, before a byte too many, or if the bytes end too early.
 *
 * @throws {ReelmillError} `storage_unavailable`, after freeing the object, when the storage reports another size.
 */
export async function recordedBytes({ size: said, bytes }: Found, size: number, length = size): Promise<Bytes> {
	if (said === size) return exactly(bytes, length);
	await bytes[Symbol.asyncIterator]().return?.();
	throw otherSize(said, size);
}

/**
 * Compares the size that the storage reports with the recorded one.
 *
 * @throws {ReelmillError} `storage_unavailable` when they differ.
 */
export function checkSize(said: number, size: number): void {
	if (said !== size) throw otherSize(said, size);
}

const otherSize = (said: number, size: number) =>
	differs(`The storage has an object of ${said} bytes where ${size} were stored`);

/** It is no generator: a generator that is left before its first step would not leave `bytes`. */
function exactly(bytes: Bytes, length: number): Bytes {
	return {
		[Symbol.asyncIterator]() {
			const iterator = bytes[Symbol.asyncIterator]();
			let left = length;
			const leave = async (): Promise<IteratorResult<Uint8Array>> => {
				await iterator.return?.();
				return { done: true, value: undefined };
			};
			return {
				async next() {
					const step = await iterator.next();
					if (!step.done) left -= step.value.length;
					if (left >= 0 && !(step.done && left > 0)) return step;
					await leave();
					throw differs(`The storage gave ${left < 0 ? "more" : "less"} than the ${length} bytes that were stored`);
				},
				return: leave,
			};
		},
	};
}

/**
 * Reads the whole object into memory; `null` if there is none.
 *
 * @throws {ReelmillError} `storage_unavailable` when its size or type is not the recorded one, when it is recorded as
 * larger than `largest`, when it is gone while it is read, or when it doesn't come `inTime`;
 * `storage_backend_unsupported` when the storage returns no bytes.
 */
export async function readRecorded(
	outputs: ObjectStorage,
	{ key, size, largest, isOfType }: Recorded,
	inTime: InTime,
): Promise<Uint8Array<ArrayBuffer> | null> {
	if (size > largest) throw differs(`The storage was given ${size} bytes where at most ${largest} are read`);
	const found = await readable(outputs).get(key);
	if (found === null) return null;
	let isLate = false;
	const read = async () => {
		const whole = new Uint8Array(size);
		let at = 0;
		for await (const part of await recordedBytes(found, size)) {
			if (isLate) break;
			whole.set(part, at);
			at += part.length;
		}
		return whole;
	};
	const whole = await inTime(read()).catch((error: unknown) => {
		isLate = true;
		throw isReelmillError(error) ? error : new ReelmillError("storage_unavailable", { cause: error });
	});
	if (!isOfType(whole)) throw differs("The storage gave bytes of another type than was stored");
	return whole;
}

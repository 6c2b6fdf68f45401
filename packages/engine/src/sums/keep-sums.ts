import { outputSumsFile } from "@reelmill/contracts";
import type { ObjectStorage } from "../ports/index.ts";
import { type createInTime, readRecorded } from "../storage/index.ts";
import { readSums } from "./read-sums.ts";
import { sumOf } from "./summing.ts";

/** A file of sums that is larger is not read. Ten thousand files, which an attempt has at most, take a fifth of it. */
export const largestSums = 4 * 1024 * 1024;

/** Where a file of outputs lies, and its size in bytes. */
type Output = { readonly key: string; readonly size: number };

/**
 * Returns what a video's row keeps of the sums of the files under `prefix`: the sum of their file of sums, which has
 * `size` bytes. What was changed together with this file is then told apart from what was stored. Returns undefined if
 * there is no such file, if it is malformed, or if the storage gives no bytes. The files themselves are not read.
 *
 * @throws {ReelmillError} `storage_unavailable` when the storage doesn't give the file as it listed it.
 */
export async function keepSums(
	storage: ObjectStorage,
	prefix: string,
	size: number | undefined,
	inTime: ReturnType<typeof createInTime>,
): Promise<Readonly<Record<string, string>> | undefined> {
	if (size === undefined) return undefined;
	const bytes = await readSmall(storage, { key: prefix + outputSumsFile, size }, inTime);
	if (bytes === null || readSums(Buffer.from(bytes).toString()) === null) return undefined;
	return { [outputSumsFile]: sumOf(bytes) };
}

/**
 * Returns the sum of one small output, by reading it; `null` if it is gone or large, or if the storage gives no bytes.
 *
 * @throws {ReelmillError} `storage_unavailable` when the storage doesn't give it in its size.
 */
export async function sumOfOutput(
	storage: ObjectStorage,
	output: Output,
	inTime: ReturnType<typeof createInTime>,
): Promise<string | null> {
	const bytes = await readSmall(storage, output, inTime);
	return bytes && sumOf(bytes);
}

const readSmall = async (
	storage: ObjectStorage,
	{ key, size }: Output,
	inTime: ReturnType<typeof createInTime>,
): Promise<Uint8Array | null> =>
	storage.capabilities.download && size <= largestSums
		? readRecorded(storage, { key, size, largest: largestSums, isOfType: () => true }, inTime)
		: null;

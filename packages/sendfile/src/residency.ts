import { closeSync, openSync } from "node:fs";
import type { LibraryHandle } from "koffi";

/**
 * Whether all of `length` bytes of an open file, from `position` on, are in the system's memory or being read into it.
 * Returns false if the system can't tell.
 */
export type IsResident = (file: number, position: number, length: number) => boolean;

/**
 * The number of cachestat(2), for which the C libraries have no function. It is the same on every processor that Node
 * runs on.
 */
const cachestatNumber = 451;

/** Makes the check by cachestat(2); returns null if the system has none or forbids it. */
export function createIsResident(program: LibraryHandle): IsResident | null {
	const cachestat = program.func(
		"long syscall(long number, long file, const uint64_t *range, uint64_t *found, long flags)",
	);
	const pageBytes = program.func("int getpagesize()")() as number;
	const range = new BigUint64Array(2);
	const found = new BigUint64Array(5);
	const ask = (file: number): boolean => Number(cachestat(cachestatNumber, file, range, found, 0)) === 0;

	const any = openSync(process.execPath, "r");
	const isThere = ask(any);
	closeSync(any);
	if (!isThere) return null;
	return (file, position, length) => {
		range[0] = BigInt(position);
		range[1] = BigInt(length);
		const pages = Math.floor((position + length - 1) / pageBytes) - Math.floor(position / pageBytes) + 1;
		return ask(file) && Number(found[0]) >= pages;
	};
}

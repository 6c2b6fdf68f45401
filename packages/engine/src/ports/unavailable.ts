import { DatabaseError } from "./database.ts";
import { isStorageError } from "./storage-error.ts";

/**
 * What can be missing for a while: the database, file descriptors of the process or the system, room on a disk or the
 * disk itself, a storage such as a bucket.
 */
export type Unavailable = "database" | "descriptors" | "disk" | "storage";

const disk: readonly string[] = ["ENOSPC", "EDQUOT", "EROFS", "EIO"];
const descriptors: readonly string[] = ["EMFILE", "ENFILE"];
/** A chain of causes that is longer, or a ring, tells nothing more. */
const longestChain = 10;

/**
 * What is missing where that is why something failed, so that the same can succeed later; null where the reason is
 * another, which may be a defect. The error and its causes are looked at: the deepest reason counts, since a database
 * that can't be reached for want of a descriptor isn't what is missing.
 */
export function unavailableIn(error: unknown): Unavailable | null {
	let found: Unavailable | null = null;
	let at = error;
	for (let depth = 0; depth < longestChain && at instanceof Error; depth++) {
		found = ofOne(at) ?? found;
		at = at.cause;
	}
	return found;
}

function ofOne(error: Error): Unavailable | null {
	const { code } = error as { readonly code?: unknown };
	if (typeof code === "string" && descriptors.includes(code)) return "descriptors";
	if (typeof code === "string" && disk.includes(code)) return "disk";
	if (isDatabaseError(error)) return error.unavailable ? "database" : null;
	return isStorageError(error) ? "storage" : null;
}

/** Of this copy of the package or another. */
const isDatabaseError = (error: Error): error is DatabaseError =>
	error instanceof DatabaseError || (error.name === "DatabaseError" && "unavailable" in error);

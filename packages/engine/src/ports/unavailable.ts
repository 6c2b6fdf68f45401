import { DatabaseError } from "./database.ts";
import { isStorageError } from "./storage-error.ts";

/**
 * What can be missing for a while: the database, file descriptors of the process or the system, room on a disk or the
 * disk itself, a storage such as a bucket.
 */
export type Unavailable = "database" | "descriptors" | "disk" | "storage";

const disk: readonly string[] = ["ENOSPC", "EDQUOT", "EROFS", "EIO"];
const descriptors: readonly string[] = ["EMFILE", "ENFILE"];
/** A longer chain of causes, or a ring, tells nothing more. */
const longestChain = 10;

/**
 * Returns what was missing when something failed, so that the same can succeed later; `null` for any other reason,
 * which may be a defect. It looks at the error and its causes, and the deepest reason counts: if a database can't be
 * reached because no descriptor is left, descriptors are missing.
 *
 * @example
 * ```ts
 * import { StorageError, unavailableIn } from "@reelmill/engine";
 *
 * const error = new Error("the job failed", { cause: new StorageError("unreachable", "No answer") });
 * console.log(unavailableIn(error)); // => storage
 * console.log(unavailableIn(new TypeError("a defect"))); // => null
 * ```
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

const isDatabaseError = (error: Error): error is DatabaseError =>
	error instanceof DatabaseError || (error.name === "DatabaseError" && "unavailable" in error);

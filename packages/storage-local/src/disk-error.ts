import { StorageError } from "@reelmill/engine/ports";

/** Codes by which the system says that a disk takes nothing, and not that a call was wrong. */
const meanings: Readonly<Record<string, string>> = {
	ENOSPC: "The disk is full",
	EDQUOT: "The disk's quota is used up",
	EROFS: "The disk can only be read",
	EIO: "The disk failed",
	EACCES: "The directory may not be written to",
	EPERM: "The directory may not be written to",
	EMFILE: "This process has too many files open",
	ENFILE: "The system has too many files open",
};

/**
 * What `write` comes to. A refusal by the disk rejects as a StorageError, with the system's error as its cause;
 * anything else as it is.
 */
export async function onDisk<T>(write: () => Promise<T>): Promise<T> {
	try {
		return await write();
	} catch (error) {
		const { code = "" } = error as NodeJS.ErrnoException;
		throw Object.hasOwn(meanings, code)
			? new StorageError("failed", meanings[code] as string, { cause: error })
			: error;
	}
}

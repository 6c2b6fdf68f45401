import { StorageError } from "@reelmill/engine/ports";

/** The codes that say that the disk refuses, as opposed to a wrong call. */
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
 * Returns what `write` resolves with. If the disk refuses, rejects with a StorageError whose cause is the system's
 * error; any other error passes as it is.
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

import { CannotLockError, DirectoryInUseError, type DirectoryLock, lockDirectory } from "@reelmill/postgres/embedded";
import { StartError } from "@reelmill/settings";

/**
 * Locks the data directory until this process ends, however it ends. A server with an embedded database has the
 * directory to itself; servers with REELMILL_DATABASE_URL share one.
 *
 * @throws {StartError} at once when another server already uses the directory in a way that does not allow this one,
 * and when an embedded database would lie on a file system that can't lock.
 */
export async function lockDataDirectory(config: {
	readonly DATA_DIR: string;
	readonly DATABASE_URL: string | undefined;
}): Promise<DirectoryLock> {
	const isShared = config.DATABASE_URL !== undefined;
	try {
		return await lockDirectory(config.DATA_DIR, isShared ? "shared" : "exclusive");
	} catch (cause) {
		if (cause instanceof DirectoryInUseError) throw new StartError(inUse(config.DATA_DIR, isShared, cause), { cause });
		// A shared directory may lie on a network disk that can't lock. The lock would only have found a mistake.
		if (isShared && cause instanceof CannotLockError) return { release: async () => undefined };
		throw new StartError(`${(cause as Error).message} REELMILL_DATA_DIR sets it.`, { cause });
	}
}

function inUse(directory: string, isShared: boolean, error: DirectoryInUseError): string {
	const start = `The data directory ${directory} is in use by`;
	const another = "set REELMILL_DATA_DIR to another directory";
	if (error.isShared) return `${start} servers with a REELMILL_DATABASE_URL: set that here as well, or ${another}.`;
	const holder = `a server with an embedded database (${error.holder})`;
	if (isShared) return `${start} ${holder}: give both the same REELMILL_DATABASE_URL, or ${another}.`;
	return `${start} ${holder}: stop it, or ${another}.`;
}

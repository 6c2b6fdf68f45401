import { CannotLockError, DirectoryInUseError, type DirectoryLock, lockDirectory } from "@reelmill/postgres/embedded";
import { StartError } from "../start/start-error.ts";

/**
 * Locks the data directory until this process ends, however it ends. With an embedded database nobody else may use it;
 * servers with REELMILL_DATABASE_URL share it. Throws a StartError at once where those who use it already don't allow
 * that, and where an embedded database would lie on a file system that can't lock.
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
		// What servers share may well lie on a network disk: the lock only tells of a mistake then.
		if (isShared && cause instanceof CannotLockError) return { release: async () => undefined };
		throw new StartError(`${(cause as Error).message} REELMILL_DATA_DIR sets it.`, { cause });
	}
}

function inUse(directory: string, isShared: boolean, error: DirectoryInUseError): string {
	const start = `The data directory ${directory} is in use by`;
	if (error.isShared)
		return `${start} servers with a REELMILL_DATABASE_URL: set that here as well, or set REELMILL_DATA_DIR to another directory.`;
	const holder = `a server with an embedded database (${error.holder})`;
	if (isShared)
		return `${start} ${holder}: give both the same REELMILL_DATABASE_URL, or set REELMILL_DATA_DIR to another directory.`;
	return `${start} ${holder}: stop it, or set REELMILL_DATA_DIR to another directory.`;
}

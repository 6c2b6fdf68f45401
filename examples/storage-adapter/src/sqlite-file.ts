import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { StorageError, type StorageFault } from "@reelmill/engine/ports";

/** A SQLite file. Any number of processes of one machine may have the same file open. */
export type SqliteFile = {
	/** Runs `work` in one transaction. All of it is on the disk when this returns, and nothing of it when this throws. */
	change<T>(work: (database: DatabaseSync) => T): T;
	/** Runs `work`, which only reads. */
	look<T>(work: (database: DatabaseSync) => T): T;
	/** Closes the file. Later calls throw a StorageError. Calling it twice is harmless. */
	close(): void;
};

const waitMilliseconds = 5000;
const leftoverMilliseconds = 3_600_000;

/**
 * In WAL mode a commit is written to the disk only with `synchronous = full`. With `normal`, a power cut takes the last
 * commits back.
 */
const schema = `
	pragma journal_mode = wal;
	pragma synchronous = full;
	create table if not exists chunks (content text not null, position integer not null, bytes blob not null, primary key (content, position)) strict;
	create table if not exists drafts (content text primary key, touched_at integer not null) strict;
	create table if not exists objects (key text primary key, content text not null, size integer not null) strict, without rowid;
	create table if not exists uploads (id text primary key, content text not null, size integer not null) strict, without rowid;
`;

/**
 * Opens the file at `path`. It is made if it doesn't exist, unless it `mustExist`. The first use opens it, so an error
 * shows then, as a StorageError. What puts of killed processes left behind an hour ago or more is removed.
 */
export function openSqliteFile(path: string, { mustExist = false }: { readonly mustExist?: boolean } = {}): SqliteFile {
	let database: DatabaseSync | undefined;
	let closed = false;
	const open = (): DatabaseSync => {
		if (closed) throw new StorageError("unreachable", "The storage is closed");
		if (database) return database;
		if (mustExist && !existsSync(path)) throw new StorageError("bucket", "There is no storage of this name");
		const opened = new DatabaseSync(path, { timeout: waitMilliseconds });
		opened.exec(schema);
		const old = Date.now() - leftoverMilliseconds;
		opened.prepare("delete from chunks where content in (select content from drafts where touched_at < ?)").run(old);
		opened.prepare("delete from drafts where touched_at < ?").run(old);
		database = opened;
		return opened;
	};
	const look = <T>(work: (database: DatabaseSync) => T): T => {
		try {
			return work(open());
		} catch (error) {
			throw storageError(error);
		}
	};

	return {
		look,
		change: (work) =>
			look((database) => {
				database.exec("begin immediate");
				try {
					const answer = work(database);
					database.exec("commit");
					return answer;
				} catch (error) {
					if (database.isTransaction) database.exec("rollback");
					throw error;
				}
			}),
		close() {
			closed = true;
			if (database?.isOpen) database.close();
		},
	};
}

/**
 * By SQLite's primary result codes (https://sqlite.org/rescode.html): permission, read-only, authorization; can't open.
 */
const faults: Readonly<Record<number, StorageFault>> = {
	3: "credentials",
	8: "credentials",
	23: "credentials",
	14: "unreachable",
};

/**
 * Makes a StorageError from an error of SQLite. Its `errstr` is a fixed sentence for the code, and never contains a
 * path or a value. Other errors stay what they are.
 */
function storageError(error: unknown): unknown {
	const { code, errcode, errstr } = error as { code?: string; errcode?: number; errstr?: string };
	if (code !== "ERR_SQLITE_ERROR" || errcode === undefined) return error;
	return new StorageError(faults[errcode & 0xff] ?? "failed", `SQLite says: ${errstr}`, { cause: error });
}

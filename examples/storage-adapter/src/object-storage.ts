import { randomUUID } from "node:crypto";
import type { ObjectStorage } from "@reelmill/engine/ports";
import { checkKey, checkPrefix } from "@reelmill/engine/ports";
import { takeBatches } from "./batches.ts";
import { addChunk, type Content, checkRange, readChunks, removeChunks } from "./contents.ts";
import type { SqliteFile } from "./sqlite-file.ts";

export type SqliteObjectStorageOptions = {
	/** Stands before the key of each object, without a slash at its end; empty for none. */
	readonly keyPrefix?: string;
	/** For a storage that only takes bytes: it has no `get`. */
	readonly writeOnly?: boolean;
};

const pageRows = 1000;

/** Stores finished outputs as rows of a SQLite file. */
export function createSqliteObjectStorage(
	file: SqliteFile,
	{ keyPrefix = "", writeOnly = false }: SqliteObjectStorageOptions = {},
): ObjectStorage {
	const root = keyPrefix === "" ? "" : `${keyPrefix}/`;
	const nameOf = (key: string): string => {
		checkKey(key);
		return root + key;
	};
	const find = (key: string): Content | undefined =>
		file.look((database) => database.prepare("select content, size from objects where key = ?").get(nameOf(key))) as
			| Content
			| undefined;

	return {
		capabilities: { presign: false, download: !writeOnly },
		async put(key, bytes, { signal } = {}) {
			const name = nameOf(key);
			const content = randomUUID();
			let size = 0;
			try {
				const interruption = await takeBatches(bytes, signal, (batch) => {
					file.change((database) => {
						database
							.prepare("insert or replace into drafts (content, touched_at) values (?, ?)")
							.run(content, Date.now());
						addChunk(database, content, size, batch);
					});
					size += batch.length;
				});
				if (interruption) throw interruption.reason;
				file.change((database) => {
					const { changes } = database.prepare("delete from drafts where content = ?").run(content);
					if (size > 0 && changes === 0) throw new Error("The draft was taken for a leftover");
					database.prepare("delete from chunks where content = (select content from objects where key = ?)").run(name);
					database
						.prepare("insert or replace into objects (key, content, size) values (?, ?, ?)")
						.run(name, content, size);
				});
				return { key, size };
			} catch (error) {
				file.change((database) => {
					removeChunks(database, content);
					database.prepare("delete from drafts where content = ?").run(content);
				});
				throw error;
			}
		},
		async get(key, range) {
			const found = find(key);
			if (writeOnly) throw new TypeError("This storage gives no bytes");
			if (!found) return null;
			checkRange(found.size, range);
			return { size: found.size, bytes: readChunks(file, found, range) };
		},
		async head(key) {
			const found = find(key);
			return found ? { key, size: found.size } : null;
		},
		async presign(key) {
			checkKey(key);
			throw new TypeError("A SQLite file has no URLs to sign");
		},
		async delete(key) {
			const name = nameOf(key);
			file.change((database) => {
				database.prepare("delete from chunks where content = (select content from objects where key = ?)").run(name);
				database.prepare("delete from objects where key = ?").run(name);
			});
		},
		async *list(prefix) {
			const { from, to } = boundsOf(root, prefix);
			const page = (after: string) =>
				file.look((database) =>
					database
						.prepare("select key, size from objects where key > ? and key < ? order by key limit ?")
						.all(after, to, pageRows),
				) as {
					key: string;
					size: number;
				}[];
			for (let rows = page(from); rows.length > 0; rows = page(rows.at(-1)?.key ?? to)) {
				for (const { key, size } of rows) yield { key: key.slice(root.length), size };
			}
		},
		async deletePrefix(prefix) {
			const { from, to } = boundsOf(root, prefix);
			file.change((database) => {
				database
					.prepare("delete from chunks where content in (select content from objects where key > ? and key < ?)")
					.run(from, to);
				database.prepare("delete from objects where key > ? and key < ?").run(from, to);
			});
		},
	};
}

/**
 * Returns the bounds of the keys under a prefix: the prefix itself, and the prefix with `0`, the character after the
 * slash, at its end. SQLite compares text by bytes.
 */
function boundsOf(root: string, prefix: string): { readonly from: string; readonly to: string } {
	checkPrefix(prefix);
	const from = root + prefix;
	return { from, to: `${from.slice(0, -1)}0` };
}
